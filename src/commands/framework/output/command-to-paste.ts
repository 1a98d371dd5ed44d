import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Context } from '../../../base/context.ts';
import { possibleFlagsOf, shellFlag, shellWord, splitShellText } from '../../../base/lib/text.ts';
import type { Invocation } from '../invocation.ts';

/**
 * A whole svc command to paste, for the account of the running command: it has the flags that chose the account. It
 * begins with npx if the user started svc with npx.
 */
export function commandToPaste(
  words: readonly string[],
  { argv, context }: Pick<Invocation<unknown>, 'argv' | 'context'>,
): string {
  const [group = ''] = words;
  const account = typedPlaceFlags(argv, context.cwd).filter(([name]) => name !== STATE_DIR && isFlagOf(group, name));
  return [programName(context), ...words.map(shellWord), ...account.map(textOf)].join(' ');
}

// Flags that choose the account or the state folder. A command that the user pastes needs them again.
const STATE_DIR = '--state-dir';
const KEY_FILE = '--api-key-file';
const BASE_URL = '--base-url';
const EMULATOR = '--emulator';
const EMULATOR_DATA = '--emulator-data';
const MCP_URL = '--mcp-url';
const PLACE_FLAGS = ['--profile', BASE_URL, MCP_URL, KEY_FILE, EMULATOR_DATA, STATE_DIR];

/**
 * Changes the svc commands in a text so that they work when they are pasted. Adds npx if the user started svc with npx,
 * and the typed flags that choose the account and the state folder. A command with one of these flags keeps its own.
 */
export function withPasteableCommands(
  text: string,
  words: readonly string[],
  context: Pick<Context, 'env' | 'cwd'>,
): string {
  const flags = typedPlaceFlags(words, context.cwd);
  return text.replace(COMMAND, (line, group: string) => {
    const isHelp = WITHOUT_ACCOUNT.has(group) || / --help\b/.test(line);
    const missing = (isHelp ? [] : flags).filter(
      ([name]) => !isNamed(line, name) && isFlagOf(group, name) && !isExcluded(line, name),
    );
    return [programName(context), ...missing.map(textOf), group].join(' ') + line.slice(`svc ${group}`.length);
  });
}

/**
 * True if a pasted command of this group may get the flag. `svc auth login` would store the key of --api-key-file as
 * the new key. Only `svc mcp` uses the MCP endpoint. --emulator alone starts an empty emulator: it needs no login, and
 * it does not have the runs of earlier commands.
 */
function isFlagOf(group: string, flag: string): boolean {
  return !WITHOUT_FLAG[flag]?.includes(group) && (group === 'mcp' || flag !== MCP_URL);
}

const WITHOUT_FLAG: Readonly<Record<string, readonly string[]>> = {
  [KEY_FILE]: ['auth'],
  [EMULATOR]: ['auth', 'runs'],
};

function isNamed(line: string, flag: string): boolean {
  return flag === EMULATOR ? / --emulator(?: |$)/.test(line) : line.includes(`${flag} `) || line.includes(`${flag}=`);
}

/** True for a flag that does not fit the command: --base-url and --mcp-url beside the emulator, and the reverse. */
function isExcluded(line: string, flag: string): boolean {
  const [urls, emulators] = [
    [BASE_URL, MCP_URL],
    [EMULATOR, EMULATOR_DATA],
  ];
  const excluding = urls.includes(flag) ? emulators : emulators.includes(flag) ? urls : [];
  return excluding.some((name) => isNamed(line, name));
}

/**
 * Like `withPasteableCommands`, for a note or a finding. Changes only a command after the last colon, because words
 * such as `svc migrate` in a sentence are not meant to be pasted.
 */
export function withPasteableLastCommand(
  text: string,
  words: readonly string[],
  context: Pick<Context, 'env' | 'cwd'>,
): string {
  const index = text.lastIndexOf(': svc ');
  return index < 0 ? text : text.slice(0, index) + withPasteableCommands(text.slice(index), words, context);
}

// Matches a command in a text: from `svc` to the end of the line, or to the next command.
const COMMAND =
  /(?<![\w/.-]|npx )svc (migrate|runs|audiences|automations|contacts|suppressions|webhooks|emails|doctor|auth|mcp|emulator|completion|help|--help|--version)(?![\w-])(?:(?! svc ).)*/g;

/** Command groups and flags that need no account. */
const WITHOUT_ACCOUNT: ReadonlySet<string> = new Set(['emulator', 'completion', 'help', '--help', '--version']);

/**
 * The typed flags that choose the account or the state folder, with their values. Leaves out --api-key-file if its file
 * does not exist, because the value may be the key itself (K1).
 */
export function typedAccountFlags(argv: readonly string[], cwd: string): (readonly [name: string, value: string])[] {
  const words = possibleFlagsOf(argv);
  return PLACE_FLAGS.flatMap((name) => {
    const index = words.lastIndexOf(name);
    const joined = words.findLast((word) => word.startsWith(`${name}=`));
    const value = joined === undefined ? words[index < 0 ? words.length : index + 1] : joined.slice(name.length + 1);
    const isShown = value !== undefined && (name !== KEY_FILE || existsSync(resolve(cwd, value)));
    return isShown ? [[name, value] as const] : [];
  });
}

/** Like `typedAccountFlags`, but also with a typed --emulator, which has no value. --emulator-data replaces it. */
function typedPlaceFlags(argv: readonly string[], cwd: string): (readonly [name: string, value: string | undefined])[] {
  const valued = typedAccountFlags(argv, cwd);
  const isEmulated = possibleFlagsOf(argv).includes(EMULATOR) && valued.every(([name]) => name !== EMULATOR_DATA);
  return [...(isEmulated ? [[EMULATOR, undefined] as const] : []), ...valued];
}

const textOf = ([name, value]: readonly [string, string | undefined]) =>
  value === undefined ? name : shellFlag(name, value);

/** The words without the flags that choose the account or the state folder, and without their values. */
export function withoutAccountFlags(words: readonly string[]): readonly string[] {
  return withoutValuedFlags(words, PLACE_FLAGS);
}

/** The words without `flags` and without their values. Each of these flags must take a value. */
export function withoutValuedFlags(words: readonly string[], flags: readonly string[]): readonly string[] {
  const end = possibleFlagsOf(words).length;
  const isFlag = (word = '') => flags.includes(word);
  return words.filter(
    (word, index) =>
      index >= end || !(isFlag(word) || isFlag(words[index - 1]) || flags.some((name) => word.startsWith(`${name}=`))),
  );
}

/**
 * Hides an API key that the user typed in place of its file name, because errors and hints repeat the typed line (K1).
 */
export function hideTypedKeys(argv: readonly string[], { cwd, hideSecret }: Pick<Context, 'cwd' | 'hideSecret'>): void {
  for (const [index, word] of possibleFlagsOf(argv).entries()) {
    const [name, joined] = word.split(/=(.*)/s);
    const value = name === KEY_FILE ? (joined ?? argv[index + 1]) : undefined;
    if (value !== undefined && isTypedKey(value, cwd)) {
      hideSecret(value);
    }
  }
}

// A shorter value counts as the name of a missing file, and never as a key.
const SHORTEST_KEY = 20;

/**
 * True if the value of --api-key-file is probably the key itself. False for an existing file, for a path such as
 * `./key`, and for a path into an existing folder.
 */
export function isTypedKey(value: string, cwd: string): boolean {
  const path = resolve(cwd, value);
  const isPath = /^(?:\.{0,2}\/|~)/.test(value) || (value.includes('/') && existsSync(dirname(path)));
  return value.length >= SHORTEST_KEY && !isPath && !existsSync(path);
}

/** How to start svc: `npx svc` if npx runs it, which sets `npm_command`. Otherwise `svc`. */
export function programName({ env }: Pick<Context, 'env'>): string {
  return env.npm_command === 'exec' ? 'npx svc' : 'svc';
}

/**
 * The typed line with more flags, to paste. `flags` is shell text. The flags go before `--`, because words after it are
 * never flags.
 */
export function lineWithFlags(flags: string, words: readonly string[], program: string): string {
  const end = possibleFlagsOf(words).length;
  return [
    program,
    ...withoutReplaced(words.slice(0, end), flags).map(shellWord),
    ...(flags === '' ? [] : [flags]),
    ...words.slice(end).map(shellWord),
  ].join(' ');
}

/** Flags that take one value. A new flag replaces the typed one, because the line may have it only once. */
const ONE_VALUE = [
  ...[
    '--gone',
    '--max-gone',
    '--max-opt-outs',
    '--max-moved',
    '--max-failures',
    '--max-new-fields',
    '--mapping',
    '--max-wait',
    '--wait',
  ],
  ...[
    '--from',
    '--encoding',
    '--delimiter',
    '--quote',
    '--escape',
    '--timezone',
    '--speed',
    '--port',
    '--older-than',
    '--plan',
  ],
];

/** Flags that take pairs such as `City=ignore`. A new flag replaces a typed one for the same column, word or input. */
const PAIRS = ['--map', '--status-map', '--default-status', '--topic-value'];

/**
 * The words without the flags that `flags` has too: flags with one value, and pairs for the same column, word or input.
 */
function withoutReplaced(words: readonly string[], flags: string): readonly string[] {
  const replaced = ONE_VALUE.filter((name) => flags.split(' ').includes(name));
  // A negative number such as `-1` is a value, not a flag.
  const isValue = (word: string, name: string, index: number) => words[index - 1] === name && !/^-(?!\d)/.test(word);
  const pairs = new Set(splitShellText(flags).flatMap((_, index, all) => subjectAt(all, index) ?? []));
  const isPair = (index: number) => pairs.has(subjectAt(words, index) ?? '');
  return words.filter(
    (word, index) =>
      !replaced.some((name) => word === name || word.startsWith(`${name}=`) || isValue(word, name, index)) &&
      !isPair(index) &&
      !(PAIRS.includes(words[index - 1] ?? '') && isPair(index - 1)),
  );
}

/**
 * The part of a pair that says what it is about: `--map City=` for `--map City=ignore`. A `*=` at the start of the
 * pair, which means all inputs, is left out.
 */
function subjectAt(words: readonly string[], index: number): string | undefined {
  const [flag = '', joined] = words[index]?.split(/=(.*)/s) ?? [];
  const pair = (joined ?? words[index + 1] ?? '').replace(/^\*=(?=[^=]*$)/, '');
  return PAIRS.includes(flag) ? `${flag} ${pair.slice(0, pair.lastIndexOf('=') + 1)}` : undefined;
}
