import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, PENDING, SUBSCRIBED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const WORDS = statusWords(
  [SUBSCRIBED, 'active'],
  [UNSUBSCRIBED, 'unsubscribed'],
  [BOUNCED, 'bounced'],
  [PENDING, 'unconfirmed'],
  [skipFor('deleted'), 'deleted'],
);

/** Campaign Monitor subscriber export, by the field names of its API. */
export const campaignMonitor = definePlatform({
  id: 'campaign-monitor',
  title: 'Campaign Monitor',
  roles: {
    email: ['Email Address'],
    name: ['Name'],
    state: ['State'],
    internal: ['Date', 'ReadsEmailWith'],
    consent: ['ConsentToTrack'],
  },
  certainty({ header, name }) {
    const ownCount = header.includes('EmailAddress') ? countHeaders(header, 'State', 'Date') : 0;
    return ownCount === 2 ? 75 : /campaign[-_ ]?monitor/i.test(name) ? 50 : 0;
  },
  read: ({ header }) => stateByWord(header, WORDS, 'State'),
});
