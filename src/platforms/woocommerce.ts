import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { NO_STATE_RULE } from './lib/state-columns.ts';

/**
 * WooCommerce customer report: people who bought something. It doesn't say who agreed to mail, so svc asks the user.
 */
export const woocommerce = definePlatform({
  id: 'woocommerce',
  title: 'WooCommerce',
  roles: {
    name: ['Name'],
    internal: ['Username', 'Last Active', 'Date Last Active', 'Sign Up', 'Date Registered', 'AOV'],
  },
  certainty({ header }) {
    const ownCount = countHeaders(
      header,
      'Last Active',
      'Date Last Active',
      'Sign Up',
      'Date Registered',
      'Total Spend',
    );
    return findHeader(header, 'AOV') >= 0 && ownCount >= 2 ? 85 : 0;
  },
  read: () => ({ ...NO_STATE_RULE, isAddressOptional: true }),
});
