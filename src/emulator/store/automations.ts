import type { PageRequest } from './rows.ts';
import type { Store } from './store.ts';

/** An automation, and the settings that decide who can be enrolled. */
export interface AutomationRow {
  readonly seq: number;
  readonly organization: number;
  readonly audience: number;
  readonly name: string;
  readonly status: string;
  readonly trigger: string;
  readonly live_version: number | null;
  readonly sandbox: number;
  /**
   * Whether a person may enter again: `once` means never, `finished` once all earlier enrollments have finished,
   * `always` at any time.
   */
  readonly reentry: string;
  /** The attribute values that a contact must have, as a JSON object. Null if all contacts may enter. */
  readonly entry_filter: string | null;
  /** 1 if the published version can't run. Enrollments then get the outcome `automation_not_active`. */
  readonly unusable: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** The state of a new enrollment. In a paused automation, a person waits. */
export function firstEnrollmentState({ status }: Pick<AutomationRow, 'status'>): string {
  return status === 'paused' ? 'waiting' : 'running';
}

/**
 * A page of automations, newest first. Reads one row more than the limit, so that the caller sees whether a further
 * page follows. Without a status, archived automations are left out.
 */
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

/** The active and paused automations that start when a contact joins the audience. */
export function listJoinAutomations(store: Store, audience: number): AutomationRow[] {
  const sql = `select * from automations where audience = ? and trigger = 'audience_join' and status in ('active', 'paused')`;
  return store.all<AutomationRow>(sql, audience);
}

/** The enrollment of one person in an automation. */
export interface EnrollmentRow {
  readonly seq: number;
  readonly automation: number;
  readonly email: string;
  /** `waiting` while the automation is paused, `running`, or `finished`. */
  readonly state: string;
  /** What started the enrollment: `api` is an enroll request, `join` means that the person joined the audience. */
  readonly source: string;
  readonly created_at: number;
}

/** Stores one enrollment for each of these people. */
export function insertEnrollments(
  store: Store,
  { automation, state, source, created_at }: Omit<EnrollmentRow, 'seq' | 'email'>,
  emails: readonly string[],
): void {
  const sql = `insert into enrollments (automation, email, state, source, created_at)
    select ?, value, ?, ?, ? from json_each(?)`;
  store.run(sql, automation, state, source, created_at, JSON.stringify(emails));
}

/** The enrollments of an automation, oldest first. With an address, only those of that person. */
export function listEnrollments(store: Store, automation: number, email?: string): EnrollmentRow[] {
  const person = email === undefined ? '' : 'and email = ?';
  const sql = `select * from enrollments where automation = ? ${person} order by seq`;
  return store.all<EnrollmentRow>(sql, automation, ...(email === undefined ? [] : [email]));
}

/** Changes the state of all enrollments of an automation that have the state `from`. */
export function moveEnrollments(
  store: Store,
  automation: number,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  store.run('update enrollments set state = ? where automation = ? and state = ?', to, automation, from);
}
