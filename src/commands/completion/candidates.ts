import type { Command, Option } from 'commander';
import { AUTOMATION_STATUSES, CONTACT_STATUSES, DELIVERY_STATUSES, EVENT_TYPES } from '../../wire/service-words.ts';
import { commandNamed, HELP_TOPICS } from '../help/help.ts';
import { type CompletionContext, type IdKindToComplete, idsToComplete } from './ids-to-complete.ts';

/** A word that can complete the line. `about` is a description that the shell shows beside it. */
interface Candidate {
  readonly value: string;
  readonly about?: string | undefined;
}

/** The words after `svc`. The last word, which may be empty, is the one to complete. */
interface CommandLine extends CompletionContext {
  readonly program: Command;
  readonly words: readonly string[];
}

/**
 * Finds commands, flags, values of flags and ids that start with the last word. Uses the flags before that word, such
 * as --profile, to look up ids.
 */
export async function completionCandidates(typed: CommandLine): Promise<Candidate[]> {
  const words = typed.words.flatMap(splitFlag);
  const current = words.at(-1) ?? '';
  const last = typed.words.at(-1) ?? '';
  const place = placeOf(typed.program, words.slice(0, -1));
  const all = await candidatesAt(place, current, { ...typed, flags: { ...typed.flags, ...place.flags } });
  const before = last.slice(0, last.length - current.length);
  return all
    .filter(({ value }) => value.startsWith(current))
    .map(({ value, about }) => ({ value: before + value, about }));
}

function splitFlag(word: string): string[] {
  const [, flag = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  return value === undefined ? [word] : [flag, value];
}

/** Where the last word is in the command line. */
interface Place {
  readonly command: Command;
  /** The number of arguments before the last word. */
  readonly argument: number;
  /** The flag that takes the last word as its value. Undefined if the last word is no value of a flag. */
  readonly waiting: Option | undefined;
  /** The values of the flags before the last word, by their names in commander. */
  readonly flags: Readonly<Record<string, unknown>>;
}

function placeOf(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, argument: 0, waiting: undefined, flags: {} };
  for (const word of words) {
    place = placeAfter(place, word);
  }
  return place;
}

function placeAfter(place: Place, word: string): Place {
  const { command, argument, waiting, flags } = place;
  if (waiting) {
    return { ...place, waiting: undefined, flags: { ...flags, [waiting.attributeName()]: word } };
  }
  if (word.startsWith('-')) {
    const option = command.options.find(({ long, short }) => long === word || short === word);
    return option?.required ? { ...place, waiting: option } : { ...place, flags: { ...flags, ...switchValue(option) } };
  }
  const child = command.commands.find((each) => each.name() === word);
  return child ? { ...place, command: child, argument: 0 } : { ...place, argument: argument + 1 };
}

function switchValue(option: Option | undefined): Readonly<Record<string, unknown>> {
  return option ? { [option.attributeName()]: !option.negate } : {};
}

async function candidatesAt(
  { command, argument, waiting }: Place,
  current: string,
  typed: CommandLine,
): Promise<Candidate[]> {
  if (waiting) {
    const choices = await knownValues(waiting, command, current);
    return choices.map(candidateOf).concat(await ids(ID_KINDS[waiting.long ?? ''], typed));
  }
  if (current.startsWith('-')) {
    return command.options.flatMap(({ long, description, hidden }) =>
      long && !hidden ? [{ value: long, about: description }] : [],
    );
  }
  if (command.commands.length > 0) {
    return command.commands
      .filter((child) => !child.name().startsWith('_'))
      .map((child) => ({ value: child.name(), about: child.summary() || child.description() }));
  }
  if (command.name() === 'help') {
    return helpWords(typed.program, typed.words.slice(1, -1)).map(candidateOf);
  }
  const expected = command.registeredArguments[argument];
  const choices = (expected?.argChoices ?? []).map(candidateOf);
  const name = expected?.name() ?? '';
  const found = await ids(ID_KINDS[name] ?? ID_KINDS[`${command.parent?.name()} ${name}`], typed);
  const latest = found.length > 0 && expected?.description.includes('"latest"') ? [candidateOf('latest')] : [];
  return [...choices, ...latest, ...found];
}

function candidateOf(value: string): Candidate {
  return { value };
}

async function ids(kind: IdKindToComplete | undefined, typed: CommandLine): Promise<readonly Candidate[]> {
  return kind === undefined ? [] : idsToComplete(kind, typed);
}

/**
 * Which ids a flag or an argument takes. If several command groups have an argument of this name, the name of the group
 * comes first: `webhooks id`.
 */
const ID_KINDS: Readonly<Record<string, IdKindToComplete>> = {
  '--audience': 'audience',
  '--allow-automation': 'automation',
  '--profile': 'profile',
  run: 'run',
  automation_id: 'automation',
  'audiences id': 'audience',
  'webhooks id': 'webhook',
};

/**
 * Splits a command line up to the cursor into words, as bash does, but does not expand variables such as `$HOME`. The
 * last word may be incomplete.
 */
export function shellWords(line: string): string[] {
  const words = [...line.matchAll(WORD)].map(([word]) => word.replace(PART, unquote));
  return /(^|[^\\])\s$/.test(line) || line === '' ? [...words, ''] : words;
}

// A part of a shell word: an escaped character, or text in single or double quotes. The closing quote may be missing.
const PART = /\\([\s\S])|'([^']*)(?:'|$)|"((?:\\[\s\S]|[^"\\])*)(?:"|$)/g;
// A shell word: quoted parts and other characters up to the next blank.
const WORD = new RegExp(`(?:${PART.source}|[^\\s'"\\\\])+`, 'g');

function unquote(_: string, ...kinds: readonly (string | undefined)[]): string {
  const [escaped, single, double] = kinds;
  return escaped ?? single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? '';
}

const ROW_STATES = ['subscribed', 'unsubscribed', 'pending', 'bounced', 'complained', 'suppressed', 'skip'];

const STATUSES: Readonly<Record<string, readonly string[]>> = {
  'contacts ls': CONTACT_STATUSES,
  'contacts export': CONTACT_STATUSES,
  'automations ls': AUTOMATION_STATUSES,
  'webhooks deliveries': DELIVERY_STATUSES,
};

/** The possible values of a flag, if svc knows them. `current` is what the user typed of the value. */
async function knownValues(option: Option, command: Command, current: string): Promise<readonly string[]> {
  switch (option.flags) {
    // `emails send` also has a flag --from, which takes an address. The placeholder `<platform>` tells the two apart.
    case '--from <platform>':
      return ['auto', ...(await import('../../platforms/registry.ts')).platformIds()];
    case '--default-status <[file=]state>':
    case '--status-map <word=state>':
      return withStates(current, ROW_STATES);
    case '--status <status>':
      return STATUSES[`${command.parent?.name()} ${command.name()}`] ?? [];
    case '--event <type>':
    case '--add-event <type>':
    case '--remove-event <type>':
      return EVENT_TYPES;
    case '--attributes <columns>':
      return ['all', 'none'];
    default:
      return option.argChoices ?? [];
  }
}

/** Completes the part after the last `=`: `active=sub` becomes `active=subscribed`. */
function withStates(current: string, states: readonly string[]): string[] {
  const word = current.slice(0, current.lastIndexOf('=') + 1);
  return states.map((state) => word + state);
}

function helpWords(program: Command, typed: readonly string[]): string[] {
  const names = (commandNamed(program, typed)?.commands ?? [])
    .map((child) => child.name())
    .filter((name) => !name.startsWith('_'));
  return typed.length === 0 ? [...names, ...HELP_TOPICS] : names;
}
