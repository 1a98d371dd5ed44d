import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { PENDING, SUBSCRIBED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const STATUS = 'Email subscriber status';
const WORDS = statusWords(
  [SUBSCRIBED, 'subscribed'],
  [UNSUBSCRIBED, 'unsubscribed'],
  [PENDING, 'pending'],
  [skipFor('no_consent'), 'never subscribed', 'not subscribed'],
);

/** Wix contact export. A person can have several addresses, or only a phone number. */
export const wix = definePlatform({
  id: 'wix',
  title: 'Wix',
  roles: {
    email: ['Email 1'],
    state: [STATUS],
    consent: ['Source'],
    internal: ['SMS subscriber status', 'Created At (UTC+0)', 'Last Activity', 'Last Activity Date (UTC+0)'],
  },
  certainty({ header }) {
    const ownCount = countHeaders(
      header,
      ...['Email 1', 'SMS subscriber status', 'Created At (UTC+0)', 'Last Activity Date (UTC+0)'],
    );
    return (findHeader(header, STATUS) >= 0 && ownCount >= 1) || ownCount >= 3 ? 90 : 0;
  },
  read: ({ header }) => ({ ...stateByWord(header, WORDS, STATUS), isAddressOptional: true }),
});
