import type { Phase } from '../../base/events.ts';
import type { Finding } from '../../base/finding.ts';
import { EXIT, type ExitCode, SvcError, worstExitCode } from '../../base/lib/errors.ts';
import { countUnsentRows, rowsAddUp, sumOfOutcomes } from '../../base/lib/rows.ts';
import { formatNumber, plural } from '../../base/lib/text.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import type {
  OutcomeCounts,
  Plan,
  ReportError,
  RowCounts,
  RunReport,
  RunStatus,
  Timeline,
  Verification,
} from '../data/run-report.ts';
import { reportInput } from './reported-input.ts';

/** How a run ended: the data of its report. */
export interface RunEnd<Rows extends OutcomeCounts = RowCounts> {
  readonly run: string;
  readonly folder: string;
  /** True if an earlier command began the run. */
  readonly resumed: boolean;
  readonly options: { readonly command: string; readonly dryRun: boolean };
  readonly phase: Phase;
  readonly origin: string | undefined;
  readonly audience: { readonly id: string; readonly name: string } | undefined;
  readonly automation?: RunReport['automation'];
  readonly survey: Pick<Survey, 'inputs' | 'preview' | 'list'>;
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  readonly rows: Rows;
  readonly rowsReplayed: number;
  readonly skipped: RunReport['skipped'];
  readonly missingCounts?: RunReport['gone'];
  readonly contacts?: RunReport['contacts'];
  /**
   * The number of rows for which the service responded with an outcome that svc does not know. They don't count as
   * success (O6).
   */
  readonly unrecognized?: number;
  readonly requests: RunReport['requests'];
  readonly verification: Verification;
  readonly timeline: Timeline;
  readonly files: RunReport['files'];
  readonly next: readonly string[];
  readonly problem: SvcError | undefined;
}

/**
 * Makes the report of a run, and decides its exit code. If the counts do not add up, this is a bug of svc, and the
 * report shows it in place of any other problem. A run that left rows unsent has failed, even if no error was thrown
 * (L5).
 */
export function assembleReport<Rows extends OutcomeCounts>(runEnd: RunEnd<Rows>): RunReport<Rows> {
  const { survey, options, rows } = runEnd;
  const countsFinding = reconciliation(rows);
  const problem = problemOf(runEnd, countsFinding);
  const exit = exitOf(runEnd, problem);
  return {
    object: 'run_report',
    run: runEnd.run,
    ...(runEnd.resumed ? { resumed: true } : {}),
    command: options.command,
    status: options.dryRun && exit === EXIT.ok ? 'planned' : runStatusOf(exit),
    exit_code: exit,
    dry_run: options.dryRun,
    phase: problem || options.dryRun ? runEnd.phase : 'done',
    origin: runEnd.origin ?? null,
    audience: runEnd.audience ?? null,
    ...(runEnd.automation === undefined ? {} : { automation: runEnd.automation }),
    inputs: survey.inputs.map(reportInput),
    rows,
    rows_replayed: runEnd.rowsReplayed,
    skipped: runEnd.skipped,
    plan: runEnd.plan,
    preview: survey.preview,
    findings: [...runEnd.findings, countsFinding],
    requests: runEnd.requests,
    verification: runEnd.verification,
    list: survey.list,
    timeline: runEnd.timeline,
    ...(runEnd.missingCounts === undefined ? {} : { gone: runEnd.missingCounts }),
    ...(runEnd.contacts === undefined ? {} : { contacts: runEnd.contacts }),
    files: runEnd.files,
    next: runEnd.next,
    ...(problem ? { error: errorOf(problem) } : {}),
  };
}

/**
 * Checks that each row has exactly one outcome: all counts except `read` sum to `read` (L5). A difference is a bug of
 * svc.
 */
export function reconciliation(rows: OutcomeCounts): Finding {
  return rowsAddUp(rows)
    ? { check: 'books', level: 'pass', message: everyRowText(rows.read) }
    : { check: 'books', level: 'stop', message: differenceOf(rows) };
}

function everyRowText(rows: number): string {
  return rows === 1 ? 'the only row has one outcome' : `every one of the ${formatNumber(rows)} rows has one outcome`;
}

function differenceOf(rows: OutcomeCounts): string {
  const sum = sumOfOutcomes(rows);
  const wrong = Object.entries(rows).filter(([, count]) => !(Number.isSafeInteger(count) && count >= 0));
  const impossible = wrong.map(([name, count]) => `, ${name} is ${count}`).join('');
  return `${plural(rows.read, 'row')} read, but ${plural(sum, 'outcome')} counted${impossible}`;
}

function problemOf(
  { run, folder, rows, problem, options }: RunEnd<OutcomeCounts>,
  countsFinding: Finding,
): SvcError | undefined {
  if (countsFinding.level === 'stop') {
    return new SvcError(EXIT.bug, countsFinding.check, `the counts of ${run} do not add up: ${countsFinding.message}`, {
      hint: `This is a bug in svc. The records of the run are in ${folder}`,
      cause: problem,
    });
  }
  const unsent = options.dryRun ? 0 : countUnsentRows(rows);
  if (problem || unsent === 0) {
    return problem;
  }
  return new SvcError(
    EXIT.failed,
    'rows_unsent',
    `the run ended too early: ${plural(unsent, 'row was', 'rows were')} not sent`,
  );
}

function exitOf(runEnd: RunEnd<OutcomeCounts>, problem: SvcError | undefined): ExitCode {
  const { rows, verification, options, unrecognized = 0 } = runEnd;
  if (options.dryRun) {
    return problem?.exit ?? EXIT.ok;
  }
  const codes: ExitCode[] = problem ? [problem.exit] : [];
  if (verification.status === 'failed') {
    codes.push(EXIT.unverified);
  }
  if (!problem && rows.rejected + rows.failed + rows.unknown + unrecognized > 0) {
    codes.push(EXIT.partial);
  }
  return worstExitCode(codes);
}

const STATUSES: Readonly<Record<ExitCode, RunStatus>> = {
  [EXIT.ok]: 'completed',
  [EXIT.failed]: 'failed',
  [EXIT.usage]: 'failed',
  [EXIT.partial]: 'partial',
  [EXIT.auth]: 'stopped',
  [EXIT.refused]: 'refused',
  [EXIT.busy]: 'busy',
  [EXIT.stopped]: 'stopped',
  [EXIT.unverified]: 'unverified',
  [EXIT.bug]: 'bug',
  [EXIT.later]: 'later',
  [EXIT.hangup]: 'interrupted',
  [EXIT.interrupted]: 'interrupted',
  [EXIT.terminated]: 'interrupted',
};

export function runStatusOf(exit: ExitCode): RunStatus {
  return STATUSES[exit];
}

export function errorOf(problem: SvcError): ReportError {
  return {
    code: problem.code,
    message: problem.message,
    ...(problem.hint === undefined ? {} : { hint: problem.hint }),
    exit_code: problem.exit,
    ...(problem.requestId === undefined ? {} : { request_id: problem.requestId }),
  };
}
