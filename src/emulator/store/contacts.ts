import type { SQLInputValue } from 'node:sqlite';
import { addToContactCounts, type CountChange, findAudience } from './audiences.ts';
import { findRow } from './rows.ts';
import type { Store } from './store.ts';

/** A contact of one audience. The same address in a second audience is a separate contact. */
export interface ContactRow {
  readonly seq: number;
  readonly audience: number;
  readonly email: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly status: string;
  readonly unsubscribed_at: number | null;
  /** `attributes` and `topics` are JSON objects. */
  readonly attributes: string;
  readonly topics: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A contact before it is stored. */
export type NewContact = Omit<ContactRow, 'seq'>;

/**
 * Stores contacts of one audience. Their row numbers are in the given order. The caller must open the transaction,
 * check that the addresses are new, and update counts and custom fields.
 */
export function insertContacts(store: Store, contacts: readonly NewContact[]): void {
  const [first] = contacts;
  if (first === undefined) {
    return;
  }
  let last = 0;
  for (let from = 0; from < contacts.length; from += ROWS_PER_INSERT) {
    last = insertGroup(store, contacts.slice(from, from + ROWS_PER_INSERT));
  }
  const addresses = contacts.map(({ email }) => email);
  store.addresses.addRows(addresses, { audience: first.audience, last });
}

// Stores up to `ROWS_PER_INSERT` contacts, and returns the row number of the last one. Each bound value takes time.
// Most contacts of a batch share more than half of their values, so shared values are bound only once.
function insertGroup(store: Store, group: readonly NewContact[]): number {
  const [first] = group;
  if (first === undefined || group.length < ROWS_PER_INSERT) {
    return group.reduce((_, contact) => store.run(INSERT, ...sharedValues(contact), ...ownValues(contact)).id, 0);
  }
  if (group.every((contact) => isAlike(contact, first))) {
    const values = sharedValues(first);
    for (const { email, first_name, last_name, attributes } of group) {
      values.push(email, first_name, last_name, attributes);
    }
    return store.run(INSERT_ALIKE, ...values).id;
  }
  return store.run(INSERT_MANY, ...group.flatMap((contact) => [...sharedValues(contact), ...ownValues(contact)])).id;
}

function isAlike(one: NewContact, other: NewContact): boolean {
  return (
    one.audience === other.audience &&
    one.status === other.status &&
    one.unsubscribed_at === other.unsubscribed_at &&
    one.topics === other.topics &&
    one.created_at === other.created_at &&
    one.updated_at === other.updated_at
  );
}

function sharedValues(contact: NewContact): SQLInputValue[] {
  const { audience, status, unsubscribed_at, topics, created_at, updated_at } = contact;
  return [audience, status, unsubscribed_at, topics, created_at, updated_at];
}

function ownValues({ email, first_name, last_name, attributes }: NewContact): SQLInputValue[] {
  return [email, first_name, last_name, attributes];
}

/** Writes all fields of a contact that can change. */
export function updateContact(store: Store, contact: ContactRow): void {
  const { seq, first_name, last_name, status, unsubscribed_at, attributes, topics, updated_at } = contact;
  store.run(UPDATE, first_name, last_name, status, unsubscribed_at, attributes, topics, updated_at, seq);
}

/** Sets the status of a contact, and updates the counts. For `unsubscribed`, `now` is stored as the opt-out time. */
export function setContactStatus(store: Store, contact: ContactRow, status: string, now: number): void {
  updateContact(store, {
    ...contact,
    status,
    unsubscribed_at: status === 'unsubscribed' ? now : null,
    updated_at: now,
  });
  addToContactCounts(store, contact.audience, contactCountChange(contact.status, status));
}

/**
 * The contacts of an audience that have one of these canonical addresses, by address. Makes one query for a whole
 * batch.
 */
export function findContacts(store: Store, audience: number, emails: readonly string[]): Map<string, ContactRow> {
  const rows = findAnywhere(store, emails).filter((row) => row.audience === audience);
  return new Map(rows.map((row) => [row.email, row]));
}

/** The contacts with one of these addresses, in any audience of any organization. */
function findAnywhere(store: Store, emails: readonly string[]): ContactRow[] {
  const seqs = store.addresses.candidates(emails);
  if (seqs.length === 0) {
    return [];
  }
  // The index compares only tags, so some of the contacts that it finds have a different address.
  const wanted = new Set(emails);
  return store.all<ContactRow>(FIND_MANY, JSON.stringify(seqs)).filter((row) => wanted.has(row.email));
}

/** The contact of the audience with this canonical address. */
export function findContactByEmail(store: Store, audience: number, email: string): ContactRow | undefined {
  return findContacts(store, audience, [email]).get(email);
}

export function findContactBySeq(store: Store, audience: number, seq: number): ContactRow | undefined {
  return findRow<ContactRow>(store, 'contacts', { seq, audience });
}

/** True if an audience of the organization besides `audience` has a contact with the address. */
export function isInOtherAudience(
  store: Store,
  { organization, audience }: { readonly organization: number; readonly audience: number },
  email: string,
): boolean {
  return findEverywhere(store, organization, email).some((row) => row.audience !== audience);
}

/** The contacts with this address in all audiences of an organization. */
export function findEverywhere(store: Store, organization: number, email: string): ContactRow[] {
  return findAnywhere(store, [email]).filter((row) => findAudience(store, organization, row.audience) !== undefined);
}

/** Deletes a contact, and updates the counts. Returns false if no contact has this address. */
export function deleteContact(store: Store, audience: number, email: string): boolean {
  const contact = findContactByEmail(store, audience, email);
  if (contact === undefined) {
    return false;
  }
  store.run('delete from contacts where seq = ?', contact.seq);
  addToContactCounts(store, audience, contactCountChange(contact.status, undefined));
  return true;
}

/**
 * What a change of status adds to the counts of an audience. `from` is undefined if there was no contact before. `to`
 * is undefined if there is no contact any more.
 */
export function contactCountChange(from: string | undefined, to: string | undefined): CountChange {
  const step = (status: string) => Number(to === status) - Number(from === status);
  const total = Number(to !== undefined) - Number(from !== undefined);
  return { subscribed: step('subscribed'), unsubscribed: step('unsubscribed'), total };
}

/** Creates a custom field for each attribute key that the audience doesn't have yet. */
export function registerFields(
  store: Store,
  audience: number,
  { keys, now }: { readonly keys: Iterable<string>; readonly now: number },
): void {
  for (const key of keys) {
    store.run('insert or ignore into fields (audience, key, created_at) values (?, ?, ?)', audience, key, now);
  }
}

/** The keys of the audience's custom fields, sorted. */
export function listFields(store: Store, audience: number): string[] {
  const rows = store.all<{ key: string }>('select key from fields where audience = ? order by key', audience);
  return rows.map((row) => row.key);
}

const ROWS_PER_INSERT = 100;
const COLUMNS =
  'audience, status, unsubscribed_at, topics, created_at, updated_at, email, first_name, last_name, attributes';
const VALUES = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const INSERT = `insert into contacts (${COLUMNS}) values ${VALUES}`;
const INSERT_MANY = INSERT + `, ${VALUES}`.repeat(ROWS_PER_INSERT - 1);

const OWN_VALUES = `(?, ?, ?, ?)${', (?, ?, ?, ?)'.repeat(ROWS_PER_INSERT - 1)}`;
// Joins the one row of shared values with each row of own values.
const INSERT_ALIKE = `insert into contacts (${COLUMNS})
  select * from (values (?, ?, ?, ?, ?, ?)) cross join (values ${OWN_VALUES})`;

const UPDATE = `update contacts set first_name = ?, last_name = ?, status = ?, unsubscribed_at = ?, attributes = ?, topics = ?, updated_at = ?
  where seq = ?`;

// Selects the contacts with these row numbers. With `cross join`, SQLite looks up each number. Without it, SQLite would
// read all contacts.
const FIND_MANY = `select contacts.* from json_each(?) as wanted cross join contacts on contacts.seq = wanted.value`;
