import { resolve } from 'node:path';
import type { ExitCode } from '../../base/lib/errors.ts';
import { temporaryPathFor } from '../../base/os/replace-file.ts';
import type { CheckOptions } from '../../contacts-check/check-options.ts';
import type { Invocation } from '../framework/invocation.ts';
import { checkStdinOnce, noteStdinWait } from '../framework/stdin.ts';
import { existingTarget } from '../mailing-list-commands/flags/audience-target.ts';
import { accountLimitsOf, type ImportFlags } from '../mailing-list-commands/flags/import-flags.ts';
import { readingOptions } from '../mailing-list-commands/flags/import-options.ts';
import { parseFailureLimit } from '../mailing-list-commands/flags/only-changed-flags.ts';
import { executeCheck } from '../mailing-list-commands/mailing-list-command.ts';
import { saveMappingIfAsked, withMapping } from '../mailing-list-commands/mapping/mapping-file.ts';
import { checkOutputFiles, refuseForeign } from '../mailing-list-commands/output-files.ts';
import { createAnswerSource } from '../mailing-list-commands/questioner.ts';

interface CheckFlags extends Omit<ImportFlags, 'verify' | 'verifySample'> {
  readonly output?: string;
  readonly force?: boolean;
}

export async function checkList(invocation: Invocation<CheckFlags>): Promise<ExitCode> {
  const { args, settings, context, argv } = invocation;
  checkStdinOnce(settings, args);
  const output = checkedOutput(invocation);
  const flags = withMapping(invocation, 'contacts check');
  noteStdinWait(args, context);
  const options: CheckOptions = {
    command: 'contacts check',
    inputs: args,
    reading: readingOptions(flags),
    target: existingTarget(flags, settings),
    maxFailures: parseFailureLimit('--max-failures', flags.maxFailures),
    dryRun: false,
    output,
    force: flags.force,
    verifies: undefined,
  };
  // Answers change only these options. A check sends nothing, so no answer is about the audience or about sending.
  const answerSource = createAnswerSource({ ...invocation, inputs: args, flags }, (answered) => ({
    reading: readingOptions(answered),
    maxFailures: parseFailureLimit('--max-failures', answered.maxFailures),
  }));
  const { details, logFile } = flags;
  const pace = { limits: accountLimitsOf(flags), lockWaitMs: flags.wait, resume: undefined, recorded: undefined };
  const shown = { copies: undefined, details, logFile };
  const exit = await executeCheck({ ...pace, ...shown, options, answerSource, settings, context, argv });
  await saveMappingIfAsked(context, args, answerSource.flags(), exit);
  return exit;
}

/**
 * The absolute path of --output, if it is given. Throws if an output file is also an input or another output file. Also
 * throws if the file of --output belongs to another user.
 */
export function checkedOutput({
  args,
  flags,
  context,
}: Pick<Invocation<Pick<CheckFlags, 'output' | 'mapping' | 'saveMapping' | 'logFile'>>, 'args' | 'flags' | 'context'>) {
  const { output, mapping, saveMapping, logFile } = flags;
  checkOutputFiles(context, { inputs: args, output, mapping, saveMapping, logFile });
  if (output === undefined) {
    return undefined;
  }
  const path = resolve(context.cwd, output);
  refuseForeign('--output', path, context);
  refuseForeign('--output', temporaryPathFor(path), context);
  return path;
}
