import type { Command } from 'commander';
import type { Context } from '../../base/context.ts';
import { badUsage } from '../../base/lib/errors.ts';
import type { ExitCode } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { globalsOf, withGlobals } from './globals.ts';
import { withHeartbeat } from './output/heartbeat.ts';
import { exposureOfConfig, resolveSettings, type Settings, warnOfExposure } from './settings/settings.ts';

export interface Invocation<Flags> {
  readonly args: readonly string[];
  readonly flags: Flags;
  isTyped(flag: string): boolean;
  readonly settings: Settings;
  readonly context: Context;
  readonly line: readonly string[];
}

export type Run<Flags> = (invocation: Invocation<Flags>) => Promise<ExitCode>;

/** What the program gives to the command tree: the context, the typed words, and where the exit code goes. */
export interface Host {
  readonly context: Context;
  /** The words after `svc`, as typed. */
  readonly line: readonly string[];
  finish(exit: ExitCode): void;
}

/**
 * Makes a body the action of a command, and adds the global flags. `load` imports the body, because loading takes time.
 * `newProfile`: the command may name a profile that doesn't exist yet.
 */
export function action<Flags>(
  command: Command,
  host: Host,
  load: () => Promise<Run<Flags>>,
  { newProfile = false } = {},
): Command {
  return withGlobals(command).action(async () => {
    const config = exposureOfConfig(host.context);
    const settings = resolveSettings(globalsOf(command), host.context, newProfile);
    const args = command.args;
    const isTyped = (flag: string) => command.getOptionValueSource(flag) === 'cli';
    // The options of the command in commander's camelCase.
    const flags = command.opts() as Flags;
    warnOfExposure(settings, host.context, config);
    const { context, stop } = withHeartbeat(host.context, settings.output.quiet);
    try {
      const run = await load();
      host.finish(await run({ args, flags, isTyped, settings, context, line: host.line }));
    } finally {
      stop();
    }
  });
}

/** Parser for flags that may be given several times, with one value each time. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** Parser for flags with a whole number of at least `least`. Anything else is a usage error that names the flag. */
export function wholeNumber(flag: string, least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value < least) {
      throw badUsage(`${flag} takes a whole number of at least ${least}, not "${safe(text)}"`);
    }
    return value;
  };
}
