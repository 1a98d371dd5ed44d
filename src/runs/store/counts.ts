import type { DatabaseSync } from 'node:sqlite';
import { cachedStatement } from '../../base/os/sqlite.ts';
import { BISECTED, IS_ROW_OUTCOME, type RequestKind } from './recorded-request.ts';

/** Row counts of a run so far, from the journal. `runs show --json` prints each under its name. */
export interface RunCounts {
  /** People whom the service created or updated, as the responses to contact batches count them. */
  readonly created: number;
  readonly updated: number;
  /** Only people whom this run wrote itself. Leaves out replays of responses to an earlier run (I7). */
  readonly freshCreated: number;
  readonly freshUpdated: number;
  /** Addresses in accepted suppression requests. */
  readonly suppressed: number;
  readonly alreadySuppressed: number;
  /** Rows of requests whose response is a replay. The other counts include them. */
  readonly replayed: number;
  /** People by the outcome word of their enrollment. */
  readonly outcomes: Readonly<Record<string, number>>;
  /**
   * Rows that the service refused one by one, by error code. If a contact was refused after its person was enrolled,
   * the row does not count here, because its outcome is the enrollment.
   */
  readonly failed: Readonly<Record<string, number>>;
  /** Rows of requests that the service refused as a whole. */
  readonly refused: number;
  /** Rows of requests with an unknown outcome. */
  readonly doubt: number;
  /** Rows of requests without a recorded outcome: they are in flight, or the process was killed. */
  readonly pending: number;
}

/** Counts the rows of all requests of a run, or only of the requests of one kind. */
export function countRequestRows(db: DatabaseSync, kind?: RequestKind): RunCounts {
  const filter = kind ?? null;
  // The cast is safe: the columns are STRICT integers, and `writeResponse` stored the other numbers.
  const sums = cachedStatement(db, SUMS).get(filter) as Record<keyof typeof EMPTY, number | null>;
  return {
    ...EMPTY,
    ...Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum ?? 0])),
    outcomes: countsOf(db, OUTCOMES, filter),
    failed: countsOf(db, FAILED, filter),
  };
}

/**
 * Counts the sent rows in at most `spans` equal spans of time. `at` is when a span starts, in milliseconds since the
 * epoch.
 */
export function countSentOverTime(db: DatabaseSync, spans: number): { readonly at: number; readonly rows: number }[] {
  return cachedStatement(db, SENT_OVER_TIME)
    .all(spans)
    .map(({ at: time, rows }) => ({ at: Number(time), rows: Number(rows) }));
}

const SENT_OVER_TIME = `
  WITH sent AS (SELECT first_sent_at AS at, rows FROM units WHERE kind <> 'creation'),
    bounds AS (SELECT MIN(at) AS start, MAX(1, (MAX(at) - MIN(at)) / ? + 1) AS span FROM sent)
  SELECT start + (at - start) / span * span AS at, SUM(rows) AS rows FROM sent, bounds GROUP BY 1 ORDER BY 1`;

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

// A replay counts as a write of this run if it can repeat the lost response to an earlier attempt of this run (I7).
const FRESH = "(NOT answer ->> 'replayed' OR answer ->> 'ours')";

const SUMS = `
  SELECT
    SUM(answer ->> 'created') FILTER (WHERE kind = 'contacts' AND state = 'done') AS created,
    SUM(answer ->> 'updated') FILTER (WHERE kind = 'contacts' AND state = 'done') AS updated,
    SUM(answer ->> 'created') FILTER (WHERE kind = 'contacts' AND state = 'done' AND ${FRESH}) AS freshCreated,
    SUM(answer ->> 'updated') FILTER (WHERE kind = 'contacts' AND state = 'done' AND ${FRESH}) AS freshUpdated,
    SUM(answer ->> 'created') FILTER (WHERE kind = 'suppressions' AND state = 'done') AS suppressed,
    SUM(answer ->> 'alreadySuppressed') FILTER (WHERE state = 'done') AS alreadySuppressed,
    SUM(rows) FILTER (WHERE state = 'done' AND answer ->> 'replayed' AND ifnull(answer ->> 'word', '') <> '${BISECTED}') AS replayed,
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
  WHERE kind = ifnull(?, kind) AND ${IS_ROW_OUTCOME}
  GROUP BY code ORDER BY code`;

function countsOf(db: DatabaseSync, query: string, kind: RequestKind | null): Record<string, number> {
  return Object.fromEntries(
    cachedStatement(db, query)
      .all(kind)
      .map((row) => [String(row.word), Number(row.count)]),
  );
}
