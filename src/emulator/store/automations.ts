import type { PageRequest } from '../http/pagination.ts';
import type { Store } from './store.ts';

/** An automation with the parts of its flow that matter for enrolling. */
export interface AutomationRow {
  readonly seq: number;
  readonly organization: number;
  readonly audience: number;
  readonly name: string;
  readonly status: string;
  readonly trigger: string;
  readonly live_version: number | null;
  readonly sandbox: number;
  /** `once`: never again; `finished`: again when the last run is over; `always`. */
  readonly reentry: string;
  /** JSON object of attribute values that a contact must have, or null. */
  readonly entry_filter: string | null;
  /** The published version can't run (outcome `automation_not_active`). */
  readonly unusable: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Stores an automation and returns its number. */
export function insertAutomation(store: Store, row: Omit<AutomationRow, 'seq'>): number {
  const { organization, audience, name, status, trigger, live_version, sandbox } = row;
  const { reentry, entry_filter, unusable, created_at, updated_at } = row;
  const flow = [organization, audience, name, status, trigger, live_version, sandbox] as const;
  return store.run(INSERT, ...flow, reentry, entry_filter, unusable, created_at, updated_at).id;
}

/** Writes everything but the audience and the time of creation. */
export function updateAutomation(store: Store, row: AutomationRow): void {
  const { seq, name, status, trigger, live_version, sandbox, reentry, entry_filter, unusable, updated_at } = row;
  store.run(UPDATE, name, status, trigger, live_version, sandbox, reentry, entry_filter, unusable, updated_at, seq);
}

/** The automation. Undefined if another organization owns it. */
export function findAutomation(store: Store, organization: number, seq: number): AutomationRow | undefined {
  return store.get<AutomationRow>('select * from automations where seq = ? and organization = ?', seq, organization);
}

/** One row more than the page holds, newest first; without a status all but the archived. */
export function listAutomations(
  store: Store,
  { organization, status }: { readonly organization: number; readonly status: string | null },
  page: PageRequest,
): AutomationRow[] {
  const chosen = status === null ? "status <> 'archived'" : 'status = ?';
  const sql = `select * from automations where organization = ? and ${chosen} and seq < ? order by seq desc limit ?`;
  const filter = status === null ? [] : [status];
  return store.all<AutomationRow>(sql, organization, ...filter, page.before, page.limit + 1);
}

/** The published flows that fire as people join the audience, including paused ones. */
export function listJoinFlows(store: Store, audience: number): AutomationRow[] {
  const sql = `select * from automations where audience = ? and trigger = 'audience_join' and status in ('active', 'paused')`;
  return store.all<AutomationRow>(sql, audience);
}

const INSERT = `insert into automations (organization, audience, name, status, trigger, live_version, sandbox, reentry, entry_filter, unusable,
  created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const UPDATE = `update automations set name = ?, status = ?, trigger = ?, live_version = ?, sandbox = ?, reentry = ?, entry_filter = ?,
  unusable = ?, updated_at = ? where seq = ?`;

/** One person's run through a flow. */
export interface EnrollmentRow {
  readonly seq: number;
  readonly automation: number;
  readonly email: string;
  /** `waiting` at the trigger of a paused flow, `running`, or `finished`. */
  readonly state: string;
  /** `api`, or `join` if the flow fired on its own. */
  readonly source: string;
  readonly created_at: number;
}

/** Starts a run and returns its number. */
export function insertEnrollment(store: Store, row: Omit<EnrollmentRow, 'seq'>): number {
  const sql = 'insert into enrollments (automation, email, state, source, created_at) values (?, ?, ?, ?, ?)';
  return store.run(sql, row.automation, row.email, row.state, row.source, row.created_at).id;
}

/** Starts a run of each of these people. */
export function insertEnrollments(
  store: Store,
  { automation, state, source, created_at }: Omit<EnrollmentRow, 'seq' | 'email'>,
  emails: readonly string[],
): void {
  const sql = `insert into enrollments (automation, email, state, source, created_at)
    select ?, value, ?, ?, ? from json_each(?)`;
  store.run(sql, automation, state, source, created_at, JSON.stringify(emails));
}

/** The runs of a flow, oldest first; with an address only that person's. */
export function listEnrollments(store: Store, automation: number, email?: string): EnrollmentRow[] {
  const person = email === undefined ? '' : 'and email = ?';
  const sql = `select * from enrollments where automation = ? ${person} order by seq`;
  return store.all<EnrollmentRow>(sql, automation, ...(email === undefined ? [] : [email]));
}

/** Moves every run of a flow from one state to another. */
export function moveEnrollments(
  store: Store,
  automation: number,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  store.run('update enrollments set state = ? where automation = ? and state = ?', to, automation, from);
}
