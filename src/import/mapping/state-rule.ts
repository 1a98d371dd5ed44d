import { headerOrNumber } from '../../platforms/lib/headers.ts';
import type { TableReading } from '../../platforms/lib/platform.ts';
import type { State, StatusReading } from '../../platforms/lib/states.ts';
import { NONE } from '../../platforms/lib/words.ts';
import { keepsMailAway, strictest } from '../consent-columns/combine-readings.ts';
import type { ConsentColumn } from '../consent-columns/find-consent-columns.ts';
import type { OtherColumn } from '../consent-columns/other-columns/find-other-columns.ts';
import { AGREES, isBareAnswer } from '../consent-columns/value-words.ts';
import { type Answers, hasAnswers, type ReadingOptions, readSvcState, wordKey } from './reading-answers.ts';

interface StateParts {
  readonly reading: TableReading;
  readonly header: readonly string[];
  /** Columns that may hold an opt-out, besides the platform's own. */
  readonly consent: readonly ConsentColumn[];
  /** Columns about something else, in which a status word is unexpected. */
  readonly otherColumns: readonly OtherColumn[];
  /** True if --map names a column as the status or the reason. Then the platform's rule may only keep mail away. */
  readonly statusNamed: boolean;
  readonly answers: Answers;
  readonly reason: ReadingOptions['reason'];
  readonly withoutStatus: StatusReading;
  /** True if the input is named as an opt-out list. Then no row is subscribed by its own content. */
  readonly distrustsSubscribed: boolean;
}

/** The reading of a row that says subscribed in an opt-out list: the same as no state. */
export const NOT_BELIEVED: StatusReading = { state: 'none' };

/** The state rule of a table. `from` names the origin of the state; undefined if the table holds none. */
interface StateRule {
  readonly from: string | undefined;
  stateOf(cells: readonly string[], svcState: string): StatusReading;
}

/**
 * Precedence: svc_state, then --reason, then the row itself. In a row, the platform's rule and all consent columns
 * count; the most restrictive state wins (rule C10). --status-map answers the words of all of them.
 */
export function createStateRule(parts: StateParts): StateRule {
  const { base, from } = ruleOfRow(parts);
  const { withoutStatus, distrustsSubscribed } = parts;
  const believed: StateOf = distrustsSubscribed
    ? (cells) => {
        const status = base(cells);
        return status.state === 'subscribed' ? NOT_BELIEVED : status;
      }
    : base;
  return {
    from,
    stateOf: (cells, svcState) => {
      const status = svcState === '' ? believed(cells) : (readSvcState(svcState) ?? believed(cells));
      const silent = status.state === 'none' && status.unknown === undefined;
      return silent && withoutStatus.state !== 'none' ? withoutStatus : status;
    },
  };
}

interface RowRule {
  readonly base: StateOf;
  readonly from: string | undefined;
}

type StateOf = (cells: readonly string[]) => StatusReading;

const REASON_STATES: Readonly<Record<string, State>> = {
  bounced: 'bounced',
  complained: 'complained',
  unsubscribed: 'suppressed',
};

function ruleOfRow(parts: StateParts): RowRule {
  if (parts.reason !== undefined) {
    const status: StatusReading = { state: REASON_STATES[parts.reason] ?? 'suppressed' };
    return { base: () => status, from: '--reason' };
  }
  const { reading, consent, otherColumns, header } = parts;
  const platform = platformRule(parts);
  const rules = consent.map((column) => ({ at: column.at, stateOf: columnRule(column, parts) }));
  const unexpected = otherColumns.map((column) => ({ at: column.at, stateOf: otherColumnRule(column, parts) }));
  const speaking = consent.filter(({ speaks }) => speaks).map(({ at }) => JSON.stringify(headerOrNumber(header, at)));
  const from = [reading.stateFrom, speaking.length > 0 ? `column ${speaking.join(' and ')}` : undefined];
  return {
    from: from.filter((one) => one !== undefined).join(' and ') || undefined,
    base: (cells) => {
      let status = platform(cells);
      for (const { at, stateOf } of rules) {
        const own = stateOf(cells[at] ?? '');
        // Most cells hold no state.
        status = own === NONE ? status : strictest(status, own);
      }
      for (const { at, stateOf } of unexpected) {
        const cell = cells[at];
        if (cell !== undefined && cell !== '') {
          const found = stateOf(cell, status.unknown === '');
          status = found === NONE ? status : strictest(status, found);
        }
      }
      return status;
    },
  };
}

/**
 * The rule of a column about something else. Its answers are those of a note: by word, or for all its words
 * (`Address:*`). An answer never signs a person up; `subscribed` makes a word harmless. If the status is blank, even a
 * clear word is a question, because the row may have been cut at the wrong places.
 */
function otherColumnRule({ at, stateOf }: OtherColumn, { header, answers }: StateParts) {
  const name = headerOrNumber(header, at);
  const rest = answers.states.get(wordKey(`${name}:*`));
  const answered = (one: StatusReading, word: string): StatusReading => {
    const own = answers.states.get(wordKey(`${name}:${word}`)) ?? answers.states.get(wordKey(word));
    const found = one.unknown === undefined ? own : (own ?? rest ?? answers.otherWords);
    return found?.state === 'subscribed' ? NONE : (found ?? (one.unknown === undefined ? one : { ...one, at }));
  };
  return (cell: string, isBlank: boolean): StatusReading => {
    const read = stateOf(cell);
    if (read === NONE) {
      return read;
    }
    const found: StatusReading = isBlank && read.unknown === undefined ? { state: 'none', unknown: cell.trim() } : read;
    // A JSON cell may hold several words that aren't understood. Each has its own answer.
    const readings = [found, ...(found.also ?? [])];
    return readings.map((one) => answered({ ...one, also: undefined }, one.unknown ?? cell)).reduce(strictest, NONE);
  };
}

// --status-map also overrides words that the platform knows.
function platformRule({ reading, statusNamed, answers }: StateParts): StateOf {
  const base: StateOf = hasAnswers(answers)
    ? (cells) => answeredState(reading, cells, answers)
    : (cells) => reading.stateOf(cells);
  return statusNamed ? (cells) => onlyRestricting(base(cells)) : base;
}

/**
 * The platform's state of a row with the answers applied. An unknown word hides the other columns of the platform. So
 * the row is read again without the word, and the more restrictive of both states wins (rule C7).
 */
function answeredState(reading: TableReading, cells: readonly string[], answers: Answers): StatusReading {
  const status = reading.stateOf(cells);
  const answer = answerTo(status, reading.wordOf?.(cells) ?? status.unknown, answers);
  const others = answer && status.unknown ? withoutWord(cells, status.unknown) : undefined;
  return others ? strictest(answer as StatusReading, answeredState(reading, others, answers)) : (answer ?? status);
}

/**
 * The cells with a word removed: where it is a whole cell, else where it is in a list of words. Undefined if no cell
 * holds it.
 */
function withoutWord(cells: readonly string[], word: string): readonly string[] | undefined {
  const isWord = (cell: string) => cell.trim() === word;
  if (cells.some(isWord)) {
    return cells.map((cell) => (isWord(cell) ? '' : cell));
  }
  return cells.some((cell) => cell.includes(word)) ? cells.map((cell) => cell.replaceAll(word, '')) : undefined;
}

function onlyRestricting(status: StatusReading): StatusReading {
  return status.unknown || keepsMailAway(status) ? status : NONE;
}

/**
 * The rule of one column with the answers for its words. A plain yes or no has different meanings in different columns.
 * So an answer that names no column, unlike `Newsletter:no=skip`, applies only if the cell isn't understood. `Notes:*`
 * answers for all other words of one column, and `Newsletter:=skip` for its blank cells. A note never subscribes a
 * person: an answer that says so makes it harmless.
 */
function columnRule(column: ConsentColumn, { header, answers }: StateParts): (cell: string) => StatusReading {
  const { at, stateOf, meaning } = column;
  if (!hasAnswers(answers)) {
    return stateOf;
  }
  const name = headerOrNumber(header, at);
  const rest = answers.states.get(wordKey(`${name}:*`));
  return (cell) => {
    const status = stateOf(cell);
    const word = status.unknown ?? cell.trim();
    const own = answers.states.get(wordKey(`${name}:${word}`));
    if (word === '') {
      return own ?? status;
    }
    const plain = isBareAnswer(word) && status.unknown === undefined && status !== AGREES;
    const others = status.unknown === undefined ? undefined : rest;
    const found =
      own ?? (plain ? undefined : answers.states.get(wordKey(word))) ?? others ?? answerTo(status, undefined, answers);
    return (meaning === 'text' && found?.state === 'subscribed' ? NONE : found) ?? status;
  };
}

function answerTo(status: StatusReading, word: string | undefined, answers: Answers): StatusReading | undefined {
  const own = word === undefined ? undefined : answers.states.get(wordKey(word));
  return own ?? (status.unknown ? answers.otherWords : undefined);
}
