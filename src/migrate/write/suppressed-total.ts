import type { Journal } from '../../runs/store/journal.ts';

/** What the last suppression response that was not a replay shows: the total after a number of addresses was sent. */
export interface SuppressedTotal {
  readonly total: number;
  /** Addresses of this run that were accepted until then. Later responses may all be replays, whose totals are old. */
  readonly sent: number;
}

const NOTE = 'suppressed_total';

/** Records the total of a fresh response for verification, also for that of a resume. */
export function noteTotal(journal: Journal, seen: SuppressedTotal): void {
  journal.note(NOTE, seen);
}

/** The last fresh total. Undefined if every response so far was a replay. */
export function readTotal(journal: Journal): SuppressedTotal | undefined {
  return journal.read(NOTE) as SuppressedTotal | undefined;
}
