import { memoize } from '../../../base/lib/memoize.ts';
import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import type { TableReading } from '../../../platforms/lib/platform.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { SUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import { isDate } from '../cells/days.ts';
import type { ConsentColumn } from '../find-consent-columns.ts';
import type { Meaning } from '../headers/header-reading.ts';
import { readHeader } from '../headers/read-header.ts';
import { wordsOf } from '../words/plain-words.ts';
import { AGREES_READING, readYesNo, STATE_WORDS, wordLookupKey } from '../words/value-words.ts';
import { nameOfOneList, namesOneList } from './named-lists.ts';

/**
 * What a cell says about mail. `word`: a word such as `subscribed`. `yes`: the person agreed. `confirmed`: the person
 * confirmed the address. `no`, `blank`: a no or a blank in a column of opt-outs, so there is no opt-out. `left`: the
 * person left or never agreed. `pending`: the person never confirmed.
 */
export type Statement = 'word' | 'yes' | 'confirmed' | 'no' | 'blank' | 'left' | 'pending';

/** A column that can say that a person gets mail, or that the person left. */
export interface StatementColumn {
  readonly index: number;
  /** The name of the list, for a column about one list or one kind of mail. */
  readonly ofList: string | undefined;
  /** True if the platform knows what the column means. svc then does not ask about it. */
  readonly isOfPlatform: boolean;
  says(cell: string): Statement | undefined;
  /** True for a column such as `Bounced`, which never says that a person gets mail. Only a user's answer can say so. */
  readonly refusesOnly?: boolean;
  /** True for a column about something else. It contradicts opt-outs only if none of them is in a consent column. */
  readonly isAboutOtherThing?: true;
}

/** The statements by which a person gets mail. `no` is one of them, because it says no to an opt-out. */
export const AGREEING_STATEMENTS: ReadonlySet<Statement> = new Set(['word', 'yes', 'no']);

export interface StatementParts {
  readonly header: readonly string[];
  readonly reading: TableReading;
  readonly platformColumns: ReadonlySet<number>;
  readonly consentColumns: readonly ConsentColumn[];
  /** The indexes of the consent columns that are each about one list, such as `Newsletter Berlin`. */
  readonly listColumns: ReadonlySet<number>;
  /** The columns about something else, in which an opt-out word is unexpected. */
  readonly otherColumns: readonly { readonly index: number; stateOf(cell: string): StatusReading }[];
  /** The indexes of columns about something else in which all cells of the first rows say subscribed. */
  readonly subscribedColumns: readonly number[];
  /** The answer of the user for a cell, if there is one. */
  answerFor(index: number, cell: string): StatusReading | undefined;
}

/**
 * The columns that can say that a person gets mail or left. First those of the platform, then consent columns, then
 * columns about something else.
 */
export function statementColumns(parts: StatementParts): readonly StatementColumn[] {
  const { header, consentColumns, listColumns, otherColumns } = parts;
  const ofConsent = consentColumns.map((column) => {
    const name = header[column.index] ?? '';
    const isOfList = listColumns.has(column.index);
    const statementOf = memoize((cell: string) => statementIn(column, cell, isOfList));
    // An earlier status, or the status of an order or the like, can't say that a person agrees to mail.
    const isOther = column.isPreviousStatus || column.needsConfirmation || readHeader(name)?.isStatusOfOtherThing;
    const plainStatementOf = (cell: string) => withoutHistory(statementOf(cell), name);
    const refusalOf = (cell: string) =>
      AGREEING_STATEMENTS.has(statementOf(cell) ?? 'blank') ? undefined : statementOf(cell);
    return {
      index: column.index,
      ofList: isOfList ? nameOfOneList(name) : undefined,
      isOfPlatform: false,
      refusesOnly: MEANINGS_ABOUT_ADDRESS.has(column.meaning),
      says: isOther ? refusalOf : plainStatementOf,
    };
  });
  const ofOthers = otherColumns.map(({ index, stateOf }) => ({
    index,
    ofList: namesOneList(header[index] ?? '') ? nameOfOneList(header[index] ?? '') : undefined,
    isOfPlatform: false,
    refusesOnly: true,
    says: (cell: string) => (cell === '' ? undefined : refusalIn(stateOf(cell))),
  }));
  return [...platformStatementColumns(parts), ...ofConsent, ...ofOthers, ...subscribedStatementColumns(parts)];
}

// Columns about something else whose cells say `subscribed`, so that they can contradict an opt-out. For example, all
// people have `Products`, but some people left.
function subscribedStatementColumns({ subscribedColumns }: StatementParts): readonly StatementColumn[] {
  const statementOf = (cell: string): Statement | undefined =>
    STATE_WORDS.get(wordLookupKey(cell)) === SUBSCRIBED ? 'word' : undefined;
  return subscribedColumns.map((index) => ({
    index,
    ofList: undefined,
    isOfPlatform: false,
    isAboutOtherThing: true,
    says: statementOf,
  }));
}

// The statement of a cell. Undefined for an agreement under a header about how the person signed up (`Opt-in method`),
// because `single opt-in` stays in the cell when the person leaves.
function withoutHistory(statement: Statement | undefined, header: string): Statement | undefined {
  return statement !== undefined && AGREEING_STATEMENTS.has(statement) && METHOD_HEADER.test(wordsOf(header))
    ? undefined
    : statement;
}

const METHOD_HEADER =
  /\b(?:method|source|origin|via|mode|type|methode|quelle|art|source|origine|metodo|fonte|origen)$/u;

// The columns that the platform reads. Each cell is read as if all other cells of its row were blank.
function platformStatementColumns({ header, reading, platformColumns }: StatementParts): readonly StatementColumn[] {
  const blank = header.map(() => '');
  const stateOfCell = (index: number, cell: string) => reading.stateOf(blank.with(index, cell));
  const isSubscribed = reading.stateOf(blank).state === 'subscribed';
  const stateOfYes = new Map([...platformColumns].map((index) => [index, stateOfCell(index, 'true').state]));
  const hasOptOutOfAll = [...stateOfYes.values()].includes('suppressed');
  return [...stateOfYes].map(([index, yes]) => {
    const name = header[index] ?? '';
    const meaning = readHeader(name)?.meaning;
    const isOptOut =
      (yes === 'unsubscribed' || yes === 'suppressed') && (meaning === 'optedOut' || meaning === 'either');
    const statementOf = (cell: string): Statement | undefined => {
      const status = stateOfCell(index, cell);
      if (cell.trim() === '') {
        return isOptOut && isSubscribed ? 'blank' : undefined;
      }
      const refusal = refusalIn(status);
      if (refusal !== undefined || (isOptOut && readYesNo(cell) === false)) {
        return refusal ?? 'no';
      }
      // A column about the address, such as `Bounced`, does not say that the person gets mail. Neither does a no that
      // leaves the person subscribed.
      const isSilent =
        (meaning !== undefined && MEANINGS_ABOUT_ADDRESS.has(meaning)) || (isSubscribed && readYesNo(cell) === false);
      return meaning === 'confirmed' ? 'confirmed' : isSilent ? undefined : agreementIn(status, cell);
    };
    return {
      index,
      ofList: namesOneList(name) || (hasOptOutOfAll && yes === 'unsubscribed') ? nameOfOneList(name) : undefined,
      isOfPlatform: true,
      says: memoize((cell: string) => withoutHistory(statementOf(cell), name)),
    };
  });
}

// Columns about the address, the record or the preferred channel. No cell in them says that the person wants mail.
const MEANINGS_ABOUT_ADDRESS: ReadonlySet<Meaning> = new Set([
  'bounced',
  'bounces',
  'invalid',
  'mailError',
  'withheld',
  'channel',
  'reason',
]);

function statementIn(column: ConsentColumn, cell: string, isOfList: boolean): Statement | undefined {
  const { meaning, filledMeansHappened } = column;
  if (MEANINGS_OF_REFUSALS.has(meaning) && isEmptyValue(cell)) {
    return meaning === 'optedOut' && (!filledMeansHappened || isOfList) ? 'blank' : undefined;
  }
  if (MEANINGS_OF_REFUSALS.has(meaning) && readYesNo(cell) === false) {
    return MEANINGS_OF_OTHER_ENDS.has(meaning) ? undefined : 'no';
  }
  const status = column.stateOf(cell);
  if (meaning === 'confirmed' && (status.agreesToMail || isDate(cell.trim()))) {
    return 'confirmed';
  }
  return refusalIn(status) ?? (MEANINGS_ABOUT_ADDRESS.has(meaning) ? undefined : agreementIn(status, cell));
}

const MEANINGS_OF_REFUSALS: ReadonlySet<Meaning> = new Set(['optedOut', 'suppressed', 'complained', 'unconfirmed']);
// A no in these columns does not contradict an opt-out: a person who never complained may have opted out.
const MEANINGS_OF_OTHER_ENDS: ReadonlySet<Meaning> = new Set(['suppressed', 'complained']);

function refusalIn({ state, why, unknown }: StatusReading): Statement | undefined {
  if (unknown !== undefined) {
    return undefined;
  }
  if (STATES_OF_OPT_OUTS.has(state) || why === 'no_consent') {
    return 'left';
  }
  return state === 'pending' && why === undefined ? 'pending' : undefined;
}

const STATES_OF_OPT_OUTS: ReadonlySet<StatusReading['state']> = new Set(['unsubscribed', 'suppressed', 'complained']);

// How a cell says that the person gets mail: `word` or `yes`. Undefined if it does not. `valid` and `deliverable` are
// no agreement, because they are about the address.
function agreementIn({ state, agreesToMail, unknown }: StatusReading, cell: string): Statement | undefined {
  const [word, answer] = [STATE_WORDS.get(wordLookupKey(cell)), readYesNo(cell)];
  if (unknown !== undefined) {
    return undefined;
  }
  if (state === 'subscribed' || word === SUBSCRIBED) {
    return answer === true && word !== SUBSCRIBED ? 'yes' : 'word';
  }
  return agreesToMail && word !== AGREES_READING ? 'yes' : undefined;
}
