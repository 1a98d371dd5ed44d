import { isNoTime } from '../../../platforms/lib/blank-cells.ts';
import { headerOrNumber } from '../../../platforms/lib/headers.ts';
import type { State } from '../../../platforms/lib/states.ts';
import { isDate } from '../../consent-columns/cells/days.ts';
import type { ConsentColumn } from '../../consent-columns/find-consent-columns.ts';
import { mayNameMailings } from '../../consent-columns/headers/contrary-headers.ts';
import { namesConfirmation } from '../../consent-columns/headers/date-headers.ts';
import type { Contradiction } from '../../consent-columns/several-columns/contradictions.ts';
import { LISTS_DISAGREE } from '../../consent-columns/several-columns/list-columns.ts';
import { answerForContradiction } from '../../mapping/answers/answer-finder.ts';
import { textKey } from '../../mapping/answers/answer-keys.ts';
import type { Table } from '../../mapping/table.ts';
import type { ParsedRecord } from '../../record/parse-record.ts';
import { addExample, createExamples, type Examples, exampleAt } from './examples.ts';
import { isBlankCell } from './value-counts.ts';

/**
 * Subscribed rows in which all columns of a group of consent columns are blank, although other rows fill these columns.
 * A blank may mean that the person did not agree.
 */
export interface BlankConsent {
  readonly columns: readonly number[];
  readonly examples: Examples;
  /** The number of rows that fill at least one of the columns. */
  filled: number;
  /** True if the columns have days of a confirmation that give no state, such as `doi_at`. */
  readonly isProof: boolean;
  /**
   * True if a cell of these columns is not a day. The columns then mean something else, and the counts are not used.
   */
  isDropped: boolean;
  /** The indexes of the columns by which the rows in `examples` are subscribed. */
  readonly subscribedBy: Set<number>;
}

/**
 * Makes empty counts for three groups of columns: agreements, confirmations, and days of a confirmation without a state
 * (`isProof`). They are separate, because a person who agreed may never have confirmed. Columns that svc ignores on a
 * recognized platform are left out: a blank in them says nothing.
 */
export function createBlankConsents(table: Table): readonly BlankConsent[] {
  const { header, columns, platform } = table;
  const columnsWithoutProof = table.consentColumns.filter(({ isSignUpProof }) => !isSignUpProof);
  const agreed = columnsWithoutProof
    .filter((column) => showsAgreement(column, header[column.index] ?? ''))
    .map(({ index }) => index);
  const isDay = ({ meaning, filledMeansHappened, holdsDates }: ConsentColumn) =>
    meaning === 'confirmed' && (filledMeansHappened || holdsDates);
  const confirmed = columnsWithoutProof.filter(isDay).map(({ index }) => index);
  const isSent = (index: number) => platform === 'generic' || columns[index]?.kind !== 'ignore';
  const proofs = table.statusCandidates.filter(
    (index) => isSent(index) && ![...agreed, ...confirmed].includes(index) && namesConfirmation(header[index]),
  );
  const groups = [agreed, confirmed, proofs].filter((group) => group.length > 0);
  const createCounts = () => ({
    examples: createExamples(),
    filled: 0,
    isDropped: false,
    subscribedBy: new Set<number>(),
  });
  return groups.map((group) => ({ columns: group, isProof: group === proofs, ...createCounts() }));
}

// True for a column that shows agreement to mail: the agreement, its date, or a subscription status.
function showsAgreement(
  { meaning, holdsStates, filledMeansHappened, isConsentStatus, holdsDates }: ConsentColumn,
  header: string,
): boolean {
  if (meaning === 'status') {
    return holdsStates && !filledMeansHappened && (isConsentStatus === true || mayNameMailings(header));
  }
  return meaning === 'agreed' && (holdsStates || filledMeansHappened || holdsDates === true);
}

export function collectBlankConsent(blanks: readonly BlankConsent[], record: ParsedRecord, state: State): void {
  const { cells, table, statusReading } = record;
  for (const blank of blanks) {
    if (fillsColumn(blank, cells)) {
      blank.filled++;
    } else if (state === 'subscribed' && !(blank.isProof && statusReading === table.withoutStatus)) {
      addExample(blank.examples, () => {
        const subscribingIndex = table.statements.subscribedBy(cells);
        subscribingIndex === undefined || blank.subscribedBy.add(subscribingIndex);
        return exampleAt(record, headerOrNumber(table.header, blank.columns[0] ?? 0));
      });
    }
  }
}

// True if the row fills one of the columns. Sets `isDropped` if a filled cell of a column of proof is not a day.
function fillsColumn(blank: BlankConsent, cells: readonly string[]): boolean {
  let isFilled = false;
  for (const index of blank.columns) {
    const cell = cells[index] ?? '';
    if (!isBlankCell(cell) && !isNoTime(cell)) {
      isFilled = true;
      blank.isDropped ||= blank.isProof && !isDate(cell.trim());
    }
  }
  return isFilled;
}

/**
 * Rows in which one column says subscribed and a stricter column decides, such as `Newsletter: yes` beside `Opt-out:
 * yes`.
 */
export interface ContradictedRows {
  /** The index of the column that says subscribed. */
  readonly subscribedBy: number;
  /** The indexes of the stricter columns. */
  readonly optedOutBy: Set<number>;
  /** The state that svc gives these rows. `none` if svc asks about them. */
  readonly state: State;
  readonly examples: Examples;
}

/**
 * The contradictions. A key has the index of the column that says subscribed and the state of the rows:
 * `3:unsubscribed`.
 */
export type Contradictions = Map<string, ContradictedRows>;

// How many contradictions are counted one by one. Further ones are counted with the first, so that memory is bounded.
const MAX_CONTRADICTIONS = 100;

/**
 * Counts a row whose person gets no mail although one column says subscribed (C10), unless the user has answered about
 * this. Also counts a row about which svc asks because its columns of lists disagree.
 */
export function collectContradiction(contradictions: Contradictions, record: ParsedRecord, state: State): void {
  const { table, cells, statusReading } = record;
  const isAsked = statusReading.unknown === LISTS_DISAGREE;
  if (!isAsked && (!DECIDED.has(state) || statusReading.unknown !== undefined || isDefault(record))) {
    return;
  }
  const found = table.statements.contradictionIn(cells);
  if (found === undefined || (!isAsked && hasAnswerFor(table, found))) {
    return;
  }
  const [key, [first]] = [`${found.subscribedBy}:${state}`, [...contradictions.keys()]];
  const counted = contradictions.size < MAX_CONTRADICTIONS ? key : (first ?? key);
  const rows = contradictions.get(counted) ?? { ...found, state, optedOutBy: new Set(), examples: createExamples() };
  contradictions.set(counted, rows);
  found.optedOutBy.forEach((index) => rows.optedOutBy.add(index));
  const [stricter = 0] = found.optedOutBy;
  addExample(rows.examples, () => exampleAt(record, headerOrNumber(table.header, stricter), cells[stricter]));
}

function hasAnswerFor({ answers }: Table, { isAsked, optedOutBy }: Contradiction): boolean {
  return isAsked
    ? answers.states.anywhere.has(textKey(LISTS_DISAGREE))
    : answerForContradiction(answers, optedOutBy) !== undefined;
}

const DECIDED: ReadonlySet<State> = new Set(['unsubscribed', 'suppressed', 'complained', 'pending', 'skip']);

// True if the state does not come from the cells of the list, but from the default status or from a rejects file.
function isDefault({ table, statusReading }: ParsedRecord): boolean {
  return statusReading === table.withoutStatus || table.svcColumns > 0;
}
