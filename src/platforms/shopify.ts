import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { SUBSCRIBED, skipFor } from './lib/status-words.ts';

const ACCEPTS = ['Accepts Email Marketing', 'Accepts Marketing'];
/** Shopify customer export. `no` in its consent column means: never signed up, or opted out. Neither gets mail. */
export const shopify = definePlatform({
  id: 'shopify',
  title: 'Shopify',
  roles: {
    state: ACCEPTS,
    internal: ['Customer ID', 'Accepts SMS Marketing', 'Accepts WhatsApp Marketing', 'Tax Exempt'],
  },
  certainty({ header }) {
    const ownCount = countHeaders(
      header,
      ...['Total Spent', 'Total Orders', 'Tax Exempt', 'Accepts SMS Marketing', 'Default Address Address1'],
      ...['Default Address City', 'Province Code', 'Default Address Country Code'],
    );
    return ownCount >= 2 && countHeaders(header, ...ACCEPTS) > 0 ? 90 : 0;
  },
  read: ({ header }) => ({
    ...stateByYesOrNo(header, { yes: SUBSCRIBED, no: skipFor('no_consent') }, ...ACCEPTS),
    isAddressOptional: true,
  }),
});
