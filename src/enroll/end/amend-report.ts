import { EXIT, type ExitCode } from '../../base/lib/errors.ts';
import type { OutcomeCounts, RunReport } from '../../run-lifecycle/data/run-report.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { ENROLLED, type EnrollmentRecords } from '../records/enrollment-records.ts';
import { countUnrecognizedOutcomes } from './counts.ts';
import { commandToResolve, deleteStoredOutcomes, rewriteOutcomes } from './outcome-files.ts';

type Rows = OutcomeCounts & Record<string, number>;
type FinalStatus = Pick<RunReport, 'status'> & { readonly exitCode: ExitCode };

/**
 * Counts resolved people in the report as enrolled or unsent, and writes the report again. Reads everything from
 * run.db, so after a kill the next `runs resolve` completes the report.
 */
export async function amendReport(records: EnrollmentRecords, ended: FinalStatus): Promise<FinalStatus> {
  const { journal } = records;
  const saved = journal.readReport() as RunReport<Rows> | undefined;
  if (!saved) {
    return ended;
  }
  const rows = countResolved(journal, saved.rows);
  const report =
    rows.unknown === saved.rows.unknown ? saved : { ...saved, ...(await amendments(records, saved, rows)) };
  if (report !== saved) {
    journal.saveReport(report);
  }
  if (rows.unknown === 0) {
    deleteStoredOutcomes(journal);
  }
  return { status: report.status, exitCode: report.exit_code };
}

async function amendments(records: EnrollmentRecords, { status, exit_code, next, files }: RunReport<Rows>, rows: Rows) {
  const { outcomes: _, unknown: __, ...others } = files;
  return {
    ...(isCompleted(records.journal, rows, status) ? COMPLETED : { status, exit_code }),
    rows,
    files: { ...others, ...(await rewriteOutcomes(records)) },
    next: rows.unknown > 0 ? next : next.filter((step) => !step.endsWith(commandToResolve(records.journal.run))),
  };
}

/** The counts of a report after decisions: resolved people count as enrolled or unsent instead of unknown. */
function countResolved(journal: Journal, rows: Rows): Rows {
  const sent = journal.counts('enrollment');
  const enrolled = sent.outcomes[ENROLLED] ?? 0;
  const unknown = sent.doubt + sent.pending;
  return { ...rows, enrolled, unknown, unsent: rows.unsent + (rows.enrolled ?? 0) + rows.unknown - enrolled - unknown };
}

const COMPLETED = { status: 'completed', exit_code: EXIT.ok } as const;

/**
 * True if the run was `partial` only because of unknown outcomes, and all these people were enrolled. With unsent rows
 * it stays partial (L5).
 */
function isCompleted(journal: Journal, { rejected, failed, unknown, unsent }: Rows, status: string): boolean {
  const open = rejected + failed + unknown + unsent + countUnrecognizedOutcomes(journal.counts());
  return status === 'partial' && open === 0;
}
