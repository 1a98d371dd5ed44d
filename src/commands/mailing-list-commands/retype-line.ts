import { rewordError, SvcError } from '../../base/lib/errors.ts';
import { possibleFlagsOf, shellWord } from '../../base/lib/text.ts';
import type { TypedAnswers } from '../../import/mapping/answers/outranked-answers.ts';
import type { CommandWithFlags } from '../../run-lifecycle/data/questioner.ts';
import type { RunOptions } from '../../run-lifecycle/data/run-options.ts';
import { isFlagsOnly } from '../../run-lifecycle/stops/commands-for-stops.ts';
import type { TypedCommand } from '../../runs/store/run-header.ts';
import type { Invocation } from '../framework/invocation.ts';
import {
  lineWithFlags,
  programName,
  withoutAccountFlags,
  withoutValuedFlags,
} from '../framework/output/command-to-paste.ts';

/** Replaces lines of flags in the hint of an error by whole commands. */
export function withCommandsInHint(error: unknown, commandWith: CommandWithFlags | undefined): unknown {
  if (!(error instanceof SvcError) || commandWith === undefined || error.hint === undefined) {
    return error;
  }
  return rewordError(error, { hint: withCommandLines(error.hint, commandWith) });
}

/** Replaces each line of flags in a hint by a whole command. Any other line stays. */
export function withCommandLines(hint: string, commandWith: CommandWithFlags): string {
  const lines = hint.split('\n').map((line) => (isFlagsOnly(line) ? commandWith(line) : line));
  return lines.join('\n');
}

/**
 * The typed line with more flags, to paste. `flags` is shell text. If `flags` choose an audience, the typed flags for
 * the audience are left out. `answers` are the flags of answers at the terminal, and stand before `flags`. Typed flags
 * in `without` are left out.
 */
export function retypeLine(
  flags: string,
  { argv, context }: Pick<Invocation<unknown>, 'argv' | 'context'>,
  answers: readonly string[] = [],
  without: readonly string[] = [],
): string {
  const isChoice = flags.startsWith('--audience');
  const all = [...answers.map(shellWord), flags].filter((part) => part !== '').join(' ');
  return lineWithFlags(all, isChoice ? withoutAudience(argv) : withoutTypedFlags(argv, without), programName(context));
}

/** The typed line with only these of its inputs, to paste. */
export function retypeForInputs(
  kept: readonly string[],
  {
    argv,
    context,
    options,
  }: Pick<Invocation<unknown>, 'argv' | 'context'> & { readonly options: Pick<RunOptions, 'inputs'> },
): string {
  const dropped = options.inputs.filter((input) => !kept.includes(input)).map((input) => indexOfInput(argv, input));
  return lineWithFlags(
    '',
    argv.filter((_, index) => !dropped.includes(index)),
    programName(context),
  );
}

// Where an input stands on the line. The same word after a flag may be the value of this flag.
function indexOfInput(words: readonly string[], input: string): number {
  const found = [...words.keys()].filter((index) => words[index] === input);
  return found.findLast((index) => !words[index - 1]?.startsWith('-')) ?? found.at(-1) ?? -1;
}

/** The words without the flags that choose an audience, and without their values. */
function withoutAudience(words: readonly string[]): readonly string[] {
  const left = withoutValuedFlags(words, ['--audience', '--audience-name']);
  const end = possibleFlagsOf(left).length;
  return left.filter((word, index) => index >= end || word !== '--create-audience');
}

/** Matches a value of --gone or --max-gone. Any other word after a flag such as --full is the name of a file. */
const GONE_VALUE = /^(?:report|unsubscribe|[\d.]+%?)$/;

/** The words without these flags for repeated imports, and without their values. */
function withoutTypedFlags(words: readonly string[], flags: readonly string[]): readonly string[] {
  const end = possibleFlagsOf(words).length;
  const isNamed = (word: string) => flags.some((name) => word === name || word.startsWith(`${name}=`));
  const isValue = (word: string, index: number) => flags.includes(words[index - 1] ?? '') && GONE_VALUE.test(word);
  return words.filter((word, index) => index >= end || !(isNamed(word) || isValue(word, index)));
}

/**
 * The typed line, as the run records it. Leaves out the flags that choose the account, because a resume has such flags
 * of its own, and because such a flag may contain an API key (K1). Undefined if the line names people.
 */
export function typedCommandOf(
  { argv, context }: Pick<Invocation<unknown>, 'argv' | 'context'>,
  answers: readonly string[],
): TypedCommand | undefined {
  return possibleFlagsOf(argv).some((word) => /^--email(?:=|$)/.test(word))
    ? undefined
    : { words: withoutAccountFlags(argv), answers: [...answers], cwd: context.cwd };
}

/** The answers on the command line. */
export function typedAnswersIn(argv: readonly string[]): TypedAnswers {
  return {
    map: typedValues(argv, '--map'),
    statusMap: typedValues(argv, '--status-map'),
    defaultStatus: typedValues(argv, '--default-status'),
  };
}

// The typed values of a flag that takes one value each time.
function typedValues(argv: readonly string[], flag: string): readonly string[] {
  const words = possibleFlagsOf(argv);
  return words.flatMap((word, index) =>
    word.startsWith(`${flag}=`) ? word.slice(flag.length + 1) : words[index - 1] === flag ? word : [],
  );
}
