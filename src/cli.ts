import { Command, CommanderError } from 'commander';
import { type Context, type ProcessContext, withHiddenSecrets } from './base/context.ts';
import { EXIT, type ExitCode, errorMessage, SvcError } from './base/lib/errors.ts';
import { interruptedError, interruptionOf } from './base/lib/interruption.ts';
import { possibleFlagsOf, terminalSafe } from './base/lib/text.ts';
import { toSvcError } from './base/os/storage-error.ts';
import { addCommandGroups } from './commands/command-groups.ts';
import { withGlobals } from './commands/framework/globals.ts';
import type { CommandHost } from './commands/framework/invocation.ts';
import { hideTypedKeys, withPasteableCommands } from './commands/framework/output/command-to-paste.ts';
import { hasRemoval } from './commands/framework/output/lines-to-type.ts';
import { refuseMissingOptionValue, toUsageError, withCommandToType } from './commands/framework/usage-error.ts';
import type { ShownError } from './render/text/error.ts';
import { VERSION } from './version.ts';

/** Runs one command line and returns its exit code. Problems become messages and exit codes only here. */
export async function runCli(argv: readonly string[], processContext: ProcessContext): Promise<ExitCode> {
  const context = withHiddenSecrets(processContext);
  hideTypedKeys(argv, context);
  let exit: ExitCode = EXIT.ok;
  const host: CommandHost = {
    context,
    argv,
    finish: (code) => {
      exit = code;
    },
  };
  let program: Command | undefined;
  try {
    program = await createProgram(host, argv);
    refuseMissingOptionValue(program, argv);
    await program.parseAsync([...argv], { from: 'user' }).catch(ignoreShownHelp);
    await context.stdout.flushed?.().catch(outputLost);
    return exit;
  } catch (error) {
    return await report(explainUsage(error, program, host), argv, context);
  }
}

/** commander throws after it has printed the help or the version. That is no error. Throws any other error again. */
function ignoreShownHelp(error: unknown): void {
  if (!(error instanceof CommanderError && error.exitCode === 0)) {
    throw error;
  }
}

/** Ends with exit 1 if the output is incomplete. Otherwise a script would take it for complete. */
function outputLost(cause: unknown): never {
  throw new SvcError(EXIT.failed, 'output_lost', `the output could not be written: ${errorMessage(cause)}`, {
    hint: 'The command did its work; only the printed output is incomplete.',
    cause,
  });
}

/** The commands that the words on the command line need (see addCommandGroups); all commands if there are no words. */
export async function createProgram(host: CommandHost, words?: readonly string[]): Promise<Command> {
  const program = withGlobals(new Command('svc'))
    .description('Moves mailing lists into the email service and administers the account there.')
    .version(versionText(words), '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    // A flag after a subcommand belongs to that subcommand. Otherwise commander could read a value that begins with a
    // dash as a flag of a parent command.
    .enablePositionalOptions()
    .showHelpAfterError(false)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.context.stdout.write(text),
      // The catch in runCli prints usage errors once, in the requested form.
      writeErr: () => undefined,
    });
  await addCommandGroups(program, host, words);
  inheritSettings(program, versionText(words));
  return program;
}

function versionText(words: readonly string[] = []): string {
  return possibleFlagsOf(words).includes('--json') ? JSON.stringify({ object: 'version', version: VERSION }) : VERSION;
}

/**
 * Copies the settings of a command to its subcommands, and adds a hidden --version to each. commander copies settings
 * only to commands that are created after exitOverride and configureOutput.
 */
function inheritSettings(command: Command, version: string): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    child.version(version, '--version').options.at(-1)?.hideHelp();
    inheritSettings(child, version);
  }
}

/**
 * Puts a usage error into the words of svc, with a command to type next. An error with a hint to remove flags gets such
 * a command too. Other errors stay unchanged.
 */
function explainUsage(
  error: unknown,
  program: Command | undefined,
  { argv, context }: Pick<CommandHost, 'argv' | 'context'>,
): unknown {
  if (program === undefined) {
    return error;
  }
  const problem = error instanceof CommanderError ? toUsageError(error, program, argv) : error;
  const isForThisLine = problem instanceof SvcError && (problem.exit === EXIT.usage || hasRemoval(problem.hint));
  return isForThisLine ? withCommandToType(problem, program, { argv, context }) : problem;
}

async function report(error: unknown, argv: readonly string[], context: Context): Promise<ExitCode> {
  const problem = asSvcError(error, context);
  const shown = {
    code: problem.code,
    message: withPasteableCommands(problem.message, argv, context),
    hint: problem.hint === undefined ? undefined : withPasteableCommands(problem.hint, argv, context),
    exit_code: problem.exit,
    request_id: problem.requestId,
  };
  const flags = possibleFlagsOf(argv);
  if (!problem.isPrinted || flags.includes('--json')) {
    context.stderr.write(await renderError(shown, flags, context));
  }
  return problem.exit;
}

/**
 * The text of the problem. If the process may open no more files, the formatter cannot load. Then the text is only the
 * message and the hint.
 */
async function renderError(shown: ShownError, flags: readonly string[], { stderr, env }: Context): Promise<string> {
  const json = flags.includes('--json');
  try {
    const { errorJson, errorText } = await import('./render/text/error.ts');
    const { mayColor, styleOf } = await import('./render/text/style.ts');
    const color = mayColor({ isOff: flags.includes('--no-color'), env, isTTY: stderr.isTTY });
    return json ? errorJson(shown) : errorText(shown, styleOf(stderr, color));
  } catch {
    const { message, hint } = shown;
    return json
      ? `${JSON.stringify({ error: shown })}\n`
      : `svc: ${terminalSafe(message)}\n${hint ? `  ${terminalSafe(hint)}\n` : ''}`;
  }
}

function asSvcError(error: unknown, context: Context): SvcError {
  if (error instanceof SvcError) {
    return error;
  }
  const interrupted = interruptionOf(context.signal);
  if (interrupted) {
    return interruptedError(interrupted);
  }
  return toSvcError(error);
}
