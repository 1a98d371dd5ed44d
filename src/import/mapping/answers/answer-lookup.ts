import { memoize } from '../../../base/lib/memoize.ts';
import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { FAILED_MAIL, mayBeFinalReply } from '../../consent-columns/cells/mail-results.ts';
import { maySayThatPersonLeft } from '../../consent-columns/sentences/may-say-left.ts';
import { wholeDomain } from '../../values/domains.ts';
import type { InputAnswers } from '../reading-answers.ts';
import {
  ALL_OTHER_WORDS,
  answerColumns,
  answeredKey,
  isForAllWords,
  readingsOfColons,
  textKey,
} from './answer-keys.ts';
import { statesOfDomains, statesOfWords, type WordAnswer, type WordStates } from './exact-answers.ts';

/** The answers of the user that count for one table, in a form for quick look-ups. */
export interface CheckedAnswers extends InputAnswers {
  readonly states: WordStates;
  /** The answer for all other unknown status words: `*=skip`. Some words are exempt: see `createAnswerLookup`. */
  readonly unknownWordAnswer: StatusReading | undefined;
  /** The columns whose answer `*=subscribed` is from a mapping file. -1 means all columns. */
  readonly savedForAll: ReadonlySet<number>;
  /** The state for all people of a domain: `@example.org=skip`. */
  readonly domains: ReadonlyMap<string, StatusReading>;
}

// The key of the answers for all other words.
const FOR_ALL = answeredKey(ALL_OTHER_WORDS);

/** True if the user explained at least one status word. */
export function hasAnswers({
  states,
  unknownWordAnswer,
}: Pick<CheckedAnswers, 'states' | 'unknownWordAnswer'>): boolean {
  return states.anywhere.size > 0 || states.inColumn.size > 0 || unknownWordAnswer !== undefined;
}

/** The answers for the columns of a table. Throws SvcError (exit 2) for two answers that contradict each other. */
export function answersForHeader(answers: InputAnswers, header: readonly string[]): CheckedAnswers {
  const domainOf = ({ subject }: WordAnswer) => (subject.startsWith('@') ? wholeDomain(subject) : undefined);
  const ofDomains = answers.words.flatMap((answer) => {
    const domain = domainOf(answer);
    return domain === undefined ? [] : [{ ...answer, subject: domain }];
  });
  const words = answers.words.filter((answer) => domainOf(answer) === undefined);
  const states = statesOfWords(words, header);
  const anywhere = new Map(states.anywhere);
  const unknownWordAnswer = anywhere.get(FOR_ALL);
  anywhere.delete(FOR_ALL);
  const savedForAll = columnsWithSavedAnswer(words, header);
  return {
    ...answers,
    states: { ...states, anywhere },
    unknownWordAnswer,
    savedForAll,
    domains: statesOfDomains(ofDomains),
  };
}

// The value of `savedForAll`. A column is not in it if the user also typed such an answer, because then the user has
// seen the words of this list.
function columnsWithSavedAnswer(words: readonly WordAnswer[], header: readonly string[]): ReadonlySet<number> {
  if (!words.some(({ isSaved }) => isSaved)) {
    return NO_COLUMNS;
  }
  const columnsOf = answerColumns(header);
  const forAll = words.flatMap(({ subject, mayBeWord, isSaved }) => [
    ...(mayBeWord && isForAllWords(subject) ? [{ column: NO_COLUMN, isSaved }] : []),
    ...readingsOfColons(subject).flatMap(({ name, word }) =>
      isForAllWords(word) ? columnsOf(name).map((column) => ({ column, isSaved })) : [],
    ),
  ]);
  const byColumn = [...Map.groupBy(forAll, ({ column }) => column)];
  return new Set(byColumn.filter(([, found]) => found.every(({ isSaved }) => isSaved)).map(([column]) => column));
}

const NO_COLUMNS: ReadonlySet<number> = new Set();

/** An index for a lookup of answers that name no column. */
export const NO_COLUMN = -1;

/**
 * The answer for a word of the column with this index: `column:word`. An answer for blanks (`column:=skip`) that keeps
 * mail away also counts for `NULL`, `-` and dates of zeros, because svc calls these cells blank when it asks (C4).
 */
export function answerInColumn(
  answers: Pick<CheckedAnswers, 'states'>,
  column: number,
  word: string,
): StatusReading | undefined {
  const found = answers.states.inColumn.get(column)?.get(textKey(word));
  return found ?? (isEmptyValue(word) ? strictBlankAnswer(answers, column) : undefined);
}

/** The answer for blanks of the column with this index, if it keeps mail away: `column:=skip`. */
export function strictBlankAnswer(
  { states }: Pick<CheckedAnswers, 'states'>,
  column: number,
): StatusReading | undefined {
  const answer = states.inColumn.get(column)?.get('');
  return answer?.state === 'subscribed' ? undefined : answer;
}

/** The answer for all other words of the column with this index: `column:*`. */
export function answerForColumn({ states }: Pick<CheckedAnswers, 'states'>, column: number): StatusReading | undefined {
  return states.inColumn.get(column)?.get(FOR_ALL);
}

/**
 * The answers for a word of a column: for the word in this column (`Notes:left=skip`), for the word in any column
 * (`left=skip`), for all other words of the column (`Notes:*=skip`), and for all other words (`*=skip`).
 */
type WordAnswers = Readonly<
  Record<'forWord' | 'forWordAnywhere' | 'forColumn' | 'forAnyWord', StatusReading | undefined>
>;

/** The value of `maySayLeft` for columns in which svc asks only about words that may mean that a person left. */
export const ALWAYS = (): boolean => true;

/**
 * Makes the function that finds the answers for a word of the column with this index. The answer `subscribed` for all
 * other words does not count for a text that may be a final reply of a mail server. Such a text skips the person until
 * it has an answer of its own (C1). If a text may mean that a person left (`maySayLeft`), svc ignores such an answer of
 * a mapping file, and asks. So only this function may read the answers for all other words.
 */
export function createAnswerLookup(
  { states, unknownWordAnswer, savedForAll }: Pick<CheckedAnswers, 'states' | 'unknownWordAnswer' | 'savedForAll'>,
  column: number,
  maySayLeft: (word: string) => boolean = maySayThatPersonLeft,
): (word: string) => WordAnswers {
  const columnAnswer = answerForColumn({ states }, column);
  return memoize((word) => {
    const forOthers = (answer: StatusReading | undefined, index: number) => {
      if (answer?.state !== 'subscribed') {
        return answer;
      }
      if (savedForAll.has(index) && maySayLeft(word)) {
        return undefined;
      }
      return mayBeFinalReply(word) ? FAILED_MAIL : answer;
    };
    return {
      forWord: answerInColumn({ states }, column, word),
      forWordAnywhere: states.anywhere.get(textKey(word)),
      forColumn: forOthers(columnAnswer, column),
      forAnyWord: forOthers(unknownWordAnswer, NO_COLUMN),
    };
  });
}
