import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { NONE, SUPPRESSED, skipFor, statusWords } from './lib/status-words.ts';

const WORDS = statusWords([NONE, 'enabled'], [skipFor('disabled'), 'disabled'], [SUPPRESSED, 'blocklisted']);

/** listmonk subscriber export. `enabled` gives no state, because a person who left a list stays `enabled`. */
export const listmonk = definePlatform({
  id: 'listmonk',
  title: 'listmonk',
  roles: { name: ['name'], state: ['status'], internal: ['uuid', 'created_at', 'updated_at'] },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'uuid', 'email', 'attributes', 'status');
    return ownCount === 4 ? 90 : ownCount === 3 && name === 'subscribers.csv' ? 60 : 0;
  },
  read: ({ header }) => stateByWord(header, WORDS, 'status'),
});
