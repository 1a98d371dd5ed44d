import type { TableReading, TableShape, Vendor } from '../import/types.ts';
import { assignColumns, consentColumns, type Roles } from './columns.ts';
import { countHeaders, findHeader } from './headers.ts';
import { BOUNCED, byWord, COMPLAINED, fromColumn, PENDING, SUBSCRIBED, UNSUBSCRIBED, words } from './words.ts';

const ROLES: Roles = {
  email: ['Subscriber', 'Email'],
  first_name: ['Name'],
  unsubscribed_at: ['Unsubscribed', 'unsubscribed_at', 'Unsubscribed at'],
  state: ['Status'],
  consent: ['Subscribed', 'Opt-in time', 'Opt-in IP', 'Signup IP', 'Signup timestamp'],
};

const WORDS = words(
  [SUBSCRIBED, 'active'],
  [UNSUBSCRIBED, 'unsubscribed'],
  [PENDING, 'unconfirmed'],
  [BOUNCED, 'bounced'],
  [COMPLAINED, 'junk', 'spam'],
);

/** MailerLite subscriber export; `Subscribed` is a date there, not a state (vendors.md, "MailerLite"). */
export const mailerlite: Vendor = { id: 'mailerlite', title: 'MailerLite', recognise, read };

function recognise({ header, name }: TableShape): number {
  if (findHeader(header, 'Subscriber') >= 0 && countHeaders(header, 'Subscribed', 'Groups') > 0) {
    return 85;
  }
  return /mailerlite/i.test(name) ? 50 : 0;
}

function read(shape: TableShape): TableReading {
  const at = findHeader(shape.header, 'Status');
  return {
    ...byWord(at, WORDS),
    columns: assignColumns(shape, ROLES),
    consentColumns: consentColumns(shape, ROLES),
    stateFrom: fromColumn(shape.header, at),
  };
}
