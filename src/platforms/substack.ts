import { definePlatform, findEmailColumn } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { SUBSCRIBED, skipFor, UNSUBSCRIBED } from './lib/status-words.ts';

const ERASED = '@deletion-request.substack.com';

/**
 * Substack subscriber export in three forms: an old list, a later list, and the dashboard export with other headers.
 */
export const substack = definePlatform({
  id: 'substack',
  title: 'Substack',
  roles: {
    name: ['Name'],
    state: ['email_disabled'],
    // Here `Cancel date` and `unsubscribed_at` mean the end of a paid plan, not an opt-out.
    internal: [
      ...['expiry', 'prefer_digests', 'created_at', 'first_payment_at', 'stripe_connected_customer_id'],
      ...['Cancel date', 'Start date', 'unsubscribed_at'],
    ],
  },
  certainty({ header, name }) {
    const listHeaderCount = countHeaders(header, 'active_subscription', 'email_disabled', 'prefer_digests', 'expiry');
    const dashboardHeaderCount = countHeaders(
      header,
      ...['Stripe plan', 'num_emails_opened', 'Emails opened (6mo)', 'Emails received (6mo)', 'Cancel date'],
    );
    return listHeaderCount >= 2 ? 90 : dashboardHeaderCount >= 2 ? 85 : /^email_list\./i.test(name) ? 70 : 0;
  },
  read(shape) {
    const email = findEmailColumn(shape);
    const rule = stateByYesOrNo(shape.header, { yes: UNSUBSCRIBED, no: SUBSCRIBED }, 'email_disabled');
    const isErased = (cells: readonly string[]) => (cells[email] ?? '').trim().toLowerCase().endsWith(ERASED);
    const deleted = skipFor('deleted');
    return {
      notConsentHeaders: ['active_subscription', 'Cancel date', 'Paid upgrade date'],
      stateSource: rule.stateSource,
      stateOf: (cells) => (isErased(cells) ? deleted : rule.stateOf(cells)),
      statusWordOf: (cells) => (isErased(cells) ? undefined : rule.statusWordOf?.(cells)),
      engagement: ['Emails opened (6mo)', 'num_emails_opened'].find((header) => shape.header.includes(header)),
    };
  },
});
