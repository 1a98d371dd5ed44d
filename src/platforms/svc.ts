import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

/** The states of a contact in the service. */
const WORDS = statusWords(
  [SUBSCRIBED, 'subscribed'],
  [UNSUBSCRIBED, 'unsubscribed'],
  [PENDING, 'pending'],
  [BOUNCED, 'bounced'],
);

/** The CSV of `svc contacts export`. Ids and times are not sent, because the service gives each new contact its own. */
export const svc = definePlatform({
  id: 'svc',
  title: 'svc contacts export',
  roles: { state: ['status'], unsubscribed_at: ['unsubscribed_at'], internal: ['id', 'created_at', 'updated_at'] },
  certainty: ({ header }) => (countHeaders(header, ...OWN_HEADERS) === OWN_HEADERS.length ? 90 : 0),
  read: ({ header }) => stateByWord(header, WORDS, 'status'),
});

const OWN_HEADERS = 'email first_name last_name status unsubscribed_at created_at updated_at id'.split(' ');
