import type { Finding } from '../../base/finding.ts';
import { shellWord } from '../../base/lib/text.ts';
import type { CommandWithFlags } from '../data/questioner.ts';
import { dropContraryFlags, withoutContraryFlags } from './drop-contrary-flags.ts';

/**
 * Replaces flags by whole commands in the hints of stops, and of warnings about contradictions. The likeliest answer
 * comes first, and the other answers follow, each after its condition. An answer that could mail opted-out people is
 * never first (C11). Without `commandWith` the hints keep the flags.
 */
export function withWholeCommands(findings: readonly Finding[], commandWith: CommandWithFlags | undefined): Finding[] {
  return findings.map((finding) => {
    const { hint, instead, when, otherwise = [] } = finding;
    const isContradiction = finding.check === 'unknown_status' && finding.level === 'warn' && when !== undefined;
    const isAnswer = finding.level === 'stop' || isContradiction;
    if (commandWith !== undefined && isAnsweredApart(finding)) {
      const apart = otherwise.flatMap((answer) => [`${answer.when}:`, commandWith(answer.flags)]);
      return { ...finding, hint: [hint, ...apart].join('\n') };
    }
    if (commandWith === undefined || !isAnswer || !isFlagsOnly(hint)) {
      return finding;
    }
    const first = [
      ...(instead === undefined ? [] : [`${instead}:`, commandWith('')]),
      ...(when === undefined ? [] : [`${when}:`]),
      commandWith(hint),
    ];
    const others = otherwise.flatMap((answer) => [`${answer.when}:`, commandWith(answer.flags)]);
    const commands = [...first, ...others].join('\n');
    return finding.level === 'stop' ? { ...finding, flags: hint, hint: commands } : { ...finding, hint: commands };
  });
}

/** True for a stop whose hint is a sentence. Commands that answer several stops leave out its other answers (C11). */
export function isAnsweredApart({ level, hint, flags, otherwise = [] }: Finding): boolean {
  return level === 'stop' && flags === undefined && otherwise.length > 0 && hint !== undefined && !isFlagsOnly(hint);
}

/** A command that answers stops, and the conditions under which it is right. */
export interface CommandAnswer {
  /** What the user must do first outside of svc, for example archive an automation. */
  readonly after?: string | undefined;
  readonly conditions: readonly string[];
  readonly command: string;
}

/**
 * The commands that answer all stops at once. A stop has `instead` if its flag lets an automation mail all imported
 * people, or opts many people out. Then the first command has no such flag: the user first acts outside of svc. A
 * second command has the flag, after its condition (M3, C11, G12).
 */
export function commandsFor(stops: readonly Finding[], commandWith: CommandWithFlags): readonly CommandAnswer[] {
  const answered = stops.filter(({ flags }) => flags !== undefined);
  const all = commandFor(answered, commandWith);
  const [after] = answered.flatMap(({ instead }) => instead ?? []);
  const harmless = answered.filter(({ instead }) => instead === undefined);
  const commands = after === undefined ? [all] : [{ ...commandFor(harmless, commandWith), after }, all];
  return answered.length === 0 ? [] : commands;
}

/** The answers to stops, without the likeliest answer to each stop. */
export interface OtherAnswers {
  /**
   * True if each answer is a whole command. False with more than three stops, or if no stop has a command. Then each
   * answer has only flags, because commands for many stops would be very long.
   */
  readonly areWhole: boolean;
  readonly answers: readonly CommandAnswer[];
}

const MAX_WHOLE = 3;
const MAX_OTHERS = 30;

/** The less likely answers. Each command combines one of them with the likeliest answers to the other stops. */
export function otherAnswers(stops: readonly Finding[], commandWith: CommandWithFlags): OtherAnswers {
  const base = stops.filter((stop) => stop.instead === undefined && !isAnsweredApart(stop));
  const isWhole =
    base.length <= MAX_WHOLE && base.some(({ flags, otherwise = [] }) => flags !== undefined || otherwise.length > 0);
  // Stops about several inputs often have the same answers. Each answer is shown once.
  const others = new Map(
    base.flatMap(({ otherwise = [] }) => otherwise).map((other) => [JSON.stringify([other.when, other.flags]), other]),
  );
  const answers = [...others.values()].slice(0, MAX_OTHERS).map(({ when, flags }): CommandAnswer => {
    const all = base.flatMap((stop) =>
      stop.otherwise?.some((one) => one.flags === flags) ? flags : dropContraryFlags(stop.flags ?? '', flags),
    );
    const answerFlags = [...new Set(all)].filter((one) => one !== '');
    return { conditions: [when], command: isWhole ? commandWith(answerFlags.join(' ')) : flags };
  });
  return { areWhole: isWhole, answers };
}

/**
 * The hint that answers all stops at once: commands, and the hints of stops without a flag. With one stop, or without
 * `commandWith`, it is the hint of the first stop.
 */
export function answerToAllStops(
  stops: readonly Finding[],
  commandWith: CommandWithFlags | undefined,
): string | undefined {
  if (commandWith === undefined || stops.length < 2) {
    return stops[0]?.hint;
  }
  const prose = stops.flatMap(({ flags, hint }) => (flags === undefined && hint !== undefined ? [hint] : []));
  const lines = commandsFor(stops, commandWith).flatMap(linesOf);
  return prose.length + lines.length > 0 ? [...prose, ...lines].join('\n') : undefined;
}

/** All answers to stops as lines of text: each condition, then its command. */
export function linesToAnswer(stops: readonly Finding[], commandWith: CommandWithFlags): string[] {
  return [...commandsFor(stops, commandWith), ...otherAnswers(stops, commandWith).answers].flatMap(linesOf);
}

function linesOf({ after, conditions, command }: CommandAnswer): string[] {
  return [...[...(after === undefined ? [] : [after]), ...conditions].map((condition) => `${condition}:`), command];
}

function commandFor(stops: readonly Finding[], commandWith: CommandWithFlags): CommandAnswer {
  const conditions = new Set(stops.flatMap(({ when }) => (when === undefined ? [] : [when])));
  const flags = withoutContraryFlags([...new Set(stops.flatMap((stop) => stop.flags ?? []))]);
  return { conditions: [...conditions], command: commandWith(flags.join(' ')) };
}

/**
 * True for a hint such as `--encoding utf-8`, which the user can type as it is. False for a sentence, and for flags
 * with a placeholder such as `<column>`.
 */
export function isFlagsOnly(hint: string | undefined): hint is string {
  return hint !== undefined && /^--[a-z]/.test(hint) && !/, (?:or|and|to) |=<|<column>/.test(hint);
}

const MAP_LABELS: Readonly<Record<string, (column: string) => string>> = {
  email: (column) => `${column} holds the address`,
  status: (column) => `${column} says who is subscribed`,
  unsubscribed_at: (column) => `${column} says when people opted out`,
  ignore: (column) => `leave ${column} out`,
};

const STATUS_LABELS: Readonly<Record<string, string>> = {
  subscribed: 'everyone there agreed to get mail from you',
  unsubscribed: 'these people opted out: unsubscribed',
  skip: 'leave these people out',
};

const LABELS: Readonly<Record<string, (value: string) => string>> = {
  '--map': (pair) => {
    const [column, field] = splitAtLastEquals(pair);
    const name = JSON.stringify(column);
    return MAP_LABELS[field]?.(name) ?? `keep ${name} as ${field.replace(/^attributes\./, '')}`;
  },
  '--default-status': (pair) => {
    const [, state] = splitAtLastEquals(pair);
    return STATUS_LABELS[state] ?? `these people are ${state}`;
  },
  '--status-map': (pair) => {
    const [word, state] = splitAtLastEquals(pair);
    return `${word === '' ? 'an empty cell' : JSON.stringify(word)} means ${state}`;
  },
  '--date-order': (order) =>
    order === 'mdy' ? 'the month is first: 03/04 is 4 March' : 'the day is first: 03/04 is 3 April',
  '--encoding': (name) => name,
  '--plan': (plan) => `the account is on a ${plan} plan`,
  '--reason': (reason) => `they are suppressed: ${reason}`,
  '--attributes': (nameList) => (nameList === 'none' ? 'send no attributes' : `send only the attributes ${nameList}`),
  '--allow-heading': (text) => `the people below ${JSON.stringify(text)} did not leave`,
  '--allow-legend': (text) => `no person has the mark that ${JSON.stringify(text)} explains`,
  '--allow-blanks': (column) => `a blank in ${JSON.stringify(column)} does not repeat the cell above it`,
  '--allow-automation': (id) => `let ${id} mail everyone imported`,
  '--max-new-fields': (count) =>
    count === '1'
      ? 'create 1 custom field, which cannot be deleted'
      : `create up to ${count} custom fields, which cannot be deleted`,
  '--max-failures': (count) => (count === '1' ? 'continue without this row' : `continue without these ${count} rows`),
};

/** The flags of an answer in words: `"Mail" holds the address, leave "Other" out`. */
export function answerLabel(words: readonly string[]): string {
  const labels = words.flatMap((word, index) => {
    const value = words[index + 1];
    const label = value === undefined ? undefined : LABELS[word]?.(value);
    return label === undefined ? [] : [label];
  });
  return labels.length > 0 ? [...new Set(labels)].join(', ') : words.map(shellWord).join(' ');
}

function splitAtLastEquals(pair: string): readonly [name: string, value: string] {
  const position = pair.lastIndexOf('=');
  return [pair.slice(0, Math.max(0, position)), pair.slice(position + 1)];
}

// Flags with a label that already says when the answer is right.
const CLEAR: readonly string[] = ['--map', '--default-status', '--date-order', '--plan', '--reason', '--attributes'];

/** The detail beside a label: the condition of the answer, without the part that the label already says. */
export function answerDetail(words: readonly string[], when: string | undefined): string | undefined {
  return CLEAR.includes(words[0] ?? '')
    ? when?.split('; ').slice(1).join('; ') || undefined
    : when?.replace(/^If it /, '');
}
