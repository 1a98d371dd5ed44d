import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { SUBSCRIBED, skipFor } from './lib/status-words.ts';

const CONSENT = ['mail_status', 'customers_newsletter'];

/**
 * Customers and newsletter recipients of Gambio and other shops that follow xt:Commerce. Their `customers_status` is a
 * group of customers, such as guests.
 */
export const gambio = definePlatform({
  id: 'gambio',
  title: 'Gambio',
  roles: {
    email: ['customers_email_address'],
    first_name: ['customers_firstname'],
    last_name: ['customers_lastname'],
    state: CONSENT,
    internal: ['customers_id', 'customers_cid', 'customers_password', 'mail_key', 'customers_date_added', 'date_added'],
  },
  certainty: ({ header }) =>
    countHeaders(header, 'customers_email_address', 'customers_status') === 2 && countHeaders(header, ...CONSENT) > 0
      ? 90
      : 0,
  read: ({ header }) => ({
    ...stateByYesOrNo(header, { yes: SUBSCRIBED, no: skipFor('no_consent') }, ...CONSENT),
    notConsentHeaders: ['customers_status'],
  }),
});
