import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../base/os/sqlite.ts';
import { createMeta } from '../runs/store/run-header.ts';
import { looseKey } from '../wire/person-key.ts';
import type { Contact } from '../wire/shapes.ts';

/** How far svc has read an audience. Stored together with the contacts of each page. */
export interface ReadingState {
  /** The number of this reading, from 1. Each reading begins at the first page. */
  readonly pass: number;
  /** The cursor of the next page. Undefined before the first page. */
  readonly after?: string | undefined;
  /** True once the last page of this reading is stored. */
  readonly lastPageStored?: boolean | undefined;
  /** The number of contacts that the service gave when this reading began. */
  readonly expectedCount: number;
  /** When the newest page was read, in milliseconds of the wall clock. */
  readonly at: number;
  /** The names of fields that at least one contact has so far. The service may leave out fields that are empty. */
  readonly shownFields: readonly string[];
  /**
   * False if the service counted more contacts of the audience than it listed. Undefined until the last reading ended.
   */
  readonly complete?: boolean | undefined;
}

/** A contact that svc read, with its number in the store, from 1. */
export interface StoredContact {
  readonly id: number;
  readonly contact: Contact;
}

/**
 * The contacts of an audience that svc has read. They are on disk, so that memory does not grow, and so that an
 * interrupted reading can continue.
 */
export interface AudienceStore {
  /** How far svc has read. Undefined if it has read nothing. */
  readonly state: ReadingState | undefined;
  save(state: ReadingState): void;
  /** Stores a page, and the state after it, in one transaction. Replaces a contact that was read before (V2). */
  addPage(contacts: readonly Contact[], state: ReadingState): void;
  /** The number of stored contacts. A contact that the service listed twice counts once. */
  size(): number;
  has(contact: Pick<Contact, 'id'>): boolean;
  /** True if each stored contact is subscribed. */
  isAllSubscribed(): boolean;
  /** Makes the database index that `findLookAlikes` needs. Called once, after the last page. */
  createIndex(): void;
  /** Finds the contacts whose address the service may take for this one (F8). Some may belong to other people. */
  findLookAlikes(email: string): StoredContact[];
  /** Contacts with a number above `id`, in the order in which svc read them. */
  contactsAfter(id: number, maxContacts: number): StoredContact[];
  clear(): void;
}

// `who` is the id of the contact at the service. It must be unique, because the service lists a contact twice if pages
// shift during the reading.
const TABLES = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS there (
    id INTEGER PRIMARY KEY, who TEXT NOT NULL UNIQUE, key TEXT NOT NULL, contact TEXT NOT NULL
  ) STRICT;
`;

const STATE = 'state';

/** Opens the stored contacts, and creates missing tables. */
export function openAudienceStore(db: DatabaseSync): AudienceStore {
  transaction(db, () => db.exec(TABLES));
  const meta = createMeta(db, 'audience.');
  const insert = db.prepare(
    `INSERT INTO there (who, key, contact) VALUES (?, ?, ?)
     ON CONFLICT (who) DO UPDATE SET key = excluded.key, contact = excluded.contact`,
  );
  const byKey = db.prepare('SELECT id, contact FROM there WHERE key = ?');
  const next = db.prepare('SELECT id, contact FROM there WHERE id > ? ORDER BY id LIMIT ?');
  const save = (state: ReadingState) => meta.write({ [STATE]: state });
  return {
    get state() {
      return meta.read(STATE) as ReadingState | undefined;
    },
    save,
    addPage: (contacts, state) =>
      transaction(db, () => {
        contacts.forEach((contact) =>
          insert.run(contact.id, looseKey(contact.email), JSON.stringify(comparedFieldsOf(contact))),
        );
        save(state);
      }),
    size: () => Number(db.prepare('SELECT count(*) AS n FROM there').get()?.n),
    has: ({ id }) => db.prepare('SELECT 1 FROM there WHERE who = ?').get(id) !== undefined,
    isAllSubscribed: () =>
      db.prepare("SELECT 1 FROM there WHERE contact ->> 'status' IS NOT 'subscribed' LIMIT 1").get() === undefined,
    createIndex: () => transaction(db, () => db.exec('CREATE INDEX IF NOT EXISTS there_by_key ON there (key)')),
    findLookAlikes: (email) => byKey.all(looseKey(email)).map(readStored),
    contactsAfter: (id, maxContacts) => next.all(id, maxContacts).map(readStored),
    clear: () => transaction(db, () => db.exec('DELETE FROM there; DELETE FROM meta')),
  };
}

/** The fields of a contact that svc compares. Other fields are not stored. */
export const COMPARED_FIELDS = [
  'email',
  'first_name',
  'last_name',
  'status',
  'unsubscribed_at',
  'attributes',
  'topics',
] as const satisfies readonly (keyof Contact)[];

function comparedFieldsOf(contact: Contact): Partial<Contact> {
  return Object.fromEntries(COMPARED_FIELDS.flatMap((field) => (field in contact ? [[field, contact[field]]] : [])));
}

function readStored({ id, contact }: Readonly<Record<string, unknown>>): StoredContact {
  // The cast is safe, because only this store writes the column.
  return { id: Number(id), contact: JSON.parse(String(contact)) as Contact };
}
