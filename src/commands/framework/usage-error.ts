import type { Command, CommanderError } from 'commander';
import { badUsage, rewordError, type SvcError } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';
import type { CommandHost } from './invocation.ts';
import { lineWithFlags, possibleFlagsOf, programName } from './output/command-to-paste.ts';

/** Words that users type for a command of svc, and that command. */
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

/** Verbs of other programs, and the verb of svc. svc suggests its verb only if the command group has it. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ['list', 'ls'],
  ['show', 'get'],
  ['add', 'create'],
  ['new', 'create'],
  ['rm', 'delete'],
  ['remove', 'delete'],
]);

/**
 * Turns an error of commander into a usage error of svc. Its hint is the command that the user probably meant, and the
 * help.
 */
export function toUsageError(error: CommanderError, program: Command, argv: readonly string[]): SvcError {
  const command = commandOf(program, possibleFlagsOf(argv));
  const help = helpHint(program, argv);
  if (error.code === 'commander.help') {
    return badUsage('no command given', help);
  }
  // commander puts its suggestion into a second line of the message.
  const [text = '', ...suggestions] = error.message.replace(/^error: /, '').split('\n');
  const message = text.replace(/^option '(?:-\w, )?(--[\w-]+) (.*)' argument missing$/, '$1 needs a value: $1 $2');
  const meant = meantLine(/^unknown (?:command|option) '(.*)'$/.exec(text)?.[1] ?? '', command, argv);
  const offered = suggestions.map((line) => line.replace(/^\((.*)\)$/, '$1'));
  if (/^unknown option '-[^-]/.test(text) && command.registeredArguments.length > 0) {
    offered.push('A name that begins with a dash goes behind the flags and "--".');
  }
  const hint = meant === undefined ? [...offered, help] : [`Did you mean: ${meant}`, help];
  return badUsage(message, hint.join('\n'));
}

// One flag with its value, as shell text. Neither a sentence that begins with a flag, nor a value with a placeholder.
const FLAG_WITH_VALUE = /^(--[a-z-]+) (?:'[^'<]*'|"[^"<]*"|[^\s'"<]+)$/;

/**
 * Replaces each line of flags in the hint of a usage error by the typed line with these flags, if the command has them.
 * Without a hint, names the help.
 */
export function withCommandToType(
  error: SvcError,
  program: Command,
  { line, context }: Pick<CommandHost, 'line' | 'context'>,
): SvcError {
  const flags = new Set(commandOf(program, possibleFlagsOf(line)).options.map(({ long }) => long));
  const lines = error.hint?.split('\n').map((text) => {
    const [, flag = ''] = FLAG_WITH_VALUE.exec(text) ?? [];
    return flags.has(flag) ? lineWithFlags(text, line, programName(context)) : text;
  });
  return rewordError(error, { hint: lines?.join('\n') || helpHint(program, line) });
}

/** The hint that names the help of the typed command. */
function helpHint(program: Command, argv: readonly string[]): string {
  return `See: ${[...namesOf(commandOf(program, possibleFlagsOf(argv))), '--help'].join(' ')}`;
}

/**
 * The typed line with the right command in place of the unknown word. Only the right command if no word follows.
 * Undefined if svc can't guess it.
 */
function meantLine(word: string, command: Command, argv: readonly string[]): string | undefined {
  const meant = meantCommand(word, command);
  const index = possibleFlagsOf(argv).indexOf(word);
  if (meant === undefined || index < 0 || index === argv.length - 1 || meant.startsWith('svc --')) {
    return meant;
  }
  const [program = '', ...verbs] = meant.replace(/ <.*/, '').split(' ');
  // The name of the command group is on the line already.
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

/** The command that these words name. There may be flags and values among them. */
function commandOf(program: Command, words: readonly string[]): Command {
  return words.reduce((command, word) => command.commands.find((child) => child.name() === word) ?? command, program);
}

function namesOf(command: Command): string[] {
  return command.parent ? [...namesOf(command.parent), command.name()] : [command.name()];
}

/** Flags whose value is free text, which may look like a flag. */
const TEXTS: ReadonlySet<string> = new Set(['--subject', '--text', '--description']);

/** Throws if the value of a flag is another flag, as in `--audience $EMPTY --yes`. `--flag=value` accepts any value. */
export function refuseMissingOptionValue(program: Command, argv: readonly string[]): void {
  // During completion the user may still be typing the value.
  if (argv[0] === '__complete') {
    return;
  }
  const options = withSubcommands(program).flatMap((command) => command.options);
  const flags = new Set(options.flatMap(({ short, long }) => [short, long]).filter((flag) => flag !== undefined));
  const withValue = new Set(options.filter(({ required }) => required).map(({ long }) => long));
  const words = possibleFlagsOf(argv);
  // A flag without a value at the end of the line is refused by commander itself.
  const position = words.findIndex(
    (word, index) => withValue.has(word) && !TEXTS.has(word) && flags.has(words[index + 1] ?? ''),
  );
  if (position >= 0) {
    throw badUsage(
      `${words[position]} needs a value, and ${words[position + 1]} is a flag`,
      `If you mean it: ${words[position]}=${words[position + 1]}`,
    );
  }
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
