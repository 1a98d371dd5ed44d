import { sumOf } from '../base/lib/rows.ts';
import { countFailedRows } from '../migrate/report/row-counts.ts';
import type { OutcomeCounts } from '../migrate/report/run-report.ts';
import { EXPECTED_FAILURE } from '../migrate/write/record-and-send.ts';
import { UNKNOWN } from '../runs/enrollment-ledger.ts';
import type { RunCounts } from '../runs/store/counts.ts';
import type { Journal } from '../runs/store/journal.ts';
import { ENROLLMENT_OUTCOMES } from '../wire/service-words.ts';
import type { EnrollDraft } from './draft-enrollment.ts';

/** Row counts: one per outcome of the service document, other outcomes under their own name, and svc's own counts. */
export type EnrollCounts = OutcomeCounts & Readonly<Record<string, number>>;

/** The counts of a run, and those of its enrollments only. */
interface RecordedCounts {
  readonly counts: RunCounts;
  readonly enrollments: RunCounts;
}

/**
 * The count of each outcome. People without an outcome are unsent, so the counts sum to `read`. People in a contact
 * batch with an unknown outcome are unsent too, because their enrollment was not requested yet.
 */
export function enrollCounts(draft: EnrollDraft, { counts, enrollments }: RecordedCounts): EnrollCounts {
  const { survey, typed } = draft;
  const read = survey.rows.read + typed.rows;
  const sums = new Map<string, number>();
  const add = (name: string, count: number) => sums.set(name, (sums.get(name) ?? 0) + count);
  ENROLLMENT_OUTCOMES.forEach((outcome) => add(outcome, 0));
  Object.entries(counts.outcomes).forEach(([outcome, count]) => add(countName(outcome), count));
  // The contact was refused because the address is suppressed, so the person is not enrolled.
  add('suppressed', counts.failed[EXPECTED_FAILURE] ?? 0);
  add('merged', survey.rows.merged + typed.merged);
  add('skipped', sumOf(Object.values(skippedPeople(draft))));
  add('rejected', survey.rows.rejected);
  add('failed', countFailedRows(counts));
  add('unsent', 0);
  add('unknown', enrollments.doubt + enrollments.pending);
  add('unsent', read - sumOf(sums.values()));
  return { read, ...Object.fromEntries(sums) } as EnrollCounts;
}

/** The outcome words of the service that svc does not know. It is unknown whether these people were enrolled (O6). */
export function unrecognizedWords({ db }: Pick<Journal, 'db'>): string[] {
  const rows = db.prepare(UNRECOGNIZED).all(UNKNOWN);
  return rows.map(({ word }) => String(word));
}

const UNRECOGNIZED = `
  SELECT DISTINCT answer ->> 'word' AS word FROM units
  WHERE kind = 'enrollment' AND state = 'doubt' AND word <> ? ORDER BY word`;

/**
 * Rows with an outcome that the service document doesn't list. They don't count as success (rule O6). Only runs of
 * earlier versions have them: now the outcome of these people is unknown.
 */
export function unrecognizedOutcomes({ outcomes }: RunCounts): number {
  const known: readonly string[] = [...ENROLLMENT_OUTCOMES, EXPECTED_FAILURE];
  const unknown = Object.entries(outcomes).filter(([word]) => !known.includes(word));
  return sumOf(unknown.map(([, count]) => count));
}

/** Rows that are not sent, by reason: people who are not subscribed, and people whom another run enrolled (rule M1). */
export function skippedPeople({ survey, enrolledBefore }: EnrollDraft): Readonly<Record<string, number>> {
  const unsubscribed = survey.unsubscribed + (survey.suppressions.unsubscribed ?? 0);
  return {
    ...survey.rows.skipped,
    ...survey.suppressions,
    ...(unsubscribed > 0 ? { unsubscribed } : {}),
    ...(enrolledBefore > 0 ? { enrolled_before: enrolledBefore } : {}),
  };
}

/** A suppressed address is refused without an outcome of the document. It counts as `suppressed`. */
function countName(outcome: string): string {
  return outcome === EXPECTED_FAILURE ? 'suppressed' : distinctName(outcome);
}

/** The name of an outcome, changed if it equals one of svc's own counts. */
export function distinctName(outcome: string): string {
  return OWN_NAMES.includes(outcome) ? `outcome_${outcome}` : outcome;
}

const OWN_NAMES: readonly string[] = ['read', 'merged', 'skipped', 'rejected', 'failed', 'unsent', 'unknown'];
