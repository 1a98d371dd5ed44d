import { sumOf } from '../../base/lib/rows.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import type { RunCounts } from '../../runs/store/counts.ts';
import { countsAsFailed, SUPPRESSED_CODE } from '../../sending/record-and-send.ts';
import { type ImportCommand, writeKindsOf } from './run-options.ts';
import type { RowCounts } from './run-report.ts';

/**
 * Counts the rows that the service refused one by one. Leaves out suppressed addresses, which have an outcome of their
 * own (O7). Also leaves out people whom --explicit-status found in the audience, because they are sent again.
 */
export function countFailedRows(counts: RunCounts): number {
  const codes = Object.entries(counts.failed).filter(([code]) => countsAsFailed(code));
  return sumOf(codes.map(([, count]) => count));
}

/** Counts the rows whose outcome is in the journal. The progress display of a resume begins at this number. */
export function countRowsWithOutcome(counts: RunCounts): number {
  const { created, updated, suppressed, outcomes, failed } = counts;
  return sumOf([created, updated, suppressed, ...Object.values(outcomes), ...Object.values(failed)]);
}

/** The counts of rows that the list alone decides. They stay the same while the run sends. */
export interface ListedRows extends Pick<RowCounts, 'read' | 'merged' | 'skipped' | 'rejected'> {
  readonly unchanged?: number | undefined;
}

/** Counts the rows by outcome, from the survey and the journal. */
export function rowCounts(survey: Survey, counts: RunCounts, command: ImportCommand): RowCounts {
  const { unchanged, rows } = survey;
  const skipped = sumOf(Object.values(skippedRows(survey, command)));
  return addRecordedCounts({ ...rows, unchanged, skipped }, counts);
}

/** Adds the counts of the journal. `unsent` is the rest, so the counts always sum to `read`. */
export function addRecordedCounts(listed: ListedRows, counts: RunCounts): RowCounts {
  const { read, unchanged, merged, skipped, rejected } = listed;
  const outcomes = {
    created: counts.created,
    updated: counts.updated,
    suppressed: counts.suppressed,
    already_suppressed: counts.failed[SUPPRESSED_CODE] ?? 0,
    ...(unchanged === undefined ? {} : { unchanged }),
    merged,
    skipped,
    rejected,
    failed: countFailedRows(counts),
    unknown: counts.doubt + counts.pending,
  };
  const decided = sumOf(Object.values(outcomes));
  return { read, ...outcomes, unsent: read - decided };
}

/**
 * The number of rows that this command does not write, by reason. `contacts import` skips suppressions, and
 * `suppressions import` skips contacts.
 */
export function skippedRows(survey: Survey, command: ImportCommand): Readonly<Record<string, number>> {
  const writes = writeKindsOf(command);
  const suppressions = writes.writesSuppressions ? {} : survey.suppressions;
  const contacts = writes.writesContacts || survey.contacts === 0 ? {} : { contact: survey.contacts };
  return { ...survey.rows.skipped, ...suppressions, ...contacts };
}
