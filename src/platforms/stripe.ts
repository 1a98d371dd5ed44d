import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { NO_STATE_RULE } from './lib/state-columns.ts';

/** Stripe customer export: people who paid. It doesn't say who agreed to mail, so svc asks the user. */
export const stripe = definePlatform({
  id: 'stripe',
  title: 'Stripe',
  roles: {
    email: ['Email', 'Customer Email'],
    name: ['Name', 'Customer Name'],
    internal: [
      ...['id', 'Customer ID', 'Created (UTC)', 'Delinquent', 'Default Source', 'Cancel At Period End'],
      ...['Refunded Volume', 'Dispute Losses', 'Account Balance', 'Business Vat ID', 'Tax Info Verification'],
    ],
    isInternal: (header) => /^card /i.test(header),
  },
  certainty({ header }) {
    const ownCount = countHeaders(
      header,
      ...['Delinquent', 'Card ID', 'Card Last4', 'Default Source', 'Payment Count', 'Total Spend', 'Average Order'],
      ...['Refunded Volume', 'Dispute Losses', 'Customer ID', 'Customer Email'],
    );
    return findHeader(header, 'Created (UTC)') >= 0 && ownCount >= 1 ? 85 : 0;
  },
  read: () => ({ ...NO_STATE_RULE, isAddressOptional: true }),
});
