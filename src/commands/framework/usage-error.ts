import type { Command, CommanderError } from 'commander';
import { badUsage, rewordError, type SvcError } from '../../base/lib/errors.ts';
import { possibleFlagsOf, shellWord, terminalSafe } from '../../base/lib/text.ts';
import type { CommandHost } from './invocation.ts';
import { programName } from './output/command-to-paste.ts';
import { linesToType, optionsOf } from './output/lines-to-type.ts';

/** Words that users may type by mistake, each with the svc command that they mean. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['whoami', 'svc auth status'],
  ['login', 'svc auth login'],
  ['logout', 'svc auth logout'],
  ['import', 'svc migrate <input...>'],
  ['export', 'svc contacts export'],
  ['enroll', 'svc automations enroll <automation_id>'],
  ['send', 'svc emails send'],
  ['resume', 'svc runs resume'],
  ['version', 'svc --version'],
  ['-V', 'svc --version'],
]);

/** Verbs of other programs, each with the svc verb that means the same. svc suggests it only if the group has it. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ['list', 'ls'],
  ['show', 'get'],
  ['add', 'create'],
  ['new', 'create'],
  ['rm', 'delete'],
  ['remove', 'delete'],
]);

/**
 * Turns an error of commander into a usage error of svc. Its hint has the command that the user probably meant, and the
 * help.
 */
export function toUsageError(error: CommanderError, program: Command, argv: readonly string[]): SvcError {
  const command = commandOf(program, possibleFlagsOf(argv));
  const help = helpHint(program, argv);
  if (error.code === 'commander.help') {
    return badUsage('no command given', help);
  }
  const known =
    wrongChoice(error.message, command) ??
    wrongArgument(error.message, argv) ??
    valueOfSwitch(error.message, command, argv);
  if (known !== undefined) {
    return known;
  }
  // commander appends its suggestion to the message, as the last line.
  const [, text = '', suggestion] = /^(?:error: )?(.*?)(?:\n\((Did you mean .*)\))?$/s.exec(error.message) ?? [];
  const message = text.replace(/^option '(?:-\w, )?(--[\w-]+) (.*)' argument missing$/, '$1 needs a value: $1 $2');
  const typed = /^unknown (?:command|option) '(.*)'$/s.exec(text)?.[1] ?? '';
  const meant = meantLine(typed, command, argv);
  const offered = suggestion !== undefined && isLikely(suggestion, typed) ? [suggestion] : [];
  if (/^-[^-]/.test(typed) && command.registeredArguments.length > 0) {
    offered.push('A name that begins with a dash goes behind the flags and "--".');
  }
  const hint = meant === undefined ? [...offered, help] : [`Did you mean: ${meant}`, help];
  return badUsage(terminalSafe(message), hint.join('\n'));
}

/** True if a suggested word has the first letter of the typed word. So `--json` is not likely for `--reason`. */
function isLikely(suggestion: string, typed: string): boolean {
  const suggested = suggestion.match(/[\w-]{2,}(?=[,?])/g) ?? [];
  return suggested.some((word) => word.replace(/^--/, '')[0] === typed.replace(/^--/, '')[0]);
}

/** The error for a value that the flag does not take. Its hint has the typed line once with each possible value. */
function wrongChoice(text: string, command: Command): SvcError | undefined {
  const [, flags, value = ''] = /^error: option '(.*?)' argument '(.*)' is invalid\. Allowed/s.exec(text) ?? [];
  const { long, argChoices: choices = [] } = optionsOf(command).find((option) => option.flags === flags) ?? {};
  if (long === undefined || long === null) {
    return undefined;
  }
  return badUsage(
    `${long} takes ${joinedByOr(choices)}, not "${terminalSafe(value)}"`,
    choices.map((choice) => `${long} ${choice}`).join('\n'),
  );
}

/** The error for an argument that must be one of some words. Its hint has the typed line once with each of them. */
function wrongArgument(text: string, argv: readonly string[]): SvcError | undefined {
  const [, value = '', name = '', list] =
    /^error: command-argument value '(.*)' is invalid for argument '(.*?)'\. Allowed choices are (.*)\.$/s.exec(text) ??
    [];
  const choices = list?.split(', ') ?? [];
  const lineWith = (choice: string) => ['svc', ...argv.with(argv.lastIndexOf(value), choice).map(shellWord)].join(' ');
  return list === undefined
    ? undefined
    : badUsage(`${name} is ${joinedByOr(choices)}, not "${terminalSafe(value)}"`, choices.map(lineWith).join('\n'));
}

function joinedByOr(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words.join();
}

/** The error for a switch that was typed with a value, such as `--json=yes`. Its hint is the line without the value. */
function valueOfSwitch(text: string, command: Command, argv: readonly string[]): SvcError | undefined {
  const typed = /^error: unknown option '(.*?)'(?:\n\(Did|$)/s.exec(text)?.[1] ?? '';
  const [name = ''] = typed.split('=');
  const isSwitch = typed !== name && optionsOf(command).some(({ long }) => long === name);
  const words = argv.map((word) => shellWord(word === typed ? name : word));
  return isSwitch ? badUsage(`${name} takes no value`, ['svc', ...words].join(' ')) : undefined;
}

/**
 * Replaces each line of flags in the hint of an error by the typed line with these flags (see `linesToType`). If there
 * is no hint, adds one that names the help.
 */
export function withCommandToType(
  error: SvcError,
  program: Command,
  { argv, context }: Pick<CommandHost, 'argv' | 'context'>,
): SvcError {
  const command = commandOf(program, possibleFlagsOf(argv));
  const hint = linesToType(error.hint, command, { argv, program: programName(context) });
  return rewordError(error, { hint: hint || helpHint(program, argv) });
}

/** The hint that names the help of the typed command. */
function helpHint(program: Command, argv: readonly string[]): string {
  return `See: ${[...namesOf(commandOf(program, possibleFlagsOf(argv))), '--help'].join(' ')}`;
}

/**
 * The typed line with the right command in place of the unknown word. If no word follows, it is only the right command.
 * Undefined if svc can't guess the command.
 */
function meantLine(word: string, command: Command, argv: readonly string[]): string | undefined {
  const meant = meantCommand(word, command);
  const index = possibleFlagsOf(argv).indexOf(word);
  if (meant === undefined || index < 0 || index === argv.length - 1 || meant.startsWith('svc --')) {
    return meant;
  }
  const [program = '', ...verbs] = meant.replace(/ <.*/, '').split(' ');
  // Below a command group, the line already has the name of the group. So only the verb is missing.
  const missing = command.parent === null ? verbs : verbs.slice(-1);
  const words = [...argv.slice(0, index), ...missing, ...argv.slice(index + 1)];
  return [program, ...words.map(shellWord)].join(' ');
}

function meantCommand(word: string, command: Command): string | undefined {
  const verb = VERBS.get(word);
  if (command.commands.some((child) => child.name() === verb)) {
    return [...namesOf(command), verb].join(' ');
  }
  return command.parent === null || word === '-V' ? MEANT.get(word) : undefined;
}

/** The command that these words name. Words that are flags or values are skipped. */
function commandOf(program: Command, words: readonly string[]): Command {
  return words.reduce((command, word) => command.commands.find((child) => child.name() === word) ?? command, program);
}

function namesOf(command: Command): string[] {
  return command.parent ? [...namesOf(command.parent), command.name()] : [command.name()];
}

/** Flags whose value is any text, so it may look like a flag. */
const TEXTS: ReadonlySet<string> = new Set(['--subject', '--text', '--description']);

/** Flags whose value may be empty: an empty description deletes the old one, an empty signature fails the check. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['--description', '--signature']);

/**
 * Throws if the value of a flag is empty or is itself a flag. For example, `--audience $EMPTY --yes` becomes
 * `--audience --yes`. With `--flag=value` the value may look like a flag.
 */
export function refuseMissingOptionValue(program: Command, argv: readonly string[]): void {
  // During completion the user may still be typing the value.
  if (argv[0] === '__complete') {
    return;
  }
  const words = possibleFlagsOf(argv);
  const options = optionsOf(commandOf(program, words));
  const flags = new Set(options.flatMap(({ short, long }) => [short, long]).filter((flag) => flag !== undefined));
  for (const [index, word] of words.entries()) {
    const [name = '', ...joined] = word.split('=');
    const option = options.find(({ long, required, optional }) => long === name && (required || optional));
    const value = joined.length > 0 ? joined.join('=') : words[index + 1];
    if (option && value === '' && !MAY_BE_EMPTY.has(name)) {
      throw badUsage(`${name} needs a value: ${option.flags.replace(/^-\w, /, '')}`);
    }
    // commander itself refuses a flag without a value at the end of the line.
    if (option?.required && joined.length === 0 && !TEXTS.has(name) && flags.has(value ?? '')) {
      throw badUsage(
        `${name} needs a value, and ${value} is a flag`,
        `${helpHint(program, argv)}\nIf ${value} is the value:\n${joinedLine(argv, index)}`,
      );
    }
  }
}

/** The typed line, in which the flag at `index` and the next word are joined by `=`. */
function joinedLine(argv: readonly string[], index: number): string {
  const words = [...argv.slice(0, index), `${argv[index]}=${argv[index + 1]}`, ...argv.slice(index + 2)];
  return ['svc', ...words.map(shellWord)].join(' ');
}
