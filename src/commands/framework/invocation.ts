import type { Command } from 'commander';
import type { Context } from '../../base/context.ts';
import { badUsage, type ExitCode, rewordError, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { globalsOf, withGlobals } from './globals.ts';
import { withHeartbeat } from './output/heartbeat.ts';
import { exposureOfConfig, resolveSettings, type Settings, warnOfExposure } from './settings/settings.ts';

/**
 * One command as the user started it. `argv` has the words after `svc`, as typed. `isTyped` is true for a flag that is
 * among these words.
 */
export interface Invocation<Flags> {
  readonly args: readonly string[];
  readonly flags: Flags;
  isTyped(flag: string): boolean;
  readonly settings: Settings;
  readonly context: Context;
  readonly argv: readonly string[];
}

export type CommandBody<Flags> = (invocation: Invocation<Flags>) => Promise<ExitCode>;

/** What cli.ts passes to all commands. */
export interface CommandHost {
  readonly context: Context;
  /** The words after `svc`, as typed. */
  readonly argv: readonly string[];
  finish(exit: ExitCode): void;
}

/**
 * Sets the body of a command, and adds the global flags. `load` imports the body only when the command runs, so that
 * svc starts fast. With `newProfile`, --profile may name a profile that does not exist yet.
 */
export function setAction<Flags>(
  command: Command,
  host: CommandHost,
  load: () => Promise<CommandBody<Flags>>,
  { newProfile = false } = {},
): Command {
  return withGlobals(command).action(async () => {
    const config = exposureOfConfig(host.context);
    const settings = resolveSettings(globalsOf(command), host.context, newProfile);
    const args = command.args;
    const isTyped = (flag: string) => command.getOptionValueSource(flag) === 'cli';
    // The flags of the command. commander gives their names in camelCase.
    const flags = command.opts() as Flags;
    warnOfExposure(settings, host.context, config);
    const { context, stop } = withHeartbeat(host.context, settings.output.quiet);
    try {
      const run = await load();
      host.finish(await run({ args, flags, isTyped, settings, context, argv: host.argv }));
    } finally {
      stop();
    }
  });
}

/** Parser for a flag that may be given several times, such as --email. */
export function collectValues(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/**
 * Returns the result of `check` for the value of a flag or variable. An error gets the name of the flag or variable.
 */
export function checkValue<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof SvcError ? rewordError(error, { message: `${name}: ${error.message}` }) : error;
  }
}

/** Like `checkValue`, for a setting that can come from a flag, a variable or the profile. */
export function checkSetting<T>(flag: string, { source }: Settings['baseUrl'], check: () => T): T {
  const variable = `SVC_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
  const isNamed = source === 'flag' || source === 'environment';
  return isNamed ? checkValue(source === 'flag' ? flag : variable, check) : check();
}

/**
 * Makes the parser for a flag whose value is a whole number of at least `min`, with at most nine digits. Throws a usage
 * error that names the flag for any other text.
 */
export function wholeNumberParser(flag: string, min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value < min) {
      throw badUsage(`${flag} takes a whole number of at least ${min}, not "${terminalSafe(text)}"`);
    }
    return value;
  };
}
