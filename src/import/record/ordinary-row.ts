import { columnsReadBy } from '../../platforms/lib/status-words.ts';
import { EMPTY_STARTS } from '../consent-columns/value-words.ts';
import { type CellTextReader, createCellTexts } from '../csv/cell-text-cache.ts';
import {
  type AnyRow,
  type ByteRow,
  cellEnd,
  cellMarkBits,
  cellStart,
  cellText,
  isByteRow,
  STATE_MARK,
  TRIM_MARK,
} from '../csv/raw-rows.ts';
import { addToCacheKey, createStateCache, NO_CACHE_KEY } from '../mapping/state/state-cache.ts';
import { statusColumns, type Table } from '../mapping/table.ts';
import { plainAddress } from './address.ts';
import { hasBlankEdge, isVisibleAscii } from './cell-values.ts';
import { findPersonBehindMark, type PersonRecord, personRecord } from './parse-record.ts';

/**
 * Reads an ordinary row with the same result as `parseRecord`. Undefined for any other row. The next row overwrites
 * `cells`. A cell whose text is not needed is `NOT_DECODED`. If `email` equals its cell, the address is ASCII.
 */
type OrdinaryReader = (row: AnyRow) => PersonRecord | undefined;

/** Stands for the text of a filled cell that svc does not need. Its value is no opt-out word, and not `n/a`. */
const NOT_DECODED = 'x';

/**
 * Makes a reader of ordinary rows. An ordinary row has all its cells, and none needs trimming. Its address is
 * canonical, and its state is known and suppresses no person. The reader works on bytes with state marks, and decodes
 * only cells that count. `further` has the indexes of more columns whose text is needed.
 */
export function createOrdinaryRowReader(table: Table, further: readonly number[] = []): OrdinaryReader {
  if (!isSimple(table)) {
    return () => undefined;
  }
  const { quotedLists } = table;
  const emailIndex = table.columnIndexes.email;
  const lastLine = table.otherHeaderLine ?? Number.POSITIVE_INFINITY;
  const stateOf = createStateCache(table);
  const ignoresPlainAddress =
    !(columnsReadBy(table.reading.stateOf)?.includes(emailIndex) ?? true) && !table.answeredColumns.has(emailIndex);
  const { cells, deciding, read } = createCellReader(table, further);
  return (row) => {
    if (
      !isByteRow(row) ||
      row.block.addressHashes === undefined ||
      row.count !== table.width ||
      row.line > lastLine ||
      mayHoldQuotedList(row, quotedLists)
    ) {
      return undefined;
    }
    const key = read(row);
    if (key === undefined) {
      return undefined;
    }
    const cell = cellText(row, emailIndex);
    const isBare = (cellMarkBits(row.block.offsets, row.first + emailIndex) & STATE_MARK) === 0;
    const email = isBare ? cell : plainAddress(cell);
    if (!email) {
      return undefined;
    }
    const givesNoState = isBare && ignoresPlainAddress;
    cells[emailIndex] = cell;
    deciding[emailIndex] = givesNoState ? '' : cell;
    const { statusReading, isOrdinary } = stateOf(deciding, givesNoState ? key : NO_CACHE_KEY);
    if (!isOrdinary || findPersonBehindMark(cell, statusReading) !== undefined) {
      return undefined;
    }
    return personRecord({ table, line: row.line, cells, email, statusReading });
  };
}

/** Reads the cells of rows into arrays that all rows share, because new arrays cost time. */
interface CellReader {
  /** The cells of the row, without its address. */
  readonly cells: string[];
  /** Like `cells`, but cells that can't change the state are blank. */
  readonly deciding: string[];
  /** Fills in both arrays. Returns the key of the row for the state cache. Undefined if a cell needs trimming. */
  read(row: ByteRow): number | undefined;
}

function createCellReader(table: Table, further: readonly number[]): CellReader {
  const { width } = table;
  const emailIndex = table.columnIndexes.email;
  const texts = Array.from({ length: width }, createCellTexts);
  const [cells, deciding] = [Array<string>(width).fill(''), Array<string>(width).fill('')];
  const isNeeded = new Uint8Array(width);
  for (const index of neededColumns(table, further)) {
    isNeeded[index] = 1;
  }
  const afterGroups = lastStatusColumn(table);
  const filled: number[] = [];
  const read = (row: ByteRow): number | undefined => {
    const { bytes, offsets } = row.block;
    while (filled.length > 0) {
      deciding[filled.pop() as number] = '';
    }
    let key = 0;
    for (let index = 0, cell = row.first; index < width; index++, cell++) {
      const start = cellStart(offsets, cell);
      const end = cellEnd(offsets, cell);
      const marks = cellMarkBits(offsets, cell);
      if (end === start) {
        cells[index] = '';
        continue;
      }
      if ((marks & TRIM_MARK) !== 0) {
        return undefined;
      }
      const decides = (marks & STATE_MARK) !== 0 && index !== emailIndex;
      const mayBeEmpty = index < afterGroups && EMPTY_STARTS[bytes[start] as number] === 1;
      if (!decides && isNeeded[index] === 0 && !mayBeEmpty) {
        cells[index] = NOT_DECODED;
        continue;
      }
      if (hasBlankEdge(bytes, start, end)) {
        return undefined;
      }
      const cached = (texts[index] as CellTextReader)(row, index);
      const text = cached ?? cellText(row, index);
      cells[index] = text;
      if (decides) {
        deciding[index] = text;
        filled.push(index);
        key = addToCacheKey(key, index, cached);
      }
    }
    return key;
  };
  return { cells, deciding, read };
}

const QUOTE = 0x22;

// True if a cell may contain a list in quotes, such as `"VIP","news"`. Only `valuesOfCells` can read it.
function mayHoldQuotedList({ block, first }: ByteRow, quotedLists: readonly number[]): boolean {
  const { bytes, offsets } = block;
  return quotedLists.some((index) => {
    const start = cellStart(offsets, first + index);
    const byte = bytes[start] as number;
    return cellEnd(offsets, first + index) > start && (byte === QUOTE || !isVisibleAscii(byte));
  });
}

function isSimple({ svcColumns, addressColumns, reading, domains }: Table): boolean {
  const { usable, other, sentAsAttributes, found } = addressColumns;
  return (
    svcColumns === 0 &&
    usable.length === 1 &&
    other.length === 0 &&
    sentAsAttributes.length === 0 &&
    found.length === 0 &&
    reading.isOptOutDate === undefined &&
    domains.size === 0
  );
}

// The last column with a status. svc looks for groups of rows in the columns before it, so `-` must stay blank there.
function lastStatusColumn({ columns, consentColumns }: Table): number {
  return statusColumns({ columns, consentColumns }).at(-1) ?? -1;
}

/** The indexes of the columns whose text is needed for something else than the state. */
function neededColumns({ collisions, keylessColumns }: Table, further: readonly number[]): readonly number[] {
  const colliding = collisions.flatMap((collision) => collision.columns.map(({ index }) => index));
  return [...colliding, ...keylessColumns.map(({ index }) => index), ...further].filter((index) => index >= 0);
}
