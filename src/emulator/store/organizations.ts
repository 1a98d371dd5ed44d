import { createHash } from 'node:crypto';
import type { Store } from './store.ts';

/** The plan of an account. Only `free` has a subscriber cap and a sandbox. */
export type Plan = 'free' | 'paid';

/** Every plan that an account can have. */
export const PLANS: readonly Plan[] = ['free', 'paid'];

/** An account: its plan, its members, and what it may send. */
export interface OrganizationRow {
  readonly seq: number;
  readonly plan: Plan;
  /** JSON array of canonical addresses. */
  readonly members: string;
  /** JSON array of verified sending domains; `*` stands for every domain. */
  readonly domains: string;
  readonly sending_disabled: number;
  readonly forbidden: number;
  /** Emails a month; null without a limit. */
  readonly allowance: number | null;
}

/** Makes an organization and returns its number. */
export function insertOrganization(store: Store, plan: Plan): number {
  return store.run('insert into organizations (plan) values (?)', plan).id;
}

/** The organization with this number, which must exist. */
export function getOrganization(store: Store, seq: number): OrganizationRow {
  const row = store.get<OrganizationRow>('select * from organizations where seq = ?', seq);
  if (row === undefined) {
    throw new RangeError(`no organization ${seq}`);
  }
  return row;
}

/** Counts messages against the allowance of the month of `now`. */
export function countSent(
  store: Store,
  organization: number,
  { messages, now }: { readonly messages: number; readonly now: number },
): void {
  const sql = `insert into sent_emails (organization, month, count) values (?, ?, ?)
    on conflict (organization, month) do update set count = count + excluded.count`;
  store.run(sql, organization, monthOf(now), messages);
}

/** Messages that an organization sent in the month of `now`. */
export function readSent(store: Store, organization: number, now: number): number {
  const sql = 'select count from sent_emails where organization = ? and month = ?';
  return store.get<{ count: number }>(sql, organization, monthOf(now))?.count ?? 0;
}

/** A month of the calendar in UTC, such as `2026-01`. */
function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, -'-01T00:00:00.000Z'.length);
}

/** True if this canonical address is a member of the organization. The sandbox may mail members. */
export function isMember(organization: OrganizationRow, email: string): boolean {
  return parseList(organization.members).includes(email);
}

/** A JSON column that the emulator itself wrote as an array of strings. */
export function parseList(text: string): readonly string[] {
  return JSON.parse(text) as string[];
}

/** An API key with what its organization may do. */
interface KeyRow {
  readonly seq: number;
  readonly organization: number;
  readonly scopes: string;
  readonly revoked: number;
  readonly forbidden: number;
}

/** Stores a key's hash with its scopes. */
export function insertKey(store: Store, key: string, of: { organization: number; scopes: readonly string[] }): void {
  const sql = 'insert into keys (organization, hash, scopes) values (?, ?, ?)';
  store.run(sql, of.organization, hashKey(key), of.scopes.join(' '));
}

export function findKey(store: Store, key: string): KeyRow | undefined {
  const sql = `select keys.seq, organization, scopes, revoked, forbidden from keys
    join organizations on organizations.seq = organization where hash = ?`;
  return store.get<KeyRow>(sql, hashKey(key));
}

export function revokeKey(store: Store, key: string): void {
  store.run('update keys set revoked = 1 where hash = ?', hashKey(key));
}

/** Only this hash of a key is stored. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
