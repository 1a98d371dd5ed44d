import { deleteContacts } from './contact-series.ts';
import { findRow, insertRow } from './rows.ts';
import type { Store } from './store.ts';

/** An audience with its counts of contacts. Each write of contacts also updates the counts. */
export interface AudienceRow {
  readonly seq: number;
  readonly organization: number;
  readonly name: string;
  readonly subscribed: number;
  readonly unsubscribed: number;
  readonly total: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** What a write adds to the counts of an audience. A number is negative if there are fewer such contacts then. */
export interface CountChange {
  subscribed: number;
  unsubscribed: number;
  total: number;
}

/** Stores an empty audience. Several audiences may have the same name. */
export function insertAudience(store: Store, organization: number, name: string, now: number): AudienceRow {
  const row = { organization, name, subscribed: 0, unsubscribed: 0, total: 0, created_at: now, updated_at: now };
  return { seq: insertRow<AudienceRow>(store, 'audiences', row), ...row };
}

export function findAudience(store: Store, organization: number, seq: number): AudienceRow | undefined {
  return findRow<AudienceRow>(store, 'audiences', { seq, organization });
}

/** Deletes an audience with its contacts and fields. Suppressions and automations stay. */
export function deleteAudience(store: Store, seq: number): void {
  deleteContacts(store, seq);
  store.run('delete from fields where audience = ?', seq);
  store.run('delete from audiences where seq = ?', seq);
}

/** Adds `change` to the contact counts of an audience. */
export function addToContactCounts(store: Store, seq: number, change: CountChange): void {
  const sql =
    'update audiences set subscribed = subscribed + ?, unsubscribed = unsubscribed + ?, total = total + ? where seq = ?';
  store.run(sql, change.subscribed, change.unsubscribed, change.total, seq);
}

/**
 * The number of contacts in all audiences of an organization. `which` says if all of them count, or only the subscribed
 * ones.
 */
export function countContacts(store: Store, organization: number, which: 'total' | 'subscribed'): number {
  const sql = 'select sum(total) as total, sum(subscribed) as subscribed from audiences where organization = ?';
  return store.get<Record<'total' | 'subscribed', number | null>>(sql, organization)?.[which] ?? 0;
}
