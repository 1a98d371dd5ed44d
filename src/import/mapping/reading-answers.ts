import { memoize } from '../../base/lib/memoize.ts';
import { shellWord } from '../../base/lib/text.ts';
import type { DateOrder } from '../../platforms/lib/platform.ts';
import { isState, type StatusReading } from '../../platforms/lib/states.ts';
import type { SuppressionReason } from '../../wire/service-words.ts';
import { FAILED_MAIL, mayBeFinalReply } from '../consent-columns/cells/mail-results.ts';
import { wholeDomain } from '../record/domains.ts';
import { answerWithoutInput, type NamedInput, namesOfInput } from '../source/source.ts';
import { answerKeys, columnWordKey, textKey } from './answers/answer-keys.ts';
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
  /** True to reject a second header of another list and the rows below it. Otherwise this header stops the run. */
  readonly allowJoinedFiles: boolean;
  readonly reason: SuppressionReason | undefined;
}

/** The answers of the user, checked and in a form for quick look-ups. */
export interface CheckedAnswers {
  readonly maps: readonly MapAnswer[];
  /** The state for each status word. The keys are made by `answerKeys`; the empty key is for blank cells. */
  readonly states: ReadonlyMap<string, StatusReading>;
  /** The same states by the words as typed. In columns about something else, punctuation counts. */
  readonly typedStates: ReadonlyMap<string, StatusReading>;
  /** The answer for all other unknown status words: `*=skip`. Only `createAnswerLookup` reads it for a word. */
  readonly unknownWordAnswer: StatusReading | undefined;
  /** The state for all people of a domain: `@example.org=skip`. */
  readonly domains: ReadonlyMap<string, StatusReading>;
  /** The value to send for a topic column, by the column name as typed. */
  readonly topicValues: ReadonlyMap<string, string>;
  readonly allowJoinedFiles: boolean;
}

/** True if the user explained at least one status word. */
export function hasAnswers({
  states,
  unknownWordAnswer,
}: Pick<CheckedAnswers, 'states' | 'unknownWordAnswer'>): boolean {
  return states.size > 0 || unknownWordAnswer !== undefined;
}
const STATE_NAMES = 'subscribed unsubscribed pending bounced complained suppressed skip';

/** Checks the answers as far as possible without a table. Throws SvcError (exit 2) for a wrong answer. */
export function readAnswers(options: ReadingOptions): CheckedAnswers {
  const states = new Map<string, StatusReading>();
  const typedStates = new Map<string, StatusReading>();
  const domains = new Map<string, StatusReading>();
  for (const [word, state] of Object.entries(options.statusMap)) {
    const keys = answerKeys(word);
    const status = readState(state, '--status-map', `${word}=`);
    // A word with the answer `skip` may be the only sign of an opt-out. So the answer becomes `pending`, which wins
    // over `subscribed` in another column (C7). A blank is no sign of an opt-out, so its answer stays `skip`.
    const answer = keys[0] === '' || status.state !== 'skip' ? status : { ...status, state: 'pending' as const };
    const domain = word.startsWith('@') ? wholeDomain(word) : undefined;
    domain === undefined ? keys.forEach((key) => states.set(key, answer)) : domains.set(domain, answer);
    word.includes(':') && typedStates.set(word, answer);
  }
  const unknownWordAnswer = states.get(ALL_OTHER_WORDS);
  states.delete(ALL_OTHER_WORDS);
  return {
    maps: options.map.map((pair) => readMapAnswer(pair, options.map)),
    states,
    typedStates,
    unknownWordAnswer,
    domains,
    topicValues: new Map(Object.entries(options.topicValues)),
    allowJoinedFiles: options.allowJoinedFiles,
  };
}

const ALL_OTHER_WORDS = '*';

/**
 * The answers that count for an input: those for all inputs, and those that begin with its name: `left.csv:Out:x`. If
 * an input has several names, the answer with the most exact one counts: `old/list.csv`, not `list.csv`.
 */
export function answersForInput(answers: CheckedAnswers, options: ReadingOptions, source: NamedInput): CheckedAnswers {
  const names = [...new Set(namesOfInput(source))];
  return names.toReversed().reduce((found, name) => withAnswersNaming(found, options, name), answers);
}

// The answers, replaced by those that begin with this name of an input.
function withAnswersNaming(answers: CheckedAnswers, options: ReadingOptions, name: string): CheckedAnswers {
  const map = options.map.flatMap((pair) => answerWithoutInput(pair, [name]) ?? []);
  const statusMap = answersNaming(options.statusMap, name);
  const topicValues = answersNaming(options.topicValues, name);
  if ([map, Object.keys(statusMap), Object.keys(topicValues)].every(({ length }) => length === 0)) {
    return answers;
  }
  const inputAnswers = readAnswers({ ...options, map, statusMap, topicValues });
  return {
    ...answers,
    maps: [...answers.maps, ...inputAnswers.maps],
    states: new Map([...answers.states, ...inputAnswers.states]),
    typedStates: new Map([...answers.typedStates, ...inputAnswers.typedStates]),
    unknownWordAnswer: inputAnswers.unknownWordAnswer ?? answers.unknownWordAnswer,
    domains: new Map([...answers.domains, ...inputAnswers.domains]),
    topicValues: new Map([...answers.topicValues, ...inputAnswers.topicValues]),
  };
}

// The answers that begin with this name of an input, without the name: `Out:x` for `left.csv:Out:x`.
function answersNaming(answers: Readonly<Record<string, string>>, name: string) {
  const named = Object.entries(answers).flatMap(([subject, answer]) => {
    const withoutInput = answerWithoutInput(subject, [name]);
    return withoutInput === undefined ? [] : [[withoutInput, answer] as const];
  });
  return Object.fromEntries(named);
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

/** The answer for a word of a column: `column:word`. `columns` has the names of the column, the most exact first. */
export function answerInColumn(
  { states }: Pick<CheckedAnswers, 'states'>,
  columns: readonly string[],
  word: string,
): StatusReading | undefined {
  for (const column of columns) {
    const answer = states.get(columnWordKey(column, word));
    if (answer !== undefined) {
      return answer;
    }
  }
  return undefined;
}

/**
 * The answers for a word of a column: for the word in this column (`Notes:left=skip`), for the word in any column
 * (`left=skip`), for all other words of the column (`Notes:*=skip`), and for all other words (`*=skip`).
 */
type WordAnswers = Readonly<
  Record<'forWord' | 'forWordAnywhere' | 'forColumn' | 'forAnyWord', StatusReading | undefined>
>;

/**
 * Makes the function that finds the answers for a word of a column. `columns` has the names of the column, the most
 * exact first. The answer `subscribed` for all other words does not count for a text that may be a final reply of a
 * mail server: such a text skips the person until it has an answer of its own (C1). So only this function may read the
 * answers for all other words.
 */
export function createAnswerLookup(
  { states, unknownWordAnswer }: Pick<CheckedAnswers, 'states' | 'unknownWordAnswer'>,
  columns: readonly string[],
): (word: string) => WordAnswers {
  const columnAnswer = answerInColumn({ states }, columns, ALL_OTHER_WORDS);
  return memoize((word) => {
    const forOthers = (answer: StatusReading | undefined) =>
      answer?.state === 'subscribed' && mayBeFinalReply(word) ? FAILED_MAIL : answer;
    return {
      forWord: answerInColumn({ states }, columns, word),
      forWordAnywhere: states.get(textKey(word)),
      forColumn: forOthers(columnAnswer),
      forAnyWord: forOthers(unknownWordAnswer),
    };
  });
}
