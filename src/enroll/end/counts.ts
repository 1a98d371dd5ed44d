import { addToCount, sumOf } from '../../base/lib/rows.ts';
import { UNKNOWN_ENROLLMENT } from '../../ledgers/enrollment-entries.ts';
import { countFailedRows, type ListedRows } from '../../run-lifecycle/data/row-counts.ts';
import type { OutcomeCounts, RunReport } from '../../run-lifecycle/data/run-report.ts';
import type { RunCounts } from '../../runs/store/counts.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { SUPPRESSED_CODE } from '../../sending/record-and-send.ts';
import { ENROLLMENT_OUTCOMES } from '../../wire/service-words.ts';
import type { EnrollDraft } from '../draft/draft-enrollment.ts';
import { KEPT_AWAY } from '../draft/enrollment-list.ts';
import { DELETED_SINCE } from '../draft/known-people.ts';
import { ENROLLED_BEFORE } from '../records/enrollment-records.ts';

/** Numbers of rows by name: an outcome word of the service such as `enrolled`, or a word of svc such as `unsent`. */
export type EnrollCounts = OutcomeCounts & Readonly<Record<string, number>>;

/** The counts of all requests of a run, and of its enrollment requests only. */
interface RecordedCounts {
  readonly counts: RunCounts;
  readonly enrollments: RunCounts;
}

/** The number of rows for each outcome. */
export function enrollCounts(draft: EnrollDraft, recorded: RecordedCounts): EnrollCounts {
  const { survey, emailFlag } = draft;
  const listed = {
    read: survey.rows.read + emailFlag.rows,
    merged: survey.rows.merged + emailFlag.merged,
    skipped: sumOf(Object.values(skippedPeople(draft))),
    rejected: survey.rows.rejected,
  };
  return addRecordedOutcomes(listed, recorded);
}

/**
 * Adds the counts of the journal. `unsent` is the rest, so the counts sum to `read`. If the outcome of a contact batch
 * is unknown, its people count as unsent, because no enrollment was requested for them yet.
 */
export function addRecordedOutcomes(listed: ListedRows, { counts, enrollments }: RecordedCounts): EnrollCounts {
  const { read, merged, skipped, rejected } = listed;
  const sums = new Map<string, number>();
  const add = (name: string, count: number) => addToCount(sums, name, count);
  ENROLLMENT_OUTCOMES.forEach((outcome) => add(outcome, 0));
  Object.entries(counts.outcomes).forEach(([outcome, count]) => add(countName(outcome), count));
  // These people are not enrolled: the service refused them as contacts, because their addresses are suppressed.
  add('suppressed', counts.failed[SUPPRESSED_CODE] ?? 0);
  add('merged', merged);
  add('skipped', skipped);
  add('rejected', rejected);
  add('failed', countFailedRows(counts));
  add('unsent', 0);
  add('unknown', enrollments.doubt + enrollments.pending);
  add('unsent', read - sumOf(sums.values()));
  return { read, ...Object.fromEntries(sums) } as EnrollCounts;
}

/** The people whom the run wrote as contacts before it enrolled them. Takes the counts of the contact requests. */
export function writtenContacts(counts: RunCounts): RunReport['contacts'] {
  return { created: counts.created, updated: counts.updated, unknown: counts.doubt + counts.pending };
}

/** The outcome words of the service that svc does not know. Such a word may mean that a person was enrolled (O6). */
export function unrecognizedWords({ db }: Pick<Journal, 'db'>): string[] {
  const rows = db.prepare(UNRECOGNIZED).all(UNKNOWN_ENROLLMENT);
  return rows.map(({ word }) => String(word));
}

const UNRECOGNIZED = `
  SELECT DISTINCT answer ->> 'word' AS word FROM units
  WHERE kind = 'enrollment' AND state = 'doubt' AND word <> ? ORDER BY word`;

/**
 * The number of rows whose outcome word is not in the service document. They don't count as success (O6). Only runs of
 * earlier versions have such rows, because svc now records these outcomes as unknown.
 */
export function countUnrecognizedOutcomes({ outcomes }: RunCounts): number {
  const known: readonly string[] = [...ENROLLMENT_OUTCOMES, SUPPRESSED_CODE];
  const unknown = Object.entries(outcomes).filter(([word]) => !known.includes(word));
  return sumOf(unknown.map(([, count]) => count));
}

/**
 * The number of people of the list who are not sent, by reason: not subscribed (M1), enrolled by another run, or
 * deleted in the app. Each person is one row here, because further rows of a person count as merged.
 */
export function skippedPeople(draft: EnrollDraft): Readonly<Record<string, number>> {
  const { survey, emailFlag, enrolledBefore, deletedSince } = draft;
  const unsubscribed = survey.unsubscribed + (survey.suppressions.unsubscribed ?? 0);
  const keptAway = emailFlag.keptAway.length;
  return {
    ...survey.rows.skipped,
    ...survey.suppressions,
    ...(unsubscribed > 0 ? { unsubscribed } : {}),
    ...(keptAway > 0 ? { [KEPT_AWAY]: keptAway } : {}),
    ...(enrolledBefore > 0 ? { [ENROLLED_BEFORE]: enrolledBefore } : {}),
    ...(deletedSince > 0 ? { [DELETED_SINCE]: deletedSince } : {}),
  };
}

/**
 * The name under which an outcome counts. The refusal of a suppressed address counts as `suppressed`, although it is an
 * error code and no outcome word.
 */
function countName(outcome: string): string {
  return outcome === SUPPRESSED_CODE ? 'suppressed' : outcomeCountName(outcome);
}

/**
 * The name of an outcome. If svc has a count of the same name, such as `failed`, the name gets the prefix `outcome_`.
 */
export function outcomeCountName(outcome: string): string {
  return RESERVED_NAMES.includes(outcome) ? `outcome_${outcome}` : outcome;
}

const RESERVED_NAMES: readonly string[] = ['read', 'merged', 'skipped', 'rejected', 'failed', 'unsent', 'unknown'];
