import { resolve } from 'node:path';
import { EXIT, type ExitCode } from '../../base/lib/errors.ts';
import { withOutputLocks } from '../../base/os/file-lock.ts';
import { temporaryPathFor } from '../../base/os/replace-file.ts';
import { type CheckOptions, OUTPUT_BEGUN_NOTE } from '../../contacts-check/check-options.ts';
import { runCheck } from '../../contacts-check/run-check.ts';
import type { EnrollOptions } from '../../enroll/draft/enroll-options.ts';
import { runEnrollment } from '../../enroll/run-enrollment.ts';
import { checkAnswers } from '../../import/mapping/answers/check-answers.ts';
import { findInputs } from '../../import/source/input-copies.ts';
import { openInputs } from '../../import/source/open-inputs.ts';
import { openTables } from '../../import/tables/open-tables.ts';
import { runImport } from '../../migrate/run-import.ts';
import { checkText } from '../../render/report/check.ts';
import type { RunContext } from '../../run-lifecycle/data/run-context.ts';
import type { ImportCommand, ImportOptions, RunOptions } from '../../run-lifecycle/data/run-options.ts';
import { tryReadRun } from '../../runs/store/open-journal.ts';
import type { CommandBody, Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { lacksAgreement, requireYes } from '../framework/output/prompts.ts';
import { resolveStateFolder, type Settings } from '../framework/settings/settings.ts';
import { noteStdinWait } from '../framework/stdin.ts';
import { accountLimitsOf, type ImportFlags } from './flags/import-flags.ts';
import { type EnrollFlags, importOptions } from './flags/import-options.ts';
import type { MappingCommand } from './mapping/mapping-fields.ts';
import { saveMappingIfAsked, withMapping } from './mapping/mapping-file.ts';
import { checkOutputFiles, refuseExisting } from './output-files.ts';
import { createAnswerSource } from './questioner.ts';
import { executeRun, type ResumableRun, withRunContext } from './resumable-run.ts';

/** Makes the body of `migrate`, `contacts import` or `suppressions import`, which differ only in what they write. */
export function importCommand(command: ImportCommand): CommandBody<ImportFlags> {
  return (invocation) => {
    const inputs = invocation.args;
    return runMailingListCommand(invocation, {
      command,
      inputs,
      prepare: async () => (flags: ImportFlags, settings) => importOptions({ command, inputs, flags, settings }),
      execute: executeImport,
    });
  };
}

/** A command that reads a mailing list: an import or an enrollment. */
interface MailingListCommand<Flags, Options extends RunOptions> {
  readonly command: MappingCommand;
  readonly inputs: readonly string[];
  /**
   * Looks up what the options need, such as an id. Returns a function that turns flags into options. svc calls that
   * function again after each answer at the terminal, because an answer changes the flags.
   */
  prepare(): Promise<(flags: Flags, settings: Settings) => Options>;
  execute(run: ResumableRun<Options>): Promise<ExitCode>;
}

export async function runMailingListCommand<
  Flags extends ImportFlags | EnrollFlags,
  Options extends ImportOptions | EnrollOptions,
>(
  invocation: Invocation<Flags>,
  { command, inputs, prepare, execute }: MailingListCommand<Flags, Options>,
): Promise<ExitCode> {
  const { settings, context, argv } = invocation;
  // Wrong flags and files are reported before a missing --yes. So if svc asks only for --yes, nothing else is wrong
  // with the command.
  checkOutputFiles(context, { ...invocation.flags, inputs });
  const flags = withMapping(invocation, command);
  const optionsOf = await prepare();
  const options = optionsOf(flags, settings);
  if (!options.dryRun && lacksAgreement(invocation)) {
    await checkList(options, context.cwd);
    requireYes(invocation);
  }
  const answerSource = createAnswerSource({ ...invocation, inputs, flags }, optionsOf);
  noteStdinWait(inputs, context);
  const exit = await execute({
    options,
    resume: undefined,
    recorded: undefined,
    answerSource,
    limits: accountLimitsOf(flags),
    lockWaitMs: flags.wait,
    settings,
    context,
    argv,
    copies: flags,
    details: flags.details,
    logFile: flags.logFile,
  });
  await saveMappingIfAsked(context, inputs, answerSource.flags(), exit);
  return exit;
}

/**
 * Throws if svc can't read an input, or if an answer can't be right for this list. Reads only the beginning of each
 * file, and no pipe, because a pipe can be read only once. So if an input is a pipe, svc can't check whether the
 * answers fit.
 */
async function checkList({ inputs, reading }: Pick<RunOptions, 'inputs' | 'reading'>, cwd: string): Promise<void> {
  const files = (await findInputs(inputs, cwd)).filter(({ isStream }) => !isStream);
  const sources = await openInputs(files.map(({ path }) => ({ path, diskPath: resolve(cwd, path) })));
  checkAnswers(reading);
  if (files.length === inputs.length) {
    await openTables(sources, reading);
  }
}

/** Runs an import and prints its report. Then throws the problem that ended the run early, if there was one. */
export function executeImport(run: ResumableRun<ImportOptions>): Promise<ExitCode> {
  return executeRun(run, runImport);
}

export function executeEnroll(run: ResumableRun<EnrollOptions>): Promise<ExitCode> {
  return executeRun(run, runEnrollment);
}

/** Runs a check. Locks the file of --output, so that no other svc process writes it meanwhile. */
export function executeCheck(run: ResumableRun<CheckOptions>): Promise<ExitCode> {
  const { output } = run.options;
  return withOutputLocks(output === undefined ? [] : [output, temporaryPathFor(output)], async () => {
    if (output !== undefined) {
      refuseOutput(output, run);
    }
    return compareAndPrint(run);
  });
}

/** Throws if the file of --output exists and --force is missing. A resume may replace a file that its run began. */
function refuseOutput(output: string, { options, resume, settings, context }: ResumableRun<CheckOptions>): void {
  if (resume === undefined) {
    refuseExisting(output, options.force);
  } else {
    const isOwn =
      tryReadRun(resolveStateFolder(context, settings), resume, (journal) => journal.readNote(OUTPUT_BEGUN_NOTE)) ===
      true;
    refuseExisting(output, options.force || isOwn, `Move it away. Then: svc runs resume ${resume}`);
  }
}

/**
 * Runs the check and prints its result. With --quiet, prints it only if something differs. If the check was
 * interrupted, throws an error that says how to continue.
 */
function compareAndPrint(run: ResumableRun<CheckOptions>): Promise<ExitCode> {
  const { options, resume } = run;
  // `runs verify` uses the list flags of the verified run, and takes none itself. So its hints must not offer such
  // flags.
  const contextFor = (context: RunContext) =>
    options.verifies
      ? { ...context, commandWith: undefined, commandForInputs: undefined, typedAnswers: undefined }
      : context;
  const work = (context: RunContext) => runCheck(options, contextFor(context), resume);
  return withRunContext(run, work, (ended) => {
    if (!ended.report) {
      throw ended.problem;
    }
    const { exit_code } = ended.report;
    const { json, quiet } = run.settings.output;
    if (json || !quiet || exit_code !== EXIT.ok) {
      print(run, ended.report, checkText);
    }
    return exit_code;
  });
}
