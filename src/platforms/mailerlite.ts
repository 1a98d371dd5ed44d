import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { stateByDate, stateByWord } from './lib/state-columns.ts';
import { BOUNCED, COMPLAINED, PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const DATES = ['Unsubscribed', 'unsubscribed_at', 'Unsubscribed at'];
const WORDS = statusWords(
  [SUBSCRIBED, 'active'],
  [UNSUBSCRIBED, 'unsubscribed'],
  [PENDING, 'unconfirmed'],
  [BOUNCED, 'bounced'],
  [COMPLAINED, 'junk', 'spam'],
);

/** MailerLite subscriber export. Its column `Subscribed` is a date, not a state. */
export const mailerlite = definePlatform({
  id: 'mailerlite',
  title: 'MailerLite',
  roles: {
    email: ['Subscriber', 'Email'],
    first_name: ['Name'],
    unsubscribed_at: DATES,
    state: ['Status'],
    consent: ['Subscribed', 'Opt-in time', 'Opt-in IP', 'Signup IP', 'Signup timestamp'],
  },
  certainty({ header, name }) {
    if (findHeader(header, 'Subscriber') >= 0 && countHeaders(header, 'Subscribed', 'Groups') > 0) {
      return 85;
    }
    return /mailerlite/i.test(name) ? 50 : 0;
  },
  read(shape) {
    const { header } = shape;
    return {
      ...stateByWord(header, WORDS, 'Status'),
      ...(findHeader(header, 'Status') < 0 && stateByDate(header, ...DATES)),
    };
  },
});
