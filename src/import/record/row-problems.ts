import { shortenForMessage } from '../../base/lib/text.ts';
import { STATE_COLUMN_KINDS } from '../../platforms/lib/platform.ts';
import type { StatusReading } from '../../platforms/lib/states.ts';
import { NONE } from '../../platforms/lib/status-words.ts';
import {
  combineReadings,
  keepsMailAway,
  questionReading,
} from '../consent-columns/several-columns/combine-readings.ts';
import { isPlainYesNo, isStateWord, STATE_WORDS, wordLookupKey } from '../consent-columns/words/value-words.ts';
import { CUT_OFF_ROW } from '../csv/cut-off-row.ts';
import type { RawRow, RowProblem } from '../csv/row-types.ts';
import { ALWAYS, createAnswerLookup } from '../mapping/answers/answer-lookup.ts';
import {
  BELOW_OTHER_HEADER,
  SVC_COLUMN_INDEX,
  SVC_COLUMNS,
  SVC_DETAIL_INDEX,
  SVC_REASON_INDEX,
  SVC_STATE_INDEX,
  type Table,
} from '../mapping/table.ts';

/**
 * The problem of a row below a second header: its cells belong to the columns of that header. In a rejects file, such a
 * row stays rejected until the user clears svc_reason or fills in svc_state. Undefined for other rows.
 */
export function otherHeaderProblem(
  { otherHeaderLine, svcColumns }: Pick<Table, 'otherHeaderLine' | 'svcColumns'>,
  { line, cells }: Pick<RawRow, 'line' | 'cells'>,
): RowProblem | undefined {
  if (otherHeaderLine !== undefined && line > otherHeaderLine) {
    const detail = `the header in line ${otherHeaderLine} names other columns`;
    return { reason: BELOW_OTHER_HEADER, column: '', detail };
  }
  const isStillBelow = svcColumns > 0 && svcCell(cells, SVC_REASON_INDEX) === BELOW_OTHER_HEADER;
  return isStillBelow && svcCell(cells, SVC_STATE_INDEX) === ''
    ? { reason: BELOW_OTHER_HEADER, column: '', detail: svcCell(cells, SVC_DETAIL_INDEX) }
    : undefined;
}

/**
 * The table as svc reads it below this row, which is a header with other columns. In a rejects file, svc_reason says
 * which rows were below such a header. So only the header of another rejects file counts there.
 */
export function tableBelowOtherHeader(table: Table, row: RawRow): Table {
  const counts = table.svcColumns === 0 || svcCell(row.cells, SVC_REASON_INDEX) === SVC_COLUMNS[SVC_REASON_INDEX];
  return counts ? { ...table, otherHeaderLine: row.line } : table;
}

/**
 * The problem of a row of a rejects file, if its svc_column names the column of the wrong address, but svc now reads
 * another column as the address. Few rows are left in such a file, so a column with addresses of people who never
 * signed up may look like the right one. The user clears svc_reason or names the column with `--map`. Undefined for
 * other rows.
 */
export function otherAddressColumnProblem(
  { svcColumns, header, addressColumns, namedByMap }: AddressTable,
  { cells }: Pick<RawRow, 'cells'>,
): RowProblem | undefined {
  const [column, reason] = [svcCell(cells, SVC_COLUMN_INDEX), svcCell(cells, SVC_REASON_INDEX)];
  const { usable } = addressColumns;
  const isOther = header.includes(column) && !usable.some((index) => header[index] === column);
  return svcColumns > 0 && ADDRESS_REASONS.has(reason) && isOther && !usable.some((index) => namedByMap.includes(index))
    ? { reason, column, detail: svcCell(cells, SVC_DETAIL_INDEX) }
    : undefined;
}

type AddressTable = Pick<Table, 'svcColumns' | 'header' | 'addressColumns' | 'namedByMap'>;

const ADDRESS_REASONS: ReadonlySet<string> = new Set(['missing_email', 'invalid_email', 'two_addresses_in_cell']);

function svcCell(cells: readonly string[], index: number): string {
  return (cells[index] ?? '').trim();
}

/**
 * The problem of a row of a rejects file, if the row still has too few cells. It was rejected because its original file
 * ended in the middle of the row. In the rejects file a line ending follows it, so it looks complete. Undefined for
 * other rows.
 */
export function stillCutOffProblem({ svcColumns, header, width }: Table, { cells }: RawRow): RowProblem | undefined {
  const count = cells.length - svcColumns;
  return svcColumns > 0 && svcCell(cells, SVC_REASON_INDEX) === CUT_OFF_ROW && count < width
    ? { reason: CUT_OFF_ROW, column: header[count - 1] ?? '', detail: `the row still has ${count} of ${width} cells` }
    : undefined;
}

/** The problem of a row with a filled cell after the last column of its header. Undefined for other rows. */
export function tooManyFieldsProblem(table: Table, cells: readonly string[]): RowProblem | undefined {
  const extra = cells.slice(table.width).find((cell) => cell.trim() !== '');
  return extra === undefined
    ? undefined
    : {
        reason: 'too_many_fields',
        column: '',
        detail: `${cells.length} cells, but the header has ${table.width}; a cell without a header: ${shortenForMessage(extra)}`,
      };
}

/** The problem of a row with text that can't be sent as JSON: NUL or broken characters. Undefined for other rows. */
export function badTextProblem(table: Table, cells: readonly string[]): RowProblem | undefined {
  for (const index of table.sentColumns) {
    const cell = cells[index];
    if (cell !== undefined && cell !== '' && (cell.includes('\0') || !cell.isWellFormed())) {
      const reason = cell.includes('\0') ? 'nul_character' : 'broken_text';
      return { reason, column: table.header[index] ?? '', detail: shortenForMessage(cell) };
    }
  }
  return undefined;
}

/** The reading of a row whose cells stand in the wrong columns. svc can't know the state, so it asks the user. */
export const MISALIGNED_READING: StatusReading = { state: 'none', unknown: 'a row cut at the wrong places' };

type RowTable = Pick<Table, 'header' | 'width' | 'consentColumns' | 'columns' | 'answerColumns' | 'answers'>;

/**
 * The state of a row with too many or too few cells. A yes, a no or a status word can then be in the wrong column: in
 * `Berg, Ben,no` the comma shifts the `no`. svc asks about it, and no other row signs the person up (C9).
 */
export function stateOfMisalignedRow(
  table: RowTable,
  cells: readonly string[],
  { ownReading, problem }: { readonly ownReading: StatusReading; readonly problem: RowProblem | undefined },
): StatusReading {
  if (problem?.reason === CUT_OFF_ROW) {
    return keepsMailAway(ownReading) ? ownReading : MISALIGNED_READING;
  }
  if (cells.length >= table.width) {
    return problem?.reason === 'too_many_fields' &&
      cells.some((cell, index) => mayRefuse(cell) && !expectsAnswer(table, index))
      ? combineReadings(ownReading, { ...MISALIGNED_READING, refusesMail: true })
      : ownReading;
  }
  const columnIndex = cells.length - 1;
  const last = cells[columnIndex] ?? '';
  const isMisplaced = ANSWER.test(last) && isPlainYesNo(last) && !table.answerColumns.has(columnIndex);
  return isMisplaced && table.consentColumns.some((column) => column.index > columnIndex && column.meaning !== 'text')
    ? combineReadings(ownReading, misplacedState(table, last, columnIndex))
    : ownReading;
}

// The state of a row by the user's answer for a cell that may be in the wrong column. Without an answer svc asks about
// the cell. The answer `subscribed` signs no person up: if it names the column, the cell does not count, otherwise svc
// asks.
function misplacedState({ answers }: RowTable, cell: string, index: number): StatusReading {
  const answersFor = createAnswerLookup(answers, index, ALWAYS);
  const { forWord, forWordAnywhere, forColumn, forAnyWord } = answersFor(cell);
  const answer = forWord ?? forWordAnywhere ?? forColumn ?? forAnyWord;
  if (answer === undefined || (answer.state === 'subscribed' && answer !== (forWord ?? forColumn))) {
    return { ...questionReading(cell), unknownIndex: index, misplaced: true };
  }
  return answer.state === 'subscribed' ? NONE : answer;
}

// True for a column in which a yes, a no or a status word is expected.
function expectsAnswer({ answerColumns, consentColumns, columns }: RowTable, index: number): boolean {
  const kind = columns[index]?.kind;
  return (
    answerColumns.has(index) ||
    (kind !== undefined && STATE_COLUMN_KINDS.has(kind)) ||
    consentColumns.some((column) => column.index === index)
  );
}

// True for a cell that can be an opt-out in its right column: a yes, a no, or a status word other than `subscribed`.
function mayRefuse(cell: string): boolean {
  return isPlainYesNo(cell) || (isStateWord(cell) && STATE_WORDS.get(wordLookupKey(cell))?.state !== 'subscribed');
}

// Matches two letters side by side. A single letter can be an initial, and digits can be any number.
const ANSWER = /\p{L}{2}/u;
