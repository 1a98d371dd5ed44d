import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, COMPLAINED, PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const WORDS = statusWords(
  [SUBSCRIBED, 'active', 'soft bounced', 'soft bounce'],
  [UNSUBSCRIBED, 'unsubscribed'],
  [BOUNCED, 'bounced'],
  [COMPLAINED, 'marked as spam'],
  [PENDING, 'unconfirmed'],
);

/** Sendy subscriber export. Its `Last activity` is not the date of an opt-out. */
export const sendy = definePlatform({
  id: 'sendy',
  title: 'Sendy',
  roles: {
    name: ['Name'],
    state: ['Status'],
    consent: ['Joined', 'Added via', 'Opt-in method', 'IP address', 'Signed up from', 'GDPR'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'Opt-in method', 'Signed up from', 'GDPR');
    return ownCount >= 2
      ? 90
      : countHeaders(header, 'Joined', 'Last activity', 'Status') === 3
        ? 75
        : /sendy/i.test(name)
          ? 50
          : 0;
  },
  read: ({ header }) => ({
    ...stateByWord(header, WORDS, 'Status'),
    engagement: findHeader(header, 'Last activity') >= 0 ? 'Last activity' : undefined,
  }),
});
