import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByColumns, yesNoColumn } from './lib/state-columns.ts';
import type { StatusReading } from './lib/states.ts';
import { NONE, SUBSCRIBED, UNSUBSCRIBED } from './lib/status-words.ts';

/** Customer.io people export. Its columns are the attributes that its user chose for the export. */
export const customerio = definePlatform({
  id: 'customerio',
  title: 'Customer.io',
  roles: {
    state: ['unsubscribed', 'cio_subscription_preferences'],
    internal: ['cio_id', 'id', 'created_at', '_created_in_customerio_at', '_last_emailed', 'anonymous_id'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'cio_id', 'cio_subscription_preferences');
    return ownCount > 0 ? 90 : /^customers-\d{4}-\d\d-\d\d_/.test(name) ? 75 : 0;
  },
  read: ({ header }) => ({
    ...stateByColumns(header, [
      yesNoColumn('unsubscribed', { yes: UNSUBSCRIBED, no: SUBSCRIBED, blank: SUBSCRIBED }),
      { header: 'cio_subscription_preferences', readingOf: topicState },
    ]),
    notConsentHeaders: ['cio_subscription_preferences'],
    isAddressOptional: true,
  }),
});

// The state in a cell such as `{"topics":{"topic_1":false}}`. If all topics are false, the person is unsubscribed. If
// only some are, svc asks, because only the user knows which topic is this newsletter.
function topicState(cell: string): StatusReading {
  const answers = new Set([...cell.matchAll(/:\s*(true|false)/g)].map(([, answer]) => answer));
  return !answers.has('false') ? NONE : answers.has('true') ? { state: 'none', unknown: cell.trim() } : UNSUBSCRIBED;
}
