import { EXIT, type SvcError } from '../../base/lib/errors.ts';
import { rowsAddUp } from '../../base/lib/rows.ts';
import { continuationOf, isOnlyRecord } from '../../runs/find/run-status.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { ListedRows } from '../data/row-counts.ts';
import type { RunAccount } from '../data/run-context.ts';
import type { OutcomeCounts, RunReport } from '../data/run-report.ts';
import { timelineOf } from '../data/timeline.ts';
import { errorOf, reconciliation, runStatusOf } from './assemble-report.ts';
import { commonNextSteps } from './next-steps.ts';

/** The name of a note in run.db: the report of the run when its plan was made. */
const PLAN_NOTE = 'plan';

type AnyReport = RunReport<OutcomeCounts & Readonly<Record<string, number>>>;

/** Records the report of a planned run. A resume that ends before it makes a plan uses this report. */
export function recordPlan(journal: Journal, planned: RunReport<OutcomeCounts>): void {
  journal.writeNote(PLAN_NOTE, planned);
}

/** Removes the recorded plan of an ended run, because its preview has personal data. */
export function forgetPlan(journal: Journal): void {
  journal.writeNote(PLAN_NOTE, undefined);
}

interface EarlyEnd {
  /** What ended the command before it made a plan of its own. */
  readonly problem: SvcError;
  readonly account: RunAccount | undefined;
  readonly requests: RunReport['requests'];
  readonly now: number;
  /** Counts the rows of the run so far. */
  countRows(listed: ListedRows): OutcomeCounts;
}

/**
 * The report of a command that continued a run, and ended before it made the plan of this run again. The report has the
 * recorded plan, and the present counts of run.db. Writes nothing, because such a command leaves the run as it was.
 * Undefined if the run has no plan, or if its rows can't be counted without its list.
 */
export function reportOfEarlyEnd(journal: Journal, end: EarlyEnd): RunReport<OutcomeCounts> | undefined {
  const saved = journal.readReport() as AnyReport | undefined;
  const planned = [journal.readNote(PLAN_NOTE) as AnyReport | undefined, saved];
  const [found] = planned.flatMap((report) => {
    const rows = report && end.countRows(report.rows);
    return report && rows && rowsAddUp(rows) && isSkippedExact(report, rows) ? [{ report, rows }] : [];
  });
  if (!found) {
    return undefined;
  }
  const { error: _, ...report } = found.report;
  const files = saved?.files ?? {};
  const { destination } = journal.header;
  return {
    ...report,
    resumed: true,
    status: runStatusOf(end.problem.exit),
    exit_code: end.problem.exit,
    phase: journal.state.phase ?? report.phase,
    audience: destination?.kind === 'audience' ? { id: destination.id, name: destination.name } : report.audience,
    rows: found.rows,
    rows_replayed: journal.counts(report.automation === undefined ? undefined : 'enrollment').replayed,
    findings: [...report.findings.filter(({ check }) => check !== 'books'), reconciliation(found.rows)],
    requests: end.requests,
    timeline: timelineOf(journal, [], end.now),
    files,
    next: nextSteps(journal, end, { rows: found.rows, files }),
    error: errorOf(end.problem),
  };
}

/**
 * False if the recorded `skipped` may count a row that the service refused later. Example: the plan skipped a person
 * whom another run enrolled, and then the service refused this person as a contact. Such a row now counts as refused,
 * and only the list shows which rows these are.
 */
function isSkippedExact({ skipped, rows }: AnyReport, now: OutcomeCounts & { readonly suppressed?: number }): boolean {
  const refused = (counts: typeof now) => counts.failed + (counts.suppressed ?? 0);
  return (skipped.enrolled_before ?? 0) === 0 || refused(rows) === refused(now);
}

function nextSteps(
  journal: Journal,
  { problem, account }: EarlyEnd,
  { rows, files }: Pick<RunReport<OutcomeCounts>, 'rows' | 'files'>,
): string[] {
  const status = runStatusOf(problem.exit);
  return commonNextSteps({
    run: journal.run,
    header: journal.header,
    isRecord: isOnlyRecord(journal),
    status,
    code: problem.exit === EXIT.stopped ? problem.code : undefined,
    options: { dryRun: false },
    rows,
    rejects: (files.rejects ?? []) as readonly string[],
    continuation: continuationOf(status, { journal, account }),
    unchecked: 0,
  });
}
