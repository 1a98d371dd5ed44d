import type { Audience, Contact, Suppression } from '../../wire/shapes.ts';
import { timeCell } from '../table/cell.ts';
import { table } from '../table/table.ts';
import { objectText } from '../text/object.ts';
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

/** `svc contacts get`: who it is and what may be sent to them first, then everything else that the service said. */
export function contactText(contact: Contact, style: Style): string {
  const { email, status, unsubscribed_at, id, ...rest } = contact;
  return objectText({ email, status, unsubscribed_at, id, ...rest }, style);
}

/** `svc audiences ls`: list items hold no counts, so there are none. */
export function audiencesTable(audiences: readonly Audience[], now: number, style: Style): string {
  return table(
    [{ title: 'id', whole: true }, { title: 'name' }, { title: 'created' }, { title: 'updated', drops: 1 }],
    audiences.map((audience) => [
      audience.id,
      audience.name,
      timeCell(audience.created_at, now),
      timeCell(audience.updated_at, now),
    ]),
    style,
  );
}

/** `svc suppressions ls`: the service document shows the id only, so the other cells may be empty. */
export function suppressionsTable(suppressions: readonly Suppression[], style: Style): string {
  return table(
    [{ title: 'id', whole: true }, { title: 'email' }, { title: 'reason' }],
    suppressions.map(({ id, email, reason }) => [id, email, reason]),
    style,
  );
}
