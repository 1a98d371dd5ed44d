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
  /** Emails this month; null without a limit. */
  readonly allowance: number | null;
  readonly sent: number;
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

/** Counts messages against the month's allowance. */
export function countSent(store: Store, organization: number, messages: number): void {
  store.run('update organizations set sent = sent + ? where seq = ?', messages, organization);
}

/** True if this canonical address is a member of the organization. The sandbox may mail members. */
export function isMember(organization: OrganizationRow, email: string): boolean {
  return parseList(organization.members).includes(email);
}

/** A JSON column that the emulator itself wrote as an array of strings. */
export function parseList(text: string): readonly string[] {
  return JSON.parse(text) as string[];
}
