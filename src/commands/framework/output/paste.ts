import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../../base/context.ts';
import { shellWord } from '../../../base/lib/text.ts';
import { flagsOf, programName } from '../invocation.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * A whole svc command to paste, for the account of this command: the flags that chose the account on the command line
 * come with it.
 */
export function commandToPaste(words: readonly string[], settings: Settings): string {
  return ['svc', ...words, ...accountFlags(settings)].map(shellWord).join(' ');
}

function accountFlags({ profile, baseUrl, key, emulatorData }: Settings): string[] {
  const flag = (name: string, { value, source }: { readonly value: string | undefined; readonly source: string }) =>
    source === 'flag' && value !== undefined ? [name, value] : [];
  return [
    ...flag('--profile', profile),
    ...flag('--base-url', baseUrl),
    ...(key.kind === 'file' ? flag('--api-key-file', { value: key.path, source: key.source }) : []),
    ...(emulatorData === undefined ? [] : ['--emulator-data', emulatorData]),
  ];
}

// Flags that choose the account or the state folder. A command in a hint needs them again.
const PLACE_FLAGS = ['--profile', '--base-url', '--api-key-file', '--emulator-data', '--state-dir'];

/**
 * The text with its svc commands as this one was started: by npx or not, and with the flags that chose the account and
 * the state folder. A command that names such a flag already keeps its own.
 */
export function asStarted(text: string, words: readonly string[], context: Pick<Context, 'env' | 'cwd'>): string {
  const program = programName(context);
  const flags = typedPlaceFlags(flagsOf(words)).filter((flag) => !isNoFile(flag, context.cwd));
  return text.replace(COMMAND, (line, group: string) => {
    const missing = flags.filter(([name]) => !line.includes(`${name} `) && !line.includes(`${name}=`));
    return [program, ...missing.flat().map(shellWord), group].join(' ') + line.slice(`svc ${group}`.length);
  });
}

// From the name of the program to the end of the line, or to the next command.
const COMMAND =
  /(?<![\w/.-]|npx )svc (runs|audiences|automations|contacts|suppressions|webhooks|doctor|auth)\b(?:(?! svc ).)*/g;

// A key that was typed in place of its file must not be shown (rule K1).
function isNoFile([name, value]: readonly [name: string, value: string], cwd: string): boolean {
  return name === '--api-key-file' && !existsSync(resolve(cwd, value));
}

function typedPlaceFlags(words: readonly string[]): (readonly [name: string, value: string])[] {
  return PLACE_FLAGS.flatMap((name) => {
    const at = words.lastIndexOf(name);
    const joined = words.findLast((word) => word.startsWith(`${name}=`));
    const value = joined === undefined ? words[at < 0 ? words.length : at + 1] : joined.slice(name.length + 1);
    return value === undefined ? [] : [[name, value] as const];
  });
}
