import { findContact } from '../../api/resources/contacts.ts';
import { withoutEdges } from '../../import/record/address.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { Work } from '../work.ts';

/**
 * The contact of an address of the list, undefined where there is none. A service that trims more than we do may know the
 * person by the trimmed address alone, so that is asked for next (rule F8).
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

/** The rows that the service refused on their own, and which are therefore rightly not in the audience. */
export function refusedRows(journal: Journal): ReadonlySet<string> {
  return new Set([...journal.units.failures()].map(rowKey));
}

/** Names a row of the inputs. */
export function rowKey(row: { readonly source: number; readonly line: number }): string {
  return `${row.source}:${row.line}`;
}
