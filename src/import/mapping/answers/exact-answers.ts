import { withoutPair } from '../../../base/lib/errors.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { combineReadings } from '../../consent-columns/several-columns/combine-readings.ts';
import { answerError } from '../map-flag.ts';
import { answerColumns, answeredKey, readingsOfColons } from './answer-keys.ts';

/** How many inputs and columns an answer names. Infinity if it names none, because it then counts for all. */
export interface Scope {
  readonly inputs: number;
  readonly columns: number;
}

/** An answer of `--status-map` that counts for one input. */
export interface WordAnswer {
  /** The answer as typed: `left.csv:Status:moved=skip`. */
  readonly pair: string;
  /** What the answer is about, without the name of the input: `Status:moved`. */
  readonly subject: string;
  readonly inputs: number;
  /** True if the whole subject may be a word, so it does not begin with the name of an input. */
  readonly mayBeWord: boolean;
  /** True for an answer of a mapping file that calls all other words subscribed: `Notes:*=subscribed`. */
  readonly isSaved: boolean;
  readonly reading: StatusReading;
}

interface ScopedAnswer extends Scope {
  readonly answer: WordAnswer;
}

/** The states of words. A key is the `answeredKey` of a word; it is empty for a blank. */
type States = ReadonlyMap<string, StatusReading>;

/** What the answers say in one table: about words in any column, and about the words of a column, by its index. */
export interface WordStates {
  readonly anywhere: States;
  readonly inColumn: ReadonlyMap<number, States>;
}

/**
 * The states of the words of a table. Of two answers about one word, the one for fewer inputs and columns counts. If
 * one is for fewer inputs and the other for fewer columns, the stricter one counts. Throws SvcError (exit 2) if two
 * equally exact answers differ (C1).
 */
export function statesOfWords(answers: readonly WordAnswer[], header: readonly string[]): WordStates {
  const { anywhere, inColumn } = scopedWords(answers, header);
  const states = [...inColumn].map(([column, words]) => [column, statesByKey(words)] as const);
  return { anywhere: statesByKey(anywhere), inColumn: new Map(states) };
}

type AnswersByWord = ReadonlyMap<string, readonly ScopedAnswer[]>;

// Two maps of answers: `anywhere` by word, for answers without a column, and `inColumn` by column index and word.
function scopedWords(answers: readonly WordAnswer[], header: readonly string[]) {
  const ofAnyColumn = answers.filter(({ mayBeWord }) => mayBeWord).map(forAll);
  const anywhere: AnswersByWord = Map.groupBy(ofAnyColumn, ({ answer }) => answeredKey(answer.subject));
  const columnsOf = answerColumns(header);
  const named = answers.flatMap((answer) =>
    readingsOfColons(answer.subject).flatMap(({ name, word }) => {
      const columns = columnsOf(name);
      return columns.map((column) => ({ column, word: answeredKey(word), ...forAll(answer), columns: columns.length }));
    }),
  );
  const inColumn = [...Map.groupBy(named, ({ column }) => column)].map(([column, found]) => {
    const words = [...Map.groupBy(found, ({ word }) => word)];
    return [column, new Map(words.map(([word, of]) => [word, [...of, ...(anywhere.get(word) ?? [])]]))] as const;
  });
  return { anywhere, inColumn: new Map<number, AnswersByWord>(inColumn) };
}

/** The answers that count in one table. The answers about one word form a group. */
export function groupsOfWords(
  answers: readonly WordAnswer[],
  header: readonly string[],
): readonly (readonly ScopedAnswer[])[] {
  const { anywhere, inColumn } = scopedWords(answers, header);
  return [anywhere, ...inColumn.values()].flatMap((words) => [...words.values()]);
}

/** The state for each domain. The subject of each answer is a domain. */
export function statesOfDomains(answers: readonly WordAnswer[]): States {
  return statesByKey(Map.groupBy(answers.map(forAll), ({ answer }) => answer.subject));
}

function forAll(answer: WordAnswer): ScopedAnswer {
  return { answer, inputs: answer.inputs, columns: Number.POSITIVE_INFINITY };
}

function statesByKey(found: ReadonlyMap<string, readonly ScopedAnswer[]>): States {
  return new Map([...found].map(([key, of]) => [key, strictest(of)]));
}

function strictest(found: readonly ScopedAnswer[]): StatusReading {
  return decidingAnswers(found, WORDS)
    .map(({ answer }) => answer.reading)
    .reduce(combineReadings);
}

/**
 * How to read the answers of one flag, so that `decidingAnswers` can choose between several answers about one thing.
 */
export interface AnswerKind<T> {
  readonly flag: string;
  /** The answer as typed. */
  pairOf(answer: T): string;
  /** What the answer says. Two answers that say the same never contradict each other. */
  meaningOf(answer: T): string;
  /** True for an answer that may sign people up. The first line of a hint leaves it out (C11). */
  signsUp(answer: T): boolean;
  /**
   * True if two answers can both count for one cell: one names the input (`left.csv:x`), the other the column
   * (`Status:x`).
   */
  readonly mayCountTogether: boolean;
}

/** How `decidingAnswers` reads answers of `--status-map`. */
export const WORDS: AnswerKind<ScopedAnswer> = {
  flag: '--status-map',
  pairOf: ({ answer }) => answer.pair,
  meaningOf: ({ answer }) => answer.reading.state,
  signsUp: ({ answer }) => answer.reading.state === 'subscribed',
  mayCountTogether: true,
};

/**
 * Of all answers about one thing, those that count. An answer counts if no other answer is for fewer inputs and
 * columns. Throws SvcError (exit 2) if two of them contradict each other and can't count together (C1).
 */
export function decidingAnswers<T extends Scope>(found: readonly T[], kind: AnswerKind<T>): readonly T[] {
  const exact = mostExact(found);
  const scopeOf = ({ inputs, columns }: Scope) => (kind.mayCountTogether ? `${inputs} ${columns}` : '');
  for (const equal of Map.groupBy(exact, scopeOf).values()) {
    if (new Set(equal.map(kind.meaningOf)).size > 1) {
      const ordered = equal.toSorted((one, other) => Number(kind.signsUp(other)) - Number(kind.signsUp(one)));
      throw contradictionError(kind.flag, ordered.map(kind.pairOf));
    }
  }
  return exact;
}

function mostExact<T extends Scope>(found: readonly T[]): readonly T[] {
  const isWithin = (one: Scope, other: Scope) => one.inputs <= other.inputs && one.columns <= other.columns;
  return found.filter((one) => !found.some((other) => isWithin(other, one) && !isWithin(one, other)));
}

/** The error for answers about one thing that contradict each other. The hint first proposes to drop the first pair. */
export function contradictionError(flag: string, pairs: readonly string[]) {
  return answerError(
    'contradicting_answers',
    `${flag}: ${pairs.map((pair) => JSON.stringify(pair)).join(' and ')} contradict each other`,
    ['Keep one of them:', ...pairs.map((pair) => withoutPair(flag, pair))].join('\n'),
  );
}
