import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../base/context.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { writeOutput } from '../../base/os/named-file.ts';
import { keepHeapSmall, requireOpenFiles } from '../../base/os/resources.ts';
import type { RunContext } from '../../migrate/context.ts';
import { isFlags } from '../../migrate/plan/whole-commands.ts';
import { isOfAccount } from '../../migrate/prepare/ask-account.ts';
import type { RunResult } from '../../migrate/report/end-run.ts';
import type { OutcomeCounts, RunReport } from '../../migrate/types.ts';
import { planInput } from '../../render/plan/inputs.ts';
import { planText } from '../../render/plan/plan.ts';
import type { ProgressHandle } from '../../render/progress/handle.ts';
import { createProgress } from '../../render/progress/progress.ts';
import { reportText } from '../../render/report/report.ts';
import { jsonText } from '../../render/text/object.ts';
import { styleOf } from '../../render/text/style.ts';
import { lineWithFlags } from '../framework/invocation.ts';
import { isConfirmed } from '../framework/output/confirmation.ts';
import { type Account, type AccountLimits, canReachAccount, openAccount } from '../framework/settings/account.ts';
import { type Settings, stateOf } from '../framework/settings/settings.ts';

/** What a command needs for a long run: the account, the progress, the engine, and the report at the end. */
export interface LongRun {
  readonly dryRun: boolean;
  /** The value of --from. */
  readonly from: string;
  readonly limits: AccountLimits;
  readonly waitMs: number;
  readonly settings: Settings;
  readonly context: Context;
  /** The words after `svc`, as typed. */
  readonly line: readonly string[];
  /** The run to resume. Its checks had the flags of another line than this one. */
  readonly resume?: string | undefined;
  /** The path for a copy of report.json. */
  readonly reportCopy?: string | undefined;
  /** The engine. */
  work(context: RunContext): Promise<RunResult<OutcomeCounts>>;
}

/** Runs it and prints its report on stdout. A problem that ended it early is thrown after the report is printed. */
export async function executeRun(run: LongRun): Promise<ExitCode> {
  keepHeapSmall();
  requireOpenFiles(OPEN_AT_ONCE);
  const { settings, context } = run;
  const progress = createProgress({
    stderr: context.stderr,
    ...settings.output,
    color: settings.output.color.stderr,
    clock: context.clock,
    onEvent: context.onEvent,
  });
  progress.emit({ type: 'doing', what: 'reading the input' });
  let opened: Opened | undefined;
  try {
    opened = await openFor(run, progress);
    const runContext = contextOf(run, opened, progress);
    const ended = await run.work(runContext).catch((error: unknown) => {
      throw withWholeHint(error, runContext.retype);
    });
    progress.stop();
    return conclude(run, ended);
  } finally {
    progress.stop();
    await opened?.account?.close();
  }
}

// The open files: three databases of three files each, connections, a list and its copy, a second thread, written
// files.
const OPEN_AT_ONCE = 32;

/** Adds the whole command to the hint for a list that cannot be read, as for a check. */
function withWholeHint(error: unknown, retype: RunContext['retype']): unknown {
  if (!(error instanceof SvcError) || retype === undefined || !isFlags(error.hint)) {
    return error;
  }
  const { exit, code, message, hint, cause, requestId } = error;
  return new SvcError(exit, code, message, { hint: retype(hint), cause, requestId });
}

interface Opened {
  readonly account: Account | undefined;
  /** Why there is no account, if one was given. */
  readonly unasked?: string;
}

/** Opens the account. A dry run works without one, also if the API key is invalid. */
async function openFor(run: LongRun, progress: ProgressHandle): Promise<Opened> {
  if (run.dryRun && !canReachAccount(run.settings)) {
    return { account: undefined };
  }
  try {
    return { account: await openAccount({ ...run, emit: progress.emit }) };
  } catch (error) {
    if (run.dryRun && isOfAccount(error)) {
      return { account: undefined, unasked: error.message };
    }
    throw error;
  }
}

function contextOf(run: LongRun, { account, unasked }: Opened, progress: ProgressHandle): RunContext {
  const { context, settings, limits } = run;
  return {
    ...context,
    account,
    unasked,
    state: stateOf(context, settings),
    emit: progress.emit,
    budget: { rate: limits.rate, reserve: limits.reserve },
    waitMs: run.waitMs,
    agreed: settings.yes,
    retype: run.resume === undefined ? (flags) => lineWithFlags(flags, run.line) : undefined,
    ask: askerOf(run, progress),
    confirm: (planned) => {
      const shown = { ...planned, inputs: planned.inputs.map((input) => planInput(input, run.from)) };
      return confirm(run, shown, progress);
    },
  };
}

/** Shows the plan before it is carried out, and asks once at a terminal. */
async function confirm(run: LongRun, planned: RunReport<OutcomeCounts>, progress: ProgressHandle): Promise<boolean> {
  const { settings, context } = run;
  progress.pause();
  const page = planText(planned.plan, planned, styleOf(context.stderr, settings.output.color.stderr));
  const shown = !settings.output.json && !settings.output.quiet;
  if (shown) {
    context.stderr.write(page);
  }
  const agreed = await isConfirmed(run, { page, question: 'Go ahead? [y/N] ', shown });
  progress.resume();
  return agreed;
}

/** Asks at the terminal, if there is one. The progress pauses for the question. */
function askerOf({ context }: LongRun, progress: ProgressHandle): RunContext['ask'] {
  const { prompter } = context;
  if (!prompter) {
    return undefined;
  }
  return async (question) => {
    progress.pause();
    const answer = await prompter.ask(question);
    progress.resume();
    return answer;
  };
}

function conclude(run: LongRun, { report, problem }: RunResult<OutcomeCounts>): ExitCode {
  const { settings, context } = run;
  const style = styleOf(context.stdout, settings.output.color.stdout);
  context.stdout.write(settings.output.json ? jsonText(report, 2) : reportText(report, style));
  const uncopied = run.reportCopy === undefined ? undefined : copyReport(report, run.reportCopy, context);
  if (problem && problem.exit === report.exit_code) {
    throw problem;
  }
  if (report.exit_code !== EXIT.ok && report.exit_code !== EXIT.partial) {
    throw problemOf(report);
  }
  if (uncopied) {
    throw uncopied;
  }
  return report.exit_code;
}

/** The error of the report, or else what the verification found. */
function problemOf({ exit_code, status, error, verification }: RunReport<OutcomeCounts>): SvcError {
  if (error) {
    return new SvcError(exit_code, error.code, error.message, { hint: error.hint, requestId: error.request_id });
  }
  const failed = verification.checks.find((check) => check.status === 'failed');
  return new SvcError(exit_code, status, failed?.message ?? 'the run did not end well; see the report');
}

/** The error for a report copy that cannot be written. The problem that ended the run comes first. */
function copyReport(report: RunReport<OutcomeCounts>, name: string, { cwd, platform }: Context): SvcError | undefined {
  const stored = report.files.report;
  const path = resolve(cwd, name);
  try {
    writeOutput(path, stored === undefined ? jsonText(report, 2) : readFileSync(String(stored)), platform.user);
    return undefined;
  } catch (cause) {
    return new SvcError(EXIT.usage, 'report_unwritable', `the report can't be written to ${safe(path)}`, {
      hint: stored === undefined ? 'Name another file.' : `It is kept at ${String(stored)}`,
      cause,
    });
  }
}
