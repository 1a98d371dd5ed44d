import type { SvcError } from '../base/errors.ts';
import type { Phase } from '../base/events.ts';
import { EXIT, type ExitCode, worstExit } from '../base/exit.ts';
import type { Finding, Survey } from '../import/survey-types.ts';
import { books } from './checks/books.ts';
import type {
  FateCounts,
  Plan,
  ReportError,
  ReportInput,
  RowCounts,
  RunReport,
  RunStatus,
  Verification,
} from './types.ts';

/** Everything known about a run when it ends. */
export interface Ending<Rows extends FateCounts = RowCounts> {
  readonly run: string;
  /** The run was begun by an earlier command, with which this one went on. */
  readonly resumed: boolean;
  readonly options: { readonly command: string; readonly dryRun: boolean };
  readonly phase: Phase;
  readonly origin: string | undefined;
  readonly audience: { readonly id: string; readonly name: string } | undefined;
  readonly automation?: RunReport['automation'];
  readonly survey: Pick<Survey, 'inputs' | 'preview'>;
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  readonly rows: Rows;
  readonly rowsReplayed: number;
  readonly skipped: RunReport['skipped'];
  /** Rows with an outcome that we don't know: no success (rule O6). */
  readonly strange?: number;
  readonly requests: RunReport['requests'];
  readonly verification: Verification;
  readonly files: RunReport['files'];
  readonly next: readonly string[];
  readonly problem: SvcError | undefined;
}

/** Puts the report together. A pure function of how the run ended. */
export function assembleReport<Rows extends FateCounts>(ending: Ending<Rows>): RunReport<Rows> {
  const { survey, options, rows, problem } = ending;
  const accounts = books(rows);
  const exit = exitOf(ending, accounts);
  return {
    object: 'run_report',
    run: ending.run,
    ...(ending.resumed ? { resumed: true } : {}),
    command: options.command,
    status: options.dryRun && exit === EXIT.ok ? 'planned' : statusOf(exit),
    exit_code: exit,
    dry_run: options.dryRun,
    phase: ending.phase,
    origin: ending.origin ?? null,
    audience: ending.audience ?? null,
    ...(ending.automation === undefined ? {} : { automation: ending.automation }),
    inputs: survey.inputs.map(inputOf),
    rows,
    rows_replayed: ending.rowsReplayed,
    skipped: ending.skipped,
    plan: ending.plan,
    preview: survey.preview,
    findings: [...ending.findings, accounts],
    requests: ending.requests,
    verification: ending.verification,
    files: ending.files,
    next: ending.next,
    ...(problem ? { error: errorOf(problem) } : {}),
  };
}

function exitOf(ending: Ending<FateCounts>, accounts: Finding): ExitCode {
  const { problem, rows, verification, options, strange = 0 } = ending;
  if (options.dryRun) {
    return problem?.exit ?? EXIT.ok;
  }
  const codes: ExitCode[] = problem ? [problem.exit] : [];
  if (accounts.level === 'stop') {
    codes.push(EXIT.bug);
  }
  if (verification.status === 'failed') {
    codes.push(EXIT.unverified);
  }
  if (!problem && rows.rejected + rows.failed + rows.unknown + strange > 0) {
    codes.push(EXIT.partial);
  }
  return worstExit(codes);
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

function statusOf(exit: ExitCode): RunStatus {
  return STATUSES[exit];
}

function inputOf(input: Survey['inputs'][number]): ReportInput {
  return {
    path: input.path,
    ...(input.entry === undefined ? {} : { entry: input.entry }),
    sha256: input.sha256,
    platform: input.platform,
    encoding: input.dialect.encoding,
    delimiter: input.dialect.delimiter ?? null,
    rows: input.rows,
  };
}

function errorOf(problem: SvcError): ReportError {
  return {
    code: problem.code,
    message: problem.message,
    ...(problem.hint === undefined ? {} : { hint: problem.hint }),
    exit_code: problem.exit,
    ...(problem.requestId === undefined ? {} : { request_id: problem.requestId }),
  };
}
