import { resolve } from 'node:path';
import { rewordError, SvcError } from '../../base/lib/errors.ts';
import { flagWords, possibleFlagsOf, shellWord, splitShellText } from '../../base/lib/text.ts';
import type { TypedAnswers } from '../../import/mapping/answers/outranked-answers.ts';
import { withOtherPath } from '../../import/source/source.ts';
import type { CommandWithFlags } from '../../lifecycle/data/questioner.ts';
import { isFlagsOnly } from '../../lifecycle/stops/commands-for-stops.ts';
import type { TypedCommand } from '../../runs/store/run-header.ts';
import type { Invocation } from '../framework/invocation.ts';
import {
  lineWithFlags,
  programName,
  typedAccountFlags,
  withoutAccountFlags,
  withoutValuedFlags,
} from '../framework/output/command-to-paste.ts';
import { linesWithoutPairs } from '../framework/output/lines-to-type.ts';

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
 * the audience are left out. `answers` are the flags of answers at the terminal, and come first. Typed flags in
 * `without` are left out.
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

/** The words without the flags that choose an audience, and without their values. */
function withoutAudience(words: readonly string[]): readonly string[] {
  const left = withoutValuedFlags(words, ['--audience', '--audience-name']);
  const end = possibleFlagsOf(left).length;
  return left.filter((word, index) => index >= end || word !== '--create-audience');
}

/** A value of --gone or --max-gone. After a switch such as --full, any other word is a file. */
const GONE_VALUE = /^(?:report|unsubscribe|[\d.]+%?)$/;

/** The words without these flags for repeated imports, and without their values. */
function withoutTypedFlags(words: readonly string[], flags: readonly string[]): readonly string[] {
  const end = possibleFlagsOf(words).length;
  const isNamed = (word: string) => flags.some((name) => word === name || word.startsWith(`${name}=`));
  const isValue = (word: string, index: number) => flags.includes(words[index - 1] ?? '') && GONE_VALUE.test(word);
  return words.filter((word, index) => index >= end || !(isNamed(word) || isValue(word, index)));
}

/**
 * The typed line, as the run records it. Leaves out the flags that choose the account, because a resume has its own and
 * one may contain an API key (K1). Undefined if the line names people.
 */
export function typedCommandOf(
  { argv, context }: Pick<Invocation<unknown>, 'argv' | 'context'>,
  answers: readonly string[],
): TypedCommand | undefined {
  return possibleFlagsOf(argv).some((word) => /^--email(?:=|$)/.test(word))
    ? undefined
    : { words: withoutAccountFlags(argv), answers: [...answers], cwd: context.cwd };
}

interface ResumedLine extends Pick<Invocation<unknown>, 'argv' | 'context'> {
  readonly recorded: TypedCommand | undefined;
  readonly options: { readonly inputs: readonly string[] };
}

/**
 * The recorded command line of a resumed run with further flags, and with the account and the state folder of the
 * resume. Undefined if the run recorded none.
 */
export function recordedCommandWith(run: ResumedLine): CommandWithFlags | undefined {
  const recorded = recordedLine(run);
  return (
    recorded && ((flags, without) => retypeLine(flags, { ...run, argv: recorded.words }, recorded.answers, without))
  );
}

// The recorded words of a resumed run and the flags of its answers, as they work in the folder of the resume.
function recordedLine({ recorded, options, argv, context }: ResumedLine) {
  if (recorded === undefined) {
    return undefined;
  }
  const { cwd } = recorded;
  const fromHere = (words: readonly string[]) =>
    cwd === context.cwd
      ? words
      : words.map((word, index) => withWholePath(word, words[index - 1], { ...options, cwd }));
  const whole = [
    ...typedAccountFlags(argv, context.cwd).flatMap(([name, value]) => flagWords(name, value)),
    ...fromHere(recorded.words),
  ];
  return { words: whole, answers: fromHere(recorded.answers) };
}

/**
 * Replaces lines about a wrong answer of a resumed run by whole commands without this answer. A resume keeps the
 * answers that its run recorded, and another version of svc may refuse them.
 */
export function withRecordedCommands(error: unknown, run: ResumedLine): unknown {
  if (!(error instanceof SvcError) || error.hint === undefined) {
    return error;
  }
  const recorded = recordedLine(run);
  const program = programName(run.context);
  const words =
    recorded &&
    splitShellText(retypeLine('', { ...run, argv: recorded.words }, recorded.answers).slice(program.length));
  return rewordError(error, { hint: linesWithoutPairs(error.hint, words, program) });
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

/** Flags whose value is a file name. */
const FILE_FLAGS = ['--mapping', '--save-mapping', '--report', '--report-html', '--log-file'];
/** Flags whose value may name an input: `--default-status old/a.csv=skip`. */
const ANSWER_FLAGS = ['--map', '--status-map', '--default-status', '--topic-value'];

// A word of a typed line that also works in another folder: with the whole path of a file that it names.
function withWholePath(
  word: string,
  before: string | undefined,
  { inputs, cwd }: { readonly inputs: readonly string[]; readonly cwd: string },
): string {
  const [start = '', ownFlag] = /^(--[a-z-]+)=/.exec(word) ?? [];
  const [flag = '', value] = [ownFlag ?? before, word.slice(start.length)];
  if (ANSWER_FLAGS.includes(flag)) {
    const end = value.lastIndexOf('=');
    const subject = inputs.reduce(
      (text, input) => withOtherPath(text, { from: input, to: resolve(cwd, input) }),
      value.slice(0, end),
    );
    return start + subject + value.slice(end);
  }
  const isFile = value !== '-' && (FILE_FLAGS.includes(flag) || inputs.includes(word));
  return isFile ? start + resolve(cwd, value) : word;
}
