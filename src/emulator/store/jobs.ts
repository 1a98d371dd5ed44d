import { insertRow } from './rows.ts';
import type { Store } from './store.ts';

/** Work that the background worker must do at a later time, such as the bounce of an email. */
export interface JobRow {
  readonly seq: number;
  readonly due_at: number;
  readonly kind: string;
  /** The data of the job as JSON. Its shape depends on `kind`. */
  readonly payload: string;
}

/** Puts a job in the queue of the worker, and wakes the worker. */
export function queueJob(
  { store, wake }: { readonly store: Store; wake(): void },
  { payload, ...job }: Omit<JobRow, 'seq' | 'payload'> & { readonly payload: object },
): void {
  insertRow<JobRow>(store, 'jobs', { ...job, payload: JSON.stringify(payload) });
  wake();
}

/**
 * Removes and returns the job that has been due for the longest time. Undefined if no job is due. The caller must be in
 * a transaction, because another process may take jobs from the same store.
 */
export function takeDueJob(store: Store, now: number): JobRow | undefined {
  const job = store.get<JobRow>('select * from jobs where due_at <= ? order by due_at, seq limit 1', now);
  if (job !== undefined) {
    store.run('delete from jobs where seq = ?', job.seq);
  }
  return job;
}

/** When the next job is due, in milliseconds since the epoch. Undefined if there is no job. */
export function nextJobDueAt(store: Store): number | undefined {
  return store.get<{ at: number | null }>('select min(due_at) as at from jobs')?.at ?? undefined;
}
