import type { Contact } from '../../wire/shapes.ts';
import { table } from '../table/table.ts';
import type { Style, Tone } from '../text/style.ts';

const TONES: ReadonlyMap<string, Tone> = new Map([
  ['subscribed', 'green'],
  ['unsubscribed', 'yellow'],
  ['pending', 'dim'],
  ['bounced', 'red'],
]);

/** `svc contacts ls`: who is in the audience and whether they may be mailed. */
export function contactsTable(contacts: readonly Contact[], style: Style): string {
  return table(
    [
      { title: 'id', whole: true },
      { title: 'email' },
      { title: 'status' },
      { title: 'first name' },
      { title: 'last name' },
    ],
    contacts.map(({ id, email, status, first_name, last_name }) => [
      id,
      email,
      { text: status ?? '', tone: TONES.get(status) },
      first_name,
      last_name,
    ]),
    style,
  );
}
