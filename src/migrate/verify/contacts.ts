import { findContact } from '../../api/resources/contacts.ts';
import { withoutEdges } from '../../import/record/address.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { Work } from '../work.ts';
import { ALREADY_THERE } from '../write/send-recorded.ts';

/**
 * Looks up the contact of an address of the list. Undefined if there is none. A service that trims more than svc may
 * know the person only by the trimmed address, so svc asks for that next (F8).
 */
export async function lookUp(
  { client, signal }: Pick<Work, 'client' | 'signal'>,
  audienceId: string,
  email: string,
): Promise<Contact | undefined> {
  const bare = withoutEdges(email);
  const found = await findContact(client, { audienceId, idOrEmail: email, signal });
  return found === undefined && bare !== email ? findContact(client, { audienceId, idOrEmail: bare, signal }) : found;
}

/** The rows that the service refused individually and for good. They are rightly missing from the audience. */
export function refusedRows(journal: Journal): ReadonlySet<string> {
  return new Set([...journal.units.failures()].filter(({ code }) => code !== ALREADY_THERE).map(rowKey));
}

/** The identity of a row of the inputs, as text. */
export function rowKey(row: { readonly source: number; readonly line: number }): string {
  return `${row.source}:${row.line}`;
}
