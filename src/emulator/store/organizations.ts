import { createHash } from 'node:crypto';
import { findRow } from './rows.ts';
import type { Store } from './store.ts';

/** The row number of the account that each store has from the start. Most admin functions act on this account. */
export const FIRST_ORGANIZATION = 1;

/** The plan of an account. The plan `free` limits the number of subscribers and who may get email. */
export type AccountPlan = 'free' | 'paid';

export const PLANS: readonly AccountPlan[] = ['free', 'paid'];

/** An account: its plan, its members, and the limits on what it may send. */
export interface OrganizationRow {
  readonly seq: number;
  readonly plan: AccountPlan;
  /** The canonical addresses of the members, as a JSON array. */
  readonly members: string;
  /** The domains that the account may send from, as a JSON array. `*` stands for every domain. */
  readonly domains: string;
  readonly sending_disabled: number;
  readonly forbidden: number;
  /** How many emails the account may send in a month. Null means that there is no limit. */
  readonly allowance: number | null;
}

/** The organization with this number. Throws RangeError if there is none. */
export function getOrganization(store: Store, seq: number): OrganizationRow {
  const row = findRow<OrganizationRow>(store, 'organizations', { seq });
  if (row === undefined) {
    throw new RangeError(`no organization ${seq}`);
  }
  return row;
}

/** Adds messages to the number that the organization has sent in the month of `now`. */
export function addSentMessages(
  store: Store,
  organization: number,
  { messages, now }: { readonly messages: number; readonly now: number },
): void {
  const sql = `insert into sent_emails (organization, month, count) values (?, ?, ?)
    on conflict (organization, month) do update set count = count + excluded.count`;
  store.run(sql, organization, monthOf(now), messages);
}

/** How many messages the organization has sent in the month of `now`. */
export function readSent(store: Store, organization: number, now: number): number {
  const sql = 'select count from sent_emails where organization = ? and month = ?';
  return store.get<{ count: number }>(sql, organization, monthOf(now))?.count ?? 0;
}

/** The UTC month of a time, such as `2026-01`. */
function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, -'-01T00:00:00.000Z'.length);
}

/** True if this canonical address is a member of the organization. On the free plan only members get email. */
export function isMember(organization: OrganizationRow, email: string): boolean {
  return parseList(organization.members).includes(email);
}

/** Parses a JSON column with an array of strings. */
export function parseList(text: string): readonly string[] {
  return JSON.parse(text) as string[];
}

/** An API key, and whether its organization may use the API. */
interface KeyRow {
  readonly seq: number;
  readonly organization: number;
  readonly scopes: string;
  readonly revoked: number;
  readonly forbidden: number;
}

/** Stores an API key with its scopes. Only the hash of the key is stored. */
export function insertKey(
  store: Store,
  key: string,
  access: { organization: number; scopes: readonly string[] },
): void {
  const sql = 'insert into keys (organization, hash, scopes) values (?, ?, ?)';
  store.run(sql, access.organization, hashKey(key), access.scopes.join(' '));
}

/** The stored API key, even if it is revoked. Undefined if the store does not have it. */
export function findKey(store: Store, key: string): KeyRow | undefined {
  const sql = `select keys.seq, organization, scopes, revoked, forbidden from keys
    join organizations on organizations.seq = organization where hash = ?`;
  return store.get<KeyRow>(sql, hashKey(key));
}

/** Revokes an API key. Returns false if the store does not have it. */
export function revokeKey(store: Store, key: string): boolean {
  return store.get('update keys set revoked = 1 where hash = ? returning seq', hashKey(key)) !== undefined;
}

/** The hash of an API key. The store finds the key by this hash. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
