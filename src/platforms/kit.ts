import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { TableShape } from './lib/platform.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, bareWord, COMPLAINED, PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const WORDS = statusWords(
  [SUBSCRIBED, 'active', 'cold'],
  [PENDING, 'inactive'],
  [UNSUBSCRIBED, 'cancelled'],
  [BOUNCED, 'bounced'],
  [COMPLAINED, 'complained'],
);

/** Kit subscriber export. Two forms of its header are known. */
export const kit = definePlatform({
  id: 'kit',
  title: 'Kit',
  roles: { state: ['status', 'state'], internal: ['created_at', 'id', 'subscriber_id'] },
  certainty({ header, name, sample }) {
    if (countHeaders(header, 'first_name', 'email_address', 'state', 'created_at') === 4) {
      return 80;
    }
    if (/^(kit|convertkit)[-_ .]/i.test(name)) {
      return 75;
    }
    const hasSharedHeaders = countHeaders(header, 'first_name', 'email', 'status', 'created_at') === 4;
    const bare = header.map((text) => text.trim().toLowerCase()).join(',');
    return bare.startsWith('first_name,email,created_at,status')
      ? 70
      : hasSharedHeaders && hasOwnWord({ header, sample })
        ? 65
        : 0;
  },
  read: ({ header }) => stateByWord(header, WORDS, 'state', 'status'),
});

const OWN_WORDS = new Set(['cancelled', 'complained', 'cold']);

// True if the status column has a word that only Kit writes, such as `cold`. Drip's exports have the same headers, but
// not these words.
function hasOwnWord({ header, sample }: Pick<TableShape, 'header' | 'sample'>): boolean {
  const index = findHeader(header, 'status');
  return sample.some((cells) => OWN_WORDS.has(bareWord(cells[index] ?? '')));
}
