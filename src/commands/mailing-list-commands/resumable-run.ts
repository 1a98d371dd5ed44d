import { isAbsolute } from 'node:path';
import type { Context } from '../../base/context.ts';
import type { Emit, RunEvent } from '../../base/events.ts';
import { EXIT, type ExitCode, rewordError, SvcError } from '../../base/lib/errors.ts';
import { messageOfFailure } from '../../base/lib/interruption.ts';
import { shellWord, terminalSafe } from '../../base/lib/text.ts';
import { requireFreeFileHandles } from '../../base/os/storage-error.ts';
import { createProgress, type ProgressHandle } from '../../render/progress/progress.ts';
import { isAccountOrServiceError, type RunAccount, type RunContext } from '../../run-lifecycle/data/run-context.ts';
import type { RunOptions } from '../../run-lifecycle/data/run-options.ts';
import type { OutcomeCounts, RunReport } from '../../run-lifecycle/data/run-report.ts';
import { type RecordedWait, recordWaits } from '../../run-lifecycle/data/timeline.ts';
import type { RunResult } from '../../run-lifecycle/end/end-run.ts';
import { isComparisonCommand } from '../../runs/find/run-status.ts';
import type { RunSummary } from '../../runs/find/summarize-run.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { TypedCommand } from '../../runs/store/run-header.ts';
import { withPasteableLastCommand } from '../framework/output/command-to-paste.ts';
import { prepareResumeLine } from '../framework/output/resume-line.ts';
import { type Account, type AccountLimits, canReachAccount, openAccount } from '../framework/settings/account.ts';
import { resolveStateFolder, type Settings } from '../framework/settings/settings.ts';
import { printEarlyEnd } from './output/early-end.ts';
import { type LogFile, openLogFile } from './output/log-file.ts';
import { type GuardedCopies, type ReportCopies, recordCopies, writeReportFiles } from './output/report-files.ts';
import { createRunScreen, type RunScreen } from './output/run-screen.ts';
import { type AnswerSource, createQuestioner } from './questioner.ts';
import { recordedCommandWith, withRecordedCommands } from './recorded-line.ts';
import { retypeForInputs, retypeLine, typedAnswersIn, typedCommandOf, withCommandsInHint } from './retype-line.ts';

/** A command that makes or resumes a run, and what it needs. */
export interface ResumableRun<Options extends RunOptions = RunOptions> {
  readonly options: Options;
  readonly limits: AccountLimits;
  readonly lockWaitMs: number;
  readonly settings: Settings;
  readonly context: Context;
  /** The words after `svc`, as typed. */
  readonly argv: readonly string[];
  /** The id of the run to resume. A resumed run keeps the options of its first command line. */
  readonly resume: string | undefined;
  /** The command line that the run recorded. Undefined for a new run. */
  readonly recorded: TypedCommand | undefined;
  /** The flags that answers at the terminal can change. Undefined if the command asks nothing, as a resume does. */
  readonly answerSource: AnswerSource | undefined;
  readonly copies: ReportCopies | undefined;
  /** True with --details: shows the whole plan and the whole result. */
  readonly details: boolean | undefined;
  readonly logFile: string | undefined;
}

type Engine<Options> = (options: Options, context: RunContext, resume?: string) => Promise<RunResult<OutcomeCounts>>;

/**
 * Runs an import or an enrollment, and prints its result. Then throws the problem that ended it early, if any. With
 * --json, prints a report of a run with a recorded plan even if the command ends before it has a result.
 */
export async function executeRun<Options extends RunOptions>(
  run: ResumableRun<Options>,
  engine: Engine<Options>,
): Promise<ExitCode> {
  let opened = run.resume;
  let account: RunAccount | undefined;
  let isReported = false;
  let copies: GuardedCopies = { ...run.copies, inputs: [] };
  const onOpened = (journal: Journal) => {
    opened = journal.run;
    if (!run.options.dryRun) {
      copies = recordCopies(journal, run.copies ?? {}, run.context);
    }
  };
  const work = (context: RunContext) => {
    account = context.account;
    const openedInContext = (journal: Journal) => {
      context.onOpened(journal);
      onOpened(journal);
    };
    return engine(run.options, { ...context, onOpened: openedInContext }, run.resume);
  };
  try {
    return await withRunContext(run, work, (ended, screen) => {
      isReported = true;
      return concludeRun({ ...run, copies }, ended, screen.finish(ended));
    });
  } catch (error) {
    if (!isReported) {
      await printEarlyEnd(run, { run: opened, account }, error);
    }
    throw error;
  }
}

/**
 * Opens the account and the progress display, calls `work`, and then `finishRun` with the result. Closes account and
 * display, even after an error.
 */
export function withRunContext<T>(
  run: ResumableRun,
  work: (context: RunContext) => Promise<T>,
  finishRun: (ended: T, screen: RunScreen) => Promise<ExitCode> | ExitCode,
): Promise<ExitCode> {
  if (run.resume !== undefined) {
    prepareRunLine(run, run.resume);
  }
  run.context.tuneForMuchData();
  requireFreeFileHandles(OPEN_FILES);
  return withLogFile(run, async (log) => {
    const { settings, context, options } = run;
    const { stderr, clock, onEvent } = context;
    const color = settings.output.color.stderr;
    const progress = createProgress({ stderr, ...settings.output, color, clock, onEvent, log, signal: context.signal });
    const screen = createRunScreen(
      {
        ...run,
        platformFlag: options.reading.from,
        details: run.details === true,
        log,
        recordedCommandWith: recordedCommandWith(run),
      },
      progress,
    );
    const recordedWaits: RecordedWait[] = [];
    const emit = recordWaits(recordedWaits, clock, (event) => progress.emit(withPasteableNote(event, run)));
    emit({ type: 'doing', what: 'reading the input' });
    let opened: OpenedAccount = { account: undefined, accountProblem: undefined };
    try {
      opened = await openAccountFor(run, emit);
      // Written once the API key was read, because the log hides a typed key only from then on.
      log?.writePage(`svc ${run.argv.map(shellWord).join(' ')}`);
      const runContext = { ...contextOf(run, opened, progress), confirm: screen.confirm, emit, recordedWaits };
      const ended = await work(runContext).catch((error: unknown) => {
        const shown = withCommandsInHint(error, runContext.commandWith);
        throw run.resume === undefined ? shown : withRecordedCommands(shown, run);
      });
      progress.stop();
      return await finishRun(ended, screen);
    } finally {
      progress.stop();
      await opened.account?.close();
    }
  });
}

function withPasteableNote(event: RunEvent, { argv, context }: ResumableRun): RunEvent {
  return event.type === 'note' ? { ...event, message: withPasteableLastCommand(event.message, argv, context) } : event;
}

async function withLogFile<T>(
  { context, logFile }: Pick<ResumableRun, 'context' | 'logFile'>,
  work: (log: LogFile | undefined) => Promise<T>,
): Promise<T> {
  const log = logFile === undefined ? undefined : openLogFile(logFile, context);
  try {
    return await work(log);
  } catch (error) {
    log?.writePage(`svc: ${terminalSafe(messageOfFailure(error, context.signal))}`);
    throw error;
  } finally {
    const why = log?.problem();
    if (why !== undefined) {
      context.stderr.write(`svc: the log file is not complete: ${terminalSafe(why)}\n`);
    }
    log?.close();
  }
}

// The maximum number of files that a run has open at once. They are three databases of three files each, connections, a
// list and its copy, a second thread, and the files to write.
const OPEN_FILES = 32;

interface OpenedAccount {
  readonly account: Account | undefined;
  /** Why the account could not be opened. Undefined if it was opened, or if the settings name no account. */
  readonly accountProblem: string | undefined;
}

/** Opens the account. If the API key is invalid, a dry run continues without an account. */
async function openAccountFor(run: ResumableRun, emit: Emit): Promise<OpenedAccount> {
  if (run.options.dryRun && !canReachAccount(run.settings)) {
    return { account: undefined, accountProblem: undefined };
  }
  try {
    return { account: await openAccount({ ...run, emit }), accountProblem: undefined };
  } catch (error) {
    if (run.options.dryRun && isAccountOrServiceError(error)) {
      return { account: undefined, accountProblem: error.message };
    }
    throw error;
  }
}

function contextOf(
  run: ResumableRun,
  { account, accountProblem }: OpenedAccount,
  progress: ProgressHandle,
): Omit<RunContext, 'confirm' | 'emit' | 'recordedWaits'> {
  const { context, settings, limits } = run;
  const words: string[] = [];
  const undone = isComparisonCommand(run.options.command) ? 'compared' : 'sent';
  const commandWith = (flags: string, without?: readonly string[]) => retypeLine(flags, run, words, without);
  const lineWith = (flags: string) => retypeLine(flags, run);
  return {
    ...context,
    account,
    accountProblem,
    stateFolder: resolveStateFolder(context, settings),
    relativeStateFolder: settings.stateDir && !isAbsolute(settings.stateDir) ? settings.stateDir : undefined,
    rateLimits: { rate: limits.rate, reserve: limits.reserve },
    lockWaitMs: run.lockWaitMs,
    isYesGiven: settings.yes,
    onOpened: (journal) => prepareRunLine(run, journal.run),
    commandWith: run.resume === undefined ? commandWith : recordedCommandWith(run),
    commandForInputs: run.resume === undefined ? (inputs) => retypeForInputs(inputs, run) : undefined,
    typedAnswers: run.resume === undefined ? typedAnswersIn(run.argv) : undefined,
    typedCommand: () => (run.resume === undefined ? typedCommandOf(run, words) : undefined),
    questioner: createQuestioner({ ...run, words, undone, progress, command: () => commandWith(''), lineWith }),
  };
}

/** Prepares the line that says how to continue after a second Ctrl-C (D1). A dry run has nothing to continue. */
function prepareRunLine(run: ResumableRun, id: string): void {
  const { command, dryRun } = run.options;
  if (!dryRun) {
    const canContinue = ({ finished, hasSent, header }: RunSummary) =>
      finished === false && (hasSent === true || header?.agreed === true || isComparisonCommand(command));
    prepareResumeLine(run, id, canContinue);
  }
}

async function concludeRun(
  run: ResumableRun & { readonly copies: GuardedCopies },
  { report }: RunResult<OutcomeCounts>,
  problem: SvcError | undefined,
): Promise<ExitCode> {
  const writeProblem = await writeReportFiles(report, run.copies, run.context);
  const isBad = report.exit_code !== EXIT.ok && report.exit_code !== EXIT.partial;
  const shown = problem && problem.exit === report.exit_code ? problem : isBad ? problemOf(report) : undefined;
  if (shown) {
    // Without --json, the printed result already has the next steps.
    throw run.settings.output.json ? rewordError(shown, { hint: shown.hint ?? report.next.join('\n') }) : shown;
  }
  if (writeProblem) {
    throw writeProblem;
  }
  return report.exit_code;
}

/**
 * The error for a run that did not end well: the error in its report, or else the first failed check of the
 * verification.
 */
function problemOf({ exit_code, status, error, verification }: RunReport<OutcomeCounts>): SvcError {
  if (error) {
    return new SvcError(exit_code, error.code, error.message, { hint: error.hint, requestId: error.request_id });
  }
  const failed = verification.checks.find((check) => check.status === 'failed');
  return new SvcError(exit_code, status, failed?.message ?? 'the run failed: see its report');
}
