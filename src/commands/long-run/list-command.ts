import type { ExitCode } from '../../base/lib/exit.ts';
import type { EnrollOptions } from '../../enroll/options.ts';
import type { ImportCommand, ImportOptions, RunOptions } from '../../migrate/options.ts';
import type { Invocation } from '../framework/invocation.ts';
import { requireYes } from '../framework/output/confirmation.ts';
import type { Settings } from '../framework/settings/settings.ts';
import { noteStdinWait } from '../framework/stdin.ts';
import { withMapping } from './answers/mapping.ts';
import { createAnswering } from './answers/questioner.ts';
import type { EnrollFlags } from './enroll-options.ts';
import { executeImport } from './execute.ts';
import { type ImportFlags, limitsOf } from './import-flags.ts';
import { importOptions } from './import-options.ts';
import type { LongRun } from './long-run.ts';
import { checkRunFiles, keepMapping } from './run-files.ts';

/** The three import commands. They differ in what they write. */
export function runImportCommand(command: ImportCommand, invocation: Invocation<ImportFlags>): Promise<ExitCode> {
  const inputs = invocation.args;
  return runListCommand(invocation, {
    inputs,
    prepare: async () => (flags: ImportFlags, settings) => importOptions({ command, inputs, flags, settings }),
    execute: executeImport,
  });
}

/** The parts in which the commands that send a list differ. */
interface ListCommand<Flags, Options extends RunOptions> {
  readonly inputs: readonly string[];
  /**
   * Looks up what the options need. Returns how flags become options, because answers to questions change the flags.
   */
  prepare(): Promise<(flags: Flags, settings: Settings) => Options>;
  execute(run: LongRun<Options>): Promise<ExitCode>;
}

/** Runs a command that sends a list: the agreement, the files of the command, the answers, and the run itself. */
export async function runListCommand<
  Flags extends ImportFlags | EnrollFlags,
  Options extends ImportOptions | EnrollOptions,
>(invocation: Invocation<Flags>, { inputs, prepare, execute }: ListCommand<Flags, Options>): Promise<ExitCode> {
  const { settings, context, line } = invocation;
  if (!invocation.flags.dryRun) {
    requireYes(invocation);
  }
  checkRunFiles(context, { ...invocation.flags, inputs });
  const flags = withMapping(invocation.flags, context.cwd, invocation.isTyped);
  const optionsOf = await prepare();
  const answering = createAnswering({ ...invocation, inputs, flags }, optionsOf);
  noteStdinWait(inputs, context);
  const exit = await execute({
    options: optionsOf(flags, settings),
    answering,
    limits: limitsOf(flags),
    waitMs: flags.wait,
    settings,
    context,
    line,
    copies: flags,
    details: flags.details,
    logFile: flags.logFile,
  });
  keepMapping(context, answering.flags(), exit);
  return exit;
}
