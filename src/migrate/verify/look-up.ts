import { findContact } from '../../api/resources/contacts.ts';
import { withoutEdges } from '../../import/record/address.ts';
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
