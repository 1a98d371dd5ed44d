import type { Store } from './store.ts';

/** One run of one person through a flow. */
export interface EnrollmentRow {
  readonly seq: number;
  readonly automation: number;
  readonly email: string;
  /** `waiting` at the trigger of a paused flow, `running`, or `finished`. */
  readonly state: string;
  /** `api`, or `join` where the flow fired on its own. */
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

/** The person's runs of a flow, oldest first; everybody's without an address. */
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
