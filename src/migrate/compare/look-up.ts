import { findContact, listContacts } from '../../api/resources/contacts.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { transaction } from '../../base/os/sqlite.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { RecordedFailure } from '../../runs/store/recorded-request.ts';
import { ALREADY_EXISTS_CODE } from '../../sending/record-and-send.ts';
import { looseKey, otherSpellings, withoutEdgeBlanks } from '../../wire/person-key.ts';
import type { BatchContact, Contact } from '../../wire/shapes.ts';

type Reader = Pick<WriteContext, 'client' | 'signal'>;
type Lookup = Pick<BatchContact, 'email' | 'topics'>;

/** Looks up the contact of a person. If the person has several contacts, returns the first of `lookUpAllContacts`. */
export async function lookUpContact(
  context: Reader,
  audienceId: string,
  contact: Lookup,
): Promise<Contact | undefined> {
  const { value } = await contactsOf(context, audienceId, contact).next();
  return value;
}

/** Looks up all contacts of a person. The audience may have one for each spelling of the address (F8). */
export function lookUpAllContacts(context: Reader, audienceId: string, contact: Lookup): Promise<Contact[]> {
  return Array.fromAsync(contactsOf(context, audienceId, contact));
}

/**
 * Looks up the address as it is, then without blanks and invisible characters at its edges, then its other spellings
 * (F8). The second form finds the person if the service trims more characters than svc.
 */
async function* contactsOf(
  { client, signal }: Reader,
  audienceId: string,
  { email, topics: sent }: Lookup,
): AsyncGenerator<Contact, undefined> {
  // The service shows topics only if the request asks for them.
  const query = { audienceId, includeTopics: sent !== undefined, signal };
  const found = new Set<string>();
  for (const idOrEmail of new Set([email, withoutEdgeBlanks(email), ...otherSpellings(email)])) {
    const contact = await findContact(client, { ...query, idOrEmail });
    if (contact && !found.has(contact.email)) {
      found.add(contact.email);
      yield contact;
    }
  }
}

/** The rows that the service refused and that are not sent again. Their people may be missing in the audience. */
function finalRefusals({ requests }: Journal): RecordedFailure[] {
  return withoutSentAgain(requests.failures());
}

/**
 * The rows whose outcome is a refusal, by row key. Leaves out rows whose person was enrolled, or may have been. Also
 * leaves out rows that are sent again because the contact existed.
 */
export function refusalOutcomes({ requests }: Journal): ReadonlyMap<string, RecordedFailure> {
  return new Map(withoutSentAgain(requests.refusedRows()).map((failure) => [rowKey(failure), failure]));
}

function withoutSentAgain(failures: Iterable<RecordedFailure>): RecordedFailure[] {
  return [...failures].filter(({ code }) => code !== ALREADY_EXISTS_CODE);
}

/** The keys of the rows that the service refused for good. */
export function refusedRows(journal: Journal): ReadonlySet<string> {
  return new Set(finalRefusals(journal).map(rowKey));
}

/**
 * The keys of the rows that the service refused in one contact request and its halves. The request matters, because a
 * row can be both in the canary and in a later batch.
 */
export function refusedRowsOf(journal: Journal, request: string): ReadonlySet<string> {
  const isMeant = ({ kind, requestName }: RecordedFailure) =>
    kind === 'contacts' && (requestName === request || requestName.startsWith(`${request}.`));
  return new Set(finalRefusals(journal).filter(isMeant).map(rowKey));
}

/** People of the list who are not in the audience. `examples` are addresses. */
interface MissingContacts {
  readonly total: number;
  readonly examples: readonly string[];
}

const MAX_EXAMPLES = 5;

/**
 * Reads the whole audience, and finds the people of the list who are not in it. Called only if a count is too low,
 * because one request reads only 100 contacts. The addresses go into a temporary table, so that memory does not grow.
 * A service may leave people out of its lists, so svc looks up those whom no page shows.
 */
export async function findMissing(
  context: WriteContext,
  audienceId: string,
  readContacts: () => AsyncIterable<ContactItem>,
): Promise<MissingContacts> {
  const { db } = context.journal;
  context.emit({
    type: 'note',
    message: 'The audience grew by fewer contacts than were created. Reading all of it to find out why.',
  });
  db.exec('CREATE TEMP TABLE IF NOT EXISTS present (email TEXT PRIMARY KEY) WITHOUT ROWID; DELETE FROM present');
  await storeAddresses(context, audienceId, { table: 'present', addressOf: ({ email }) => looseKey(email) });
  return countMissing(context, audienceId, readContacts());
}

interface AddressTable {
  readonly table: string;
  readonly addressOf: (contact: Contact) => string;
}

/** Reads the whole audience, and writes its addresses to a table of run.db, so that memory does not grow. */
export async function storeAddresses(
  context: WriteContext,
  audienceId: string,
  { table, addressOf }: AddressTable,
): Promise<void> {
  const { db } = context.journal;
  const insert = db.prepare(`INSERT OR IGNORE INTO ${table} VALUES (?)`);
  for await (const page of listContacts(context.client, audienceId, context)) {
    transaction(db, () => page.forEach((contact) => insert.run(addressOf(contact))));
  }
}

async function countMissing(
  context: WriteContext,
  audienceId: string,
  contacts: AsyncIterable<ContactItem>,
): Promise<MissingContacts> {
  const has = context.journal.db.prepare('SELECT 1 FROM present WHERE email = ?');
  const refused = refusedRows(context.journal);
  const examples: string[] = [];
  let total = 0;
  let isAnyHidden = false;
  const isThere = async ({ contact }: ContactItem) => {
    // The lists of the service may leave people out, so svc looks up each person whom they do not show. If the first
    // five such people are really missing, svc trusts the lists about the others too.
    const isCertain = !isAnyHidden && examples.length === MAX_EXAMPLES;
    const found = isCertain ? undefined : await lookUpContact(context, audienceId, contact);
    isAnyHidden ||= found !== undefined;
    return found !== undefined;
  };
  for await (const item of contacts) {
    const isListed = refused.has(rowKey(item)) || has.get(looseKey(item.contact.email)) !== undefined;
    if (!isListed && !(await isThere(item))) {
      total += 1;
      if (examples.length < MAX_EXAMPLES) {
        examples.push(item.contact.email);
      }
    }
  }
  return { total, examples };
}
