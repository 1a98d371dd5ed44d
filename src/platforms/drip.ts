import { definePlatform } from './lib/columns.ts';
import { stateByWord } from './lib/state-columns.ts';
import { SUBSCRIBED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const WORDS = statusWords(
  [SUBSCRIBED, 'active'],
  [UNSUBSCRIBED, 'unsubscribed', 'removed'],
  [skipFor('inactive'), 'inactive'],
);

/** Drip subscriber export. */
export const drip = definePlatform({
  id: 'drip',
  title: 'Drip',
  roles: { state: ['status'], internal: ['created_at', 'id'] },
  certainty({ header, name }) {
    const bare = header.map((text) => text.trim().toLowerCase()).join(',');
    return bare.startsWith('email,first_name,status,created_at,tags') ? 70 : /^drip[-_ ]/i.test(name) ? 50 : 0;
  },
  read: ({ header }) => stateByWord(header, WORDS, 'status'),
});
