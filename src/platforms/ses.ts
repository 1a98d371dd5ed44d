import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, COMPLAINED, statusWords } from './lib/status-words.ts';

const WORDS = statusWords([BOUNCED, 'BOUNCE'], [COMPLAINED, 'COMPLAINT']);

/** Amazon SES suppression list, saved as CSV. */
export const ses = definePlatform({
  id: 'ses',
  title: 'Amazon SES',
  roles: { email: ['EmailAddress'], unsubscribed_at: ['LastUpdateTime'], state: ['Reason'] },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'EmailAddress', 'Reason', 'LastUpdateTime');
    return ownCount === 3 ? 95 : /^ses[-_]/i.test(name) ? 40 : 0;
  },
  read: ({ header }) => stateByWord(header, WORDS, 'Reason'),
});
