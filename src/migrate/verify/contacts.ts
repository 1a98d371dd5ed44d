import { findContact, listContacts } from '../../api/resources/contacts.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { transaction } from '../../base/os/sqlite.ts';
import { looseKey, withoutEdges } from '../../import/record/address.ts';
import type { ContactItem } from '../../import/types.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { otherSpelling } from '../../wire/person-key.ts';
import type { BatchContact, Contact } from '../../wire/shapes.ts';
import { ALREADY_THERE } from '../write/send-result.ts';
import type { WriteContext } from '../write-context.ts';

/**
 * Looks up the contact of an address of the list. Undefined if there is none. A service that trims more than svc may
 * know the person only by the trimmed address, and the audience may hold the other spelling of the domain. So svc asks
 * for these next (F8).
 */
export async function lookUp(
  { client, signal }: Pick<WriteContext, 'client' | 'signal'>,
  audienceId: string,
  { email, topics: sent }: Pick<BatchContact, 'email' | 'topics'>,
): Promise<Contact | undefined> {
  // Only a contact that is asked for its topics shows them.
  const query = { audienceId, topics: sent !== undefined, signal };
  for (const idOrEmail of new Set([email, withoutEdges(email), otherSpelling(email) ?? email])) {
    const found = await findContact(client, { ...query, idOrEmail });
    if (found) {
      return found;
    }
  }
  return undefined;
}

/** The rows that the service refused individually and for good. They are rightly missing from the audience. */
export function refusedRows(journal: Journal): ReadonlySet<string> {
  return new Set([...journal.requests.failures()].filter(({ code }) => code !== ALREADY_THERE).map(rowKey));
}

/** People of the list who are not in the audience. */
export interface Missing {
  readonly total: number;
  readonly examples: readonly string[];
}

const EXAMPLES = 5;

/**
 * Reads the whole audience and names the people of the list who are not in it. It is slow (100 a request), so it runs
 * only if a count is too low. The addresses are in a temporary table, so memory does not grow.
 */
export async function findMissing(
  context: WriteContext,
  audienceId: string,
  contacts: () => AsyncIterable<ContactItem>,
): Promise<Missing> {
  const { db } = context.journal;
  context.emit({
    type: 'note',
    message: 'The audience grew by less than was created: reading it whole to find out why.',
  });
  db.exec('CREATE TEMP TABLE IF NOT EXISTS present (email TEXT PRIMARY KEY) WITHOUT ROWID; DELETE FROM present');
  const insert = db.prepare('INSERT OR IGNORE INTO present VALUES (?)');
  for await (const page of listContacts(context.client, audienceId, context)) {
    transaction(db, () => {
      for (const contact of page) {
        insert.run(looseKey(contact.email));
      }
    });
  }
  return compare(context, contacts());
}

async function compare(context: WriteContext, contacts: AsyncIterable<ContactItem>): Promise<Missing> {
  const has = context.journal.db.prepare('SELECT 1 FROM present WHERE email = ?');
  const refused = refusedRows(context.journal);
  const examples: string[] = [];
  let total = 0;
  for await (const item of contacts) {
    if (!refused.has(rowKey(item)) && has.get(looseKey(item.contact.email)) === undefined) {
      total += 1;
      if (examples.length < EXAMPLES) {
        examples.push(item.contact.email);
      }
    }
  }
  return { total, examples };
}
