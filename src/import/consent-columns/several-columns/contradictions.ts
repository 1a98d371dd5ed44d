import type { StatusReading } from '../../../platforms/lib/states.ts';
import { readHeader } from '../headers/read-header.ts';
import {
  AGREEING_STATEMENTS,
  type Statement,
  type StatementColumn,
  type StatementParts,
  statementColumns,
} from './statement-columns.ts';

/** The columns of a row that contradict each other. */
export interface Contradiction {
  /** The index of the column by which the person gets mail. */
  readonly subscribedBy: number;
  /** The indexes of the columns by which the person gets no mail. */
  readonly optedOutBy: readonly number[];
  /**
   * True if svc asks about the row: the person left some lists, and gets mail by a column that is not about these
   * lists. Only the user knows which list the audience is.
   */
  readonly isAsked: boolean;
}

/** What each column of a table, taken alone, says about a row. */
export interface ColumnStatements {
  /**
   * The columns of a row that contradict each other, or undefined if none do (C10). Call it only for rows that keep
   * mail away. In such a row the stricter column counts, and the user must know about the other one.
   */
  contradictionIn(cells: readonly string[]): Contradiction | undefined;
  /** The index of a column that says subscribed in this row. Undefined if there is none. */
  subscribedBy(cells: readonly string[]): number | undefined;
}

export const NO_STATEMENTS: ColumnStatements = { contradictionIn: () => undefined, subscribedBy: () => undefined };

export function createColumnStatements(parts: StatementParts): ColumnStatements {
  let cachedColumns: readonly StatementColumn[] | undefined;
  // The columns are found at the first call only, because that takes time: svc tests the platform's rule on each
  // column.
  const columnsOnce = () => {
    cachedColumns ??= statementColumns(parts);
    return cachedColumns;
  };
  const statementOf = (column: StatementColumn, cell: string): Statement | undefined =>
    withAnswer(column.says(cell), parts.answerFor(column.index, cell));
  const statementsIn = (cells: readonly string[]): readonly Stated[] =>
    columnsOnce().flatMap((column) => {
      const statement = statementOf(column, cells[column.index] ?? '');
      return statement === undefined ? [] : [{ column, statement }];
    });
  // A quick test that rules out most rows: they have one opt-out and no column that says subscribed. It does not read
  // names and notes, because that is slow.
  const maySaySubscribed = (cells: readonly string[]): boolean =>
    columnsOnce().some((column) => {
      const cell = cells[column.index] ?? '';
      return column.refusesOnly
        ? parts.answerFor(column.index, cell)?.state === 'subscribed'
        : STRENGTH.includes(statementOf(column, cell) ?? 'left');
    });
  return {
    contradictionIn: (cells) =>
      maySaySubscribed(cells) ? findContradiction(statementsIn(cells), parts.header) : undefined,
    subscribedBy: (cells) =>
      strongest(
        statementsIn(cells).filter(
          ({ column, statement }) => !column.isAboutOtherThing && AGREEING_STATEMENTS.has(statement),
        ),
      )?.column.index,
  };
}

interface Stated {
  readonly column: StatementColumn;
  readonly statement: Statement;
}

const STRENGTH: readonly Statement[] = ['word', 'yes', 'no', 'confirmed', 'blank'];

// Finds the column that most clearly says that the person gets mail, and the columns that say the opposite.
function findContradiction(stated: readonly Stated[], header: readonly string[]): Contradiction | undefined {
  const optOuts = stated.filter(({ statement }) => statement === 'left' || statement === 'pending');
  const isAboutConsent = optOuts.some(({ column }) => readHeader(header[column.index] ?? '') !== undefined);
  const contradicting = stated.filter(
    (other) => !(other.column.isAboutOtherThing && isAboutConsent) && contradicts(other, optOuts),
  );
  // Two columns about the same list need no question: if one says that the person left `Offers`, this stricter one
  // counts.
  const ofOtherLists = contradicting.filter((other) => !optOuts.some((optOut) => areOfOneList(optOut, other)));
  const mayAsk = optOuts.every(({ column }) => column.ofList !== undefined && !column.isOfPlatform);
  const isAsked = mayAsk && ofOtherLists.length > 0;
  const subscribing = optOuts.length === 0 ? undefined : strongest(isAsked ? ofOtherLists : contradicting);
  const optedOutBy = optOuts.map(({ column }) => column.index);
  return subscribing && { subscribedBy: subscribing.column.index, optedOutBy, isAsked };
}

function areOfOneList({ column }: Stated, { column: other }: Stated): boolean {
  return column.ofList !== undefined && column.ofList === other.ofList;
}

function strongest(stated: readonly Stated[]): Stated | undefined {
  const strengthOf = ({ statement }: Stated) => STRENGTH.indexOf(statement);
  return stated.toSorted((first, second) => strengthOf(first) - strengthOf(second))[0];
}

// True if what a column says contradicts the columns `optOuts`, by which the person gets no mail. A no or a blank in
// the column of one list does not contradict an opt-out from everything. A blank proves little, so it contradicts only
// columns of single lists.
function contradicts({ column, statement }: Stated, optOuts: readonly Stated[]): boolean {
  if (optOuts.some((optOut) => optOut.column.index === column.index)) {
    return false;
  }
  const areListsLeft = optOuts.every((optOut) => optOut.column.ofList !== undefined);
  const areUnconfirmed = optOuts.every((optOut) => optOut.statement === 'pending');
  switch (statement) {
    case 'word':
      return true;
    case 'yes':
      return !areUnconfirmed;
    case 'confirmed':
      return areUnconfirmed;
    case 'no':
      return !areUnconfirmed && (areListsLeft || column.ofList === undefined);
    case 'blank':
      return !areUnconfirmed && areListsLeft;
    default:
      return false;
  }
}

// What a cell says after the user's answer for it. A cell with an answer that is not `subscribed` says nothing, so that
// svc does not report it again.
function withAnswer(statement: Statement | undefined, answer: StatusReading | undefined): Statement | undefined {
  return answer === undefined ? statement : answer.state === 'subscribed' ? 'word' : undefined;
}
