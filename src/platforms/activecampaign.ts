import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const WORDS = statusWords(
  [SUBSCRIBED, 'active', '1'],
  [UNSUBSCRIBED, 'unsubscribed', '2'],
  [BOUNCED, 'bounced', '3'],
  [PENDING, 'unconfirmed', '0'],
);

/** ActiveCampaign contact export. Its status is a word or a code. */
export const activecampaign = definePlatform({
  id: 'activecampaign',
  title: 'ActiveCampaign',
  roles: { state: ['Status'], consent: ['IP'], internal: ['Date Created', 'Contact ID', 'ID'] },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'Email', 'Date Created', 'IP', 'Tags', 'Status');
    return ownCount === 5 ? 80 : /activecampaign/i.test(name) ? 50 : 0;
  },
  read: ({ header }) => stateByWord(header, WORDS, 'Status'),
});
