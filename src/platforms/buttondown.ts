import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { filledColumn, stateByColumns, statusWordColumn } from './lib/state-columns.ts';
import { BOUNCED, COMPLAINED, PENDING, SUBSCRIBED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const TYPES = ['type', 'subscriber_type'];
const OPT_OUT_DATE = 'unsubscription_date';
// The subscriber types of Buttondown's API. Types for people who stopped paying are not listed, so svc asks: the end of
// a paid plan says nothing about the newsletter.
const WORDS = statusWords(
  [SUBSCRIBED, 'regular', 'premium', 'gifted', 'trialed', 'churning', 'past_due'],
  [UNSUBSCRIBED, 'unsubscribed', 'removed', 'blocked'],
  [PENDING, 'unactivated'],
  [BOUNCED, 'undeliverable'],
  [COMPLAINED, 'complained'],
  [skipFor('invalid'), 'malformed', 'spammy'],
);

/**
 * Buttondown subscriber export, by the field names of its API. We have not seen an export, so its headers may differ.
 */
export const buttondown = definePlatform({
  id: 'buttondown',
  title: 'Buttondown',
  roles: {
    email: ['email_address', 'email'],
    unsubscribed_at: [OPT_OUT_DATE],
    state: [...TYPES, 'unsubscription_reason'],
    consent: ['source', 'ip_address', 'referrer_url'],
    internal: ['id', 'secondary_id', 'creation_date', 'avatar_url', 'stripe_customer_id', 'last_open_date'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'secondary_id', OPT_OUT_DATE, 'creation_date', 'referrer_url', 'metadata');
    const hasType = countHeaders(header, ...TYPES) > 0;
    return ownCount >= 3 || (ownCount >= 2 && hasType) ? 85 : /buttondown/i.test(name) ? 50 : 0;
  },
  read(shape) {
    const columns = [...TYPES.map((header) => statusWordColumn(header, WORDS)), filledColumn(OPT_OUT_DATE)];
    return { ...stateByColumns(shape.header, columns), words: WORDS };
  },
});
