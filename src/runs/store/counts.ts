import type { DatabaseSync } from 'node:sqlite';
import type { UnitKind } from './recorded-request.ts';

/** What a run has done so far, in rows; the journal's side of every report. */
export interface Tally {
  /** Sums of the answers to contact batches. */
  readonly created: number;
  readonly updated: number;
  /** The parts of `created` and `updated` that this run wrote, not an earlier one whose answer was replayed (rule I7). */
  readonly freshCreated: number;
  readonly freshUpdated: number;
  /** Sum of the answers to suppression calls. */
  readonly suppressed: number;
  readonly alreadySuppressed: number;
  /** Rows of units whose answer was a replay; they are in the other counts as well. */
  readonly replayed: number;
  /** Enrolments by the outcome that was answered. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Rows refused on their own, by code. */
  readonly failed: Readonly<Record<string, number>>;
  /** Rows of units that the service refused as a whole. */
  readonly refused: number;
  /** Rows of units whose outcome nobody knows. */
  readonly doubt: number;
  /** Rows of units whose intent is on disk and whose answer is not. */
  readonly pending: number;
}

/** Folds the units of a run, or of one kind of unit, into counts. */
export function countRequests(db: DatabaseSync, kind?: UnitKind): Tally {
  const filter = kind ?? null;
  // SUM and COUNT over STRICT integer columns and over numbers that writeAnswer put there.
  const sums = db.prepare(SUMS).get(filter) as Record<keyof typeof EMPTY, number | null>;
  return {
    ...EMPTY,
    ...Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum ?? 0])),
    outcomes: countsOf(db, OUTCOMES, filter),
    failed: countsOf(db, FAILED, filter),
  };
}

const EMPTY = {
  created: 0,
  updated: 0,
  freshCreated: 0,
  freshUpdated: 0,
  suppressed: 0,
  alreadySuppressed: 0,
  replayed: 0,
  refused: 0,
  doubt: 0,
  pending: 0,
};

// A replay of what the run itself had sent tells of its own writing (rule I7).
const FRESH = "(NOT answer ->> 'replayed' OR answer ->> 'ours')";

const SUMS = `
  SELECT
    SUM(answer ->> 'created') FILTER (WHERE kind = 'contacts' AND state = 'done') AS created,
    SUM(answer ->> 'updated') FILTER (WHERE kind = 'contacts' AND state = 'done') AS updated,
    SUM(answer ->> 'created') FILTER (WHERE kind = 'contacts' AND state = 'done' AND ${FRESH}) AS freshCreated,
    SUM(answer ->> 'updated') FILTER (WHERE kind = 'contacts' AND state = 'done' AND ${FRESH}) AS freshUpdated,
    SUM(answer ->> 'created') FILTER (WHERE kind = 'suppressions' AND state = 'done') AS suppressed,
    SUM(answer ->> 'alreadySuppressed') FILTER (WHERE state = 'done') AS alreadySuppressed,
    SUM(rows) FILTER (WHERE state = 'done' AND answer ->> 'replayed' AND ifnull(answer ->> 'word', '') <> 'halved') AS replayed,
    SUM(rows) FILTER (WHERE state = 'refused') AS refused,
    SUM(rows) FILTER (WHERE state = 'doubt') AS doubt,
    SUM(rows) FILTER (WHERE state = 'pending') AS pending
  FROM units WHERE kind = ifnull(?, kind)`;

const OUTCOMES = `
  SELECT answer ->> 'word' AS word, SUM(rows) AS count FROM units
  WHERE kind = 'enrollment' AND state = 'done' AND word IS NOT NULL AND kind = ifnull(?, kind)
  GROUP BY word ORDER BY word`;

const FAILED = `
  SELECT code AS word, COUNT(*) AS count FROM failures JOIN units ON units.id = failures.unit
  WHERE kind = ifnull(?, kind)
  GROUP BY code ORDER BY code`;

function countsOf(db: DatabaseSync, query: string, kind: UnitKind | null): Record<string, number> {
  return Object.fromEntries(
    db
      .prepare(query)
      .all(kind)
      .map((row) => [String(row.word), Number(row.count)]),
  );
}
