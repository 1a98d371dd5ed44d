import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Context } from '../../../base/context.ts';
import { shellWord } from '../../../base/lib/text.ts';
import type { Invocation } from '../invocation.ts';

/**
 * A whole svc command to paste, which reaches the same account. It starts with npx if this command did, and keeps the
 * flags that chose the account on the command line.
 */
export function commandToPaste(
  words: readonly string[],
  { line, context }: Pick<Invocation<unknown>, 'line' | 'context'>,
): string {
  const account = typedPlaceFlags(line, context.cwd).filter(([name]) => name !== STATE_DIR);
  return [programName(context), ...[...words, ...account.flat()].map(shellWord)].join(' ');
}

// Flags that choose the account or the state folder. A command in a hint needs them again.
const STATE_DIR = '--state-dir';
const KEY_FILE = '--api-key-file';
const PLACE_FLAGS = ['--profile', '--base-url', KEY_FILE, '--emulator-data', STATE_DIR];

/**
 * The text with its svc commands changed to work as typed: with npx if this command was started by npx, and with the
 * flags that chose the account and the state folder. A command that names such a flag already keeps its own. `svc auth
 * login` reads another key.
 */
export function asStarted(text: string, words: readonly string[], context: Pick<Context, 'env' | 'cwd'>): string {
  const program = programName(context);
  const flags = typedPlaceFlags(words, context.cwd);
  return text.replace(COMMAND, (line, group: string) => {
    const isHelp = WITHOUT_ACCOUNT.has(group) || / --help\b/.test(line);
    const missing = (isHelp ? [] : flags).filter(
      ([name]) => !line.includes(`${name} `) && !line.includes(`${name}=`) && !(group === 'auth' && name === KEY_FILE),
    );
    return [program, ...missing.flat().map(shellWord), group].join(' ') + line.slice(`svc ${group}`.length);
  });
}

// From the name of the program to the end of the line, or to the next command.
const COMMAND =
  /(?<![\w/.-]|npx )svc (migrate|runs|audiences|automations|contacts|suppressions|webhooks|emails|doctor|auth|mcp|emulator|completion|help|--help|--version)(?![\w-])(?:(?! svc ).)*/g;

/** Groups that ask no account. */
const WITHOUT_ACCOUNT: ReadonlySet<string> = new Set(['emulator', 'completion', 'help', '--help', '--version']);

/** The typed flags. Leaves out a value of --api-key-file that is no file: it may be the key itself (rule K1). */
function typedPlaceFlags(line: readonly string[], cwd: string): (readonly [name: string, value: string])[] {
  const words = flagsOf(line);
  return PLACE_FLAGS.flatMap((name) => {
    const at = words.lastIndexOf(name);
    const joined = words.findLast((word) => word.startsWith(`${name}=`));
    const value = joined === undefined ? words[at < 0 ? words.length : at + 1] : joined.slice(name.length + 1);
    const isShown = value !== undefined && (name !== KEY_FILE || existsSync(resolve(cwd, value)));
    return isShown ? [[name, value] as const] : [];
  });
}

/**
 * Hides each key that was typed instead of the name of its file, because errors and hints repeat the line (rule K1).
 */
export function hideTypedKeys(line: readonly string[], { cwd, hide }: Pick<Context, 'cwd' | 'hide'>): void {
  for (const [at, word] of flagsOf(line).entries()) {
    const [name, joined] = word.split(/=(.*)/s);
    const value = name === KEY_FILE ? (joined ?? line[at + 1]) : undefined;
    if (value !== undefined && isTypedKey(value, cwd)) {
      hide(value);
    }
  }
}

// A shorter word is treated as the name of a missing file.
const SHORTEST_KEY = 20;

/**
 * True for a key that was typed instead of the name of its file. False for an existing file, a path such as `./key`,
 * and a path into an existing folder.
 */
export function isTypedKey(value: string, cwd: string): boolean {
  const path = resolve(cwd, value);
  const isPath = /^(?:\.{0,2}\/|~)/.test(value) || (value.includes('/') && existsSync(dirname(path)));
  return value.length >= SHORTEST_KEY && !isPath && !existsSync(path);
}

/** How the program was started: npx names itself in the environment. */
export function programName({ env }: Pick<Context, 'env'>): string {
  return env.npm_command === 'exec' ? 'npx svc' : 'svc';
}

/** The words after `svc` as a line to paste, with more flags (shell text). Words behind `--` are not flags. */
export function lineWithFlags(flags: string, words: readonly string[], program = 'svc'): string {
  const end = flagsOf(words).length;
  return [
    program,
    ...withoutReplaced(words.slice(0, end), flags).map(shellWord),
    ...(flags === '' ? [] : [flags]),
    ...words.slice(end).map(shellWord),
  ].join(' ');
}

const ONE_VALUE = ['--gone', '--max-gone', '--max-failures', '--max-new-fields'];

/** The words without each flag that `flags` sets again, if the flag takes one value. */
function withoutReplaced(words: readonly string[], flags: string): readonly string[] {
  const replaced = ONE_VALUE.filter((name) => flags.split(' ').includes(name));
  const isValue = (word: string, name: string, at: number) => words[at - 1] === name && !word.startsWith('-');
  return words.filter(
    (word, at) => !replaced.some((name) => word === name || word.startsWith(`${name}=`) || isValue(word, name, at)),
  );
}

/** The words that may be flags: those before `--`. */
export function flagsOf(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}
