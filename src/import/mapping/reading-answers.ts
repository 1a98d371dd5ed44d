import { shellWord } from '../../base/lib/text.ts';
import type { DateOrder } from '../../platforms/lib/platform.ts';
import { isState, type StatusReading } from '../../platforms/lib/states.ts';
import type { SuppressionReason } from '../../wire/service-words.ts';
import { answerWithoutInput, type NamedInput, namesOfInput } from '../source/source.ts';
import { textKey } from './answers/answer-keys.ts';
import type { Scope, WordAnswer } from './answers/exact-answers.ts';
import { answerError, type MapAnswer, readMapAnswer } from './map-flag.ts';

/** How the user wants a list to be read, from flags or from `--mapping`. */
export interface ReadingOptions {
  readonly from: string;
  /** Pairs `column=field`, as typed. Each is split at its last `=`. */
  readonly map: readonly string[];
  /** The state for each status word that the user explained. */
  readonly statusMap: Readonly<Record<string, string>>;
  /** The state of rows that have no state, by the name of the input. `*` means all inputs. */
  readonly defaultStatus: Readonly<Record<string, string>>;
  readonly attributes: 'all' | 'none' | readonly string[];
  readonly topicValues: Readonly<Record<string, string>>;
  readonly timezone: string | undefined;
  readonly dateOrder: DateOrder | undefined;
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
  readonly quote: string | undefined;
  readonly escape: string | undefined;
  readonly empty: 'keep' | 'clear';
  readonly duplicates: 'merge' | 'reject';
  /** True to reject the header of a second list and the rows below it. Otherwise this header stops the run. */
  readonly allowJoinedFiles: boolean;
  /** The texts of rows that look like headings of people who left, but are not. Undefined in runs of older versions. */
  readonly allowHeadings: readonly string[] | undefined;
  /** The texts that explain a mark, although no person in the list has this mark. */
  readonly allowLegends: readonly string[] | undefined;
  /** The names of columns in which a blank does not mean the same as the cell above it. */
  readonly allowBlanks: readonly string[] | undefined;
  readonly reason: SuppressionReason | undefined;
  /** For columns that answers name by number: the header of each when the mapping was saved, such as `3=Status`. */
  readonly savedColumns: readonly string[] | undefined;
  /**
   * The answers of a mapping file that call all other words subscribed: `Notes:*=subscribed`. They do not count for a
   * word that may mean that a person left, because the user has not seen the words of this list.
   */
  readonly savedForAllWords: readonly string[] | undefined;
}

/** The answers of the user that count for one input. They are checked as far as possible without its columns. */
export interface InputAnswers {
  readonly maps: readonly (MapAnswer & Pick<Scope, 'inputs'>)[];
  readonly words: readonly WordAnswer[];
  /** The value to send for a topic column, by the column name as typed. */
  readonly topicValues: ReadonlyMap<string, string>;
  readonly allowed: AllowedLayouts;
}

/**
 * The answers to stops about the layout of a list. `joinedFiles` lifts the stop at the header of a second list. Each
 * other answer lifts only the stops about its own texts.
 */
export interface AllowedLayouts {
  readonly joinedFiles: boolean;
  readonly headings: readonly string[];
  readonly legends: readonly string[];
  readonly blanks: readonly string[];
}

const STATE_NAMES = 'subscribed unsubscribed pending bounced complained suppressed skip';

/**
 * All answers, each read as if it did not name an input. Throws SvcError (exit 2) for an answer that is wrong for every
 * list.
 */
export function readAnswers(options: ReadingOptions): InputAnswers {
  return {
    maps: options.map.map((pair) => ({ ...readMapAnswer(pair, options.map), inputs: ALL_INPUTS })),
    words: Object.entries(options.statusMap).map(([subject, state]) =>
      readWordAnswer(options, subject, state, { subject, inputs: ALL_INPUTS, mayBeWord: true }),
    ),
    topicValues: new Map(Object.entries(options.topicValues)),
    allowed: {
      joinedFiles: options.allowJoinedFiles,
      headings: options.allowHeadings ?? [],
      legends: options.allowLegends ?? [],
      blanks: options.allowBlanks ?? [],
    },
  };
}

const ALL_INPUTS = Number.POSITIVE_INFINITY;

function readWordAnswer(
  { savedForAllWords = [] }: Pick<ReadingOptions, 'savedForAllWords'>,
  typed: string,
  state: string,
  named: Omit<WordAnswer, 'pair' | 'isSaved' | 'reading'>,
): WordAnswer {
  const status = readState(state, '--status-map', `${typed}=`);
  // A word with the answer `skip` may be the only sign of an opt-out. So the answer becomes `pending`, which wins over
  // `subscribed` in another column (C7). A blank is no sign of an opt-out, so its answer stays `skip`.
  const isBlank = textKey(named.subject) === '';
  const reading = isBlank || status.state !== 'skip' ? status : { ...status, state: 'pending' as const };
  const pair = `${typed}=${state}`;
  return { ...named, pair, isSaved: savedForAllWords.includes(pair), reading };
}

/**
 * The answers that count for an input: those for all inputs, and those that begin with one of its names:
 * `left.csv:Out:x`. `countNamed` returns how many inputs have a given name.
 */
export function answersForInput(
  options: ReadingOptions,
  source: NamedInput,
  countNamed: (name: string) => number,
): InputAnswers {
  const general = readAnswers(options);
  const names = [...new Set(namesOfInput(source))].filter((name) => name !== '');
  const namesInput = (subject: string) =>
    [...subject.matchAll(/:/g)].some(({ index }) => countNamed(subject.slice(0, index)) > 0);
  // The answer without the name of this input. Empty if it begins with no such name.
  const withoutName = (answer: string) =>
    names.flatMap((name) => {
      const subject = answerWithoutInput(answer, [name]);
      return subject === undefined ? [] : [{ subject, inputs: countNamed(name), mayBeWord: true }];
    });
  return {
    ...general,
    maps: [
      ...general.maps,
      ...options.map.flatMap((pair) =>
        withoutName(pair).map(({ subject, inputs }) => ({ ...readMapAnswer(subject), pair, inputs })),
      ),
    ],
    words: [
      ...general.words.map((answer) => ({ ...answer, mayBeWord: !namesInput(answer.subject) })),
      ...Object.entries(options.statusMap).flatMap(([subject, state]) =>
        withoutName(subject).map((named) => readWordAnswer(options, subject, state, named)),
      ),
    ],
    topicValues: new Map([
      ...general.topicValues,
      ...Object.entries(options.topicValues).flatMap(([column, value]) =>
        withoutName(column).map(({ subject }) => [subject, value] as const),
      ),
    ]),
  };
}

/**
 * The state in a flag, such as `skip` in `cold=skip`; `subject` is `cold=`. Throws SvcError if there is no such state.
 */
export function readState(text: string, flag: string, subject: string): StatusReading {
  const state = text.trim().toLowerCase();
  if (!isState(state) || state === 'none') {
    throw answerError(
      'unknown_state',
      `unknown state: ${flag} ${subject}${text}`,
      `States are: ${STATE_NAMES}. For example:\n${flag} ${shellWord(`${subject}unsubscribed`)}`,
    );
  }
  return state === 'skip' ? { state, why: 'by_request' } : { state };
}
