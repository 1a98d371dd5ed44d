import type { Journal } from '../../runs/store/journal.ts';

/** What the last suppression call that was no replay proves: so many addresses were suppressed after so many were sent. */
export interface SuppressedTotal {
  readonly total: number;
  /** Addresses of this run accepted until then; later calls may all have been replays, whose totals are old. */
  readonly sent: number;
}

const NOTE = 'suppressed_total';

/** Keeps the total of a fresh answer for verification, also that of a resume. */
export function noteTotal(journal: Journal, seen: SuppressedTotal): void {
  journal.note(NOTE, seen);
}

/** The last fresh total, or undefined when every call so far was a replay. */
export function readTotal(journal: Journal): SuppressedTotal | undefined {
  return journal.read(NOTE) as SuppressedTotal | undefined;
}
