import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, COMPLAINED, PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const WORDS = statusWords(
  [SUBSCRIBED, 'C', 'confirmed'],
  [PENDING, 'S', 'not confirmed'],
  [UNSUBSCRIBED, 'U', 'unsubscribed'],
  [BOUNCED, 'B', 'bounced'],
  [COMPLAINED, 'P', 'complained'],
);
const LIST = /^\s*list_\d+\s*$/i;

/** Subscribers of the WordPress plugin Newsletter. A 0 in `list_2` is no opt-out. It only means: not on that list. */
export const newsletterPlugin = definePlatform({
  id: 'newsletter-plugin',
  title: 'Newsletter (WordPress plugin)',
  roles: {
    first_name: ['name'],
    last_name: ['surname'],
    state: ['status'],
    consent: ['ip'],
    internal: ['id', 'token', 'created', 'updated'],
  },
  certainty: ({ header }) =>
    countHeaders(header, 'email', 'status', 'surname', 'token') === 4 && header.some((text) => LIST.test(text))
      ? 90
      : 0,
  read: ({ header }) => ({
    ...stateByWord(header, WORDS, 'status'),
    notConsentHeaders: header.filter((text) => LIST.test(text)),
  }),
});
