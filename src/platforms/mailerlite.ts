import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByDate, stateByWord } from './lib/state-columns.ts';
import { BOUNCED, COMPLAINED, PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const DATES = ['Unsubscribed', 'unsubscribed_at', 'Unsubscribed at'];
const ROLES: ColumnRoles = {
  email: ['Subscriber', 'Email'],
  first_name: ['Name'],
  unsubscribed_at: DATES,
  state: ['Status'],
  consent: ['Subscribed', 'Opt-in time', 'Opt-in IP', 'Signup IP', 'Signup timestamp'],
};

const WORDS = statusWords(
  [SUBSCRIBED, 'active'],
  [UNSUBSCRIBED, 'unsubscribed'],
  [PENDING, 'unconfirmed'],
  [BOUNCED, 'bounced'],
  [COMPLAINED, 'junk', 'spam'],
);

/** MailerLite subscriber export. Its column `Subscribed` is a date, not a state. */
export const mailerlite: Platform = { id: 'mailerlite', title: 'MailerLite', certainty, read };

function certainty({ header, name }: TableShape): number {
  if (findHeader(header, 'Subscriber') >= 0 && countHeaders(header, 'Subscribed', 'Groups') > 0) {
    return 85;
  }
  return /mailerlite/i.test(name) ? 50 : 0;
}

function read(shape: TableShape): TableReading {
  const { header } = shape;
  return {
    ...assignColumns(shape, ROLES),
    ...stateByWord(header, WORDS, 'Status'),
    ...(findHeader(header, 'Status') < 0 && stateByDate(header, ...DATES)),
  };
}
