import { columnsReadBy } from '../../platforms/lib/status-words.ts';
import { mayBeginWithOptOutMarkAt } from '../consent-columns/other-columns/address-marks.ts';
import { mayHoldMark, mayHoldState } from '../consent-columns/other-columns/read-words.ts';
import { type CellTextReader, createCellTexts } from '../csv/cell-text-cache.ts';
import { type AnyRow, type ByteRow, cellEnd, cellMarkBits, cellStart, cellText, isByteRow } from '../csv/raw-rows.ts';
import { addToCacheKey, createStateCache, NO_CACHE_KEY } from '../mapping/state/state-cache.ts';
import { STATE_COLUMN_KINDS, type Table } from '../mapping/table.ts';
import { isPlainAddress, plainAddress } from './address.ts';
import { hasBlankEdge } from './cell-values.ts';
import { findPersonBehindMark, type PersonRecord, personRecord } from './parse-record.ts';

/**
 * Reads an ordinary row with the same result as `parseRecord`. Undefined for any other row. The next row overwrites
 * `cells`. A cell whose text is not needed is `NOT_DECODED`. If `email` equals its cell, the address is ASCII.
 */
type OrdinaryReader = (row: AnyRow) => PersonRecord | undefined;

/** Stands for the text of a filled cell that svc does not need. Its value is no opt-out word. */
const NOT_DECODED = 'x';
// When a cell counts for the state: never, if a quick test of its bytes is true (two roles, two tests), or always.
const [UNUSED, OTHER, NAME, STATUS] = [0, 1, 2, 3];

/**
 * Makes a reader of ordinary rows. An ordinary row has all its cells, and none needs trimming. Its address is
 * canonical, and its state is known and suppresses no person. The reader works on bytes and decodes only cells that
 * count. `further` has the indexes of more columns whose text is needed.
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
  const { cells, readDecidingCells, readOtherCells } = createCellReader(table, further);
  return (row) => {
    if (!isByteRow(row) || row.count !== table.width || row.line > lastLine || mayHoldQuotedList(row, quotedLists)) {
      return undefined;
    }
    const key = readDecidingCells(row);
    if (key === undefined) {
      return undefined;
    }
    const cell = cellText(row, emailIndex);
    const { bytes, offsets } = row.block;
    const place = row.first + emailIndex;
    const isBare = isBareAddress(bytes, cellStart(offsets, place), cellEnd(offsets, place));
    const email = isBare ? cell : plainAddress(cell);
    if (!email) {
      return undefined;
    }
    const givesNoState = isBare && ignoresPlainAddress;
    cells[emailIndex] = givesNoState ? '' : cell;
    const { statusReading, isOrdinary } = stateOf(cells, givesNoState ? key : NO_CACHE_KEY);
    cells[emailIndex] = cell;
    if (!isOrdinary || findPersonBehindMark(cell, statusReading) !== undefined || !readOtherCells(row)) {
      return undefined;
    }
    return personRecord({ table, line: row.line, cells, email, statusReading });
  };
}

/** Reads the cells of rows, in two steps. */
interface CellReader {
  /** The cells of the row, without its address. All rows share one array, because new arrays cost time. */
  readonly cells: string[];
  /**
   * Fills in the texts that count for the state; all other cells become blank. Returns the key of the row for the state
   * cache. Undefined if a cell needs trimming.
   */
  readDecidingCells(row: ByteRow): number | undefined;
  /** Fills in the other cells. False if a cell needs trimming. */
  readOtherCells(row: ByteRow): boolean;
}

function createCellReader(table: Table, further: readonly number[]): CellReader {
  const { width } = table;
  const roles = rolesOf(table);
  const texts = Array.from(roles, createCellTexts);
  const cells: string[] = Array(width).fill('');
  const needed = neededColumns(table, further);
  const readDecidingCells = (row: ByteRow): number | undefined => {
    const { bytes, offsets } = row.block;
    let key = 0;
    for (let index = 0, cellIndex = row.first; index < width; index++, cellIndex++) {
      const start = cellStart(offsets, cellIndex);
      const end = cellEnd(offsets, cellIndex);
      cells[index] = '';
      if (end === start) {
        continue;
      }
      const role = roles[index];
      const marks = cellMarkBits(offsets, cellIndex);
      const mayDecideState =
        role === STATUS ||
        (index === 0 && role !== UNUSED && isCommentSign(bytes[start] as number)) ||
        (role === OTHER && mayHoldState(bytes, start, end, marks)) ||
        (role === NAME && (mayBeStruck(bytes[start] as number) || mayHoldMark(bytes, start, end, marks)));
      if ((mayDecideState || !isPrintable(bytes[start] as number)) && hasBlankEdge(bytes, start, end)) {
        return undefined;
      }
      if (mayDecideState) {
        const cached = (texts[index] as CellTextReader)(row, index);
        cells[index] = cached ?? cellText(row, index);
        key = addToCacheKey(key, index, cached);
      }
    }
    return key;
  };
  const readOtherCells = (row: ByteRow): boolean => {
    const { bytes, offsets } = row.block;
    for (const index of needed) {
      const start = cellStart(offsets, row.first + index);
      const end = cellEnd(offsets, row.first + index);
      if (end > start && cells[index] === '') {
        if (hasBlankEdge(bytes, start, end)) {
          return false;
        }
        cells[index] = (texts[index] as CellTextReader)(row, index) ?? cellText(row, index);
      }
    }
    for (let index = 0, cellIndex = row.first; index < width; index++, cellIndex++) {
      if (cells[index] === '' && cellEnd(offsets, cellIndex) > cellStart(offsets, cellIndex)) {
        cells[index] = NOT_DECODED;
      }
    }
    return true;
  };
  return { cells, readDecidingCells, readOtherCells };
}

const QUOTE = 0x22;

// True if a cell may contain a list in quotes, such as `"VIP","news"`. Only `valuesOfCells` can read it.
function mayHoldQuotedList({ block, first }: ByteRow, quotedLists: readonly number[]): boolean {
  const { bytes, offsets } = block;
  return quotedLists.some((index) => {
    const start = cellStart(offsets, first + index);
    const byte = bytes[start] as number;
    return cellEnd(offsets, first + index) > start && (byte === QUOTE || !isPrintable(byte));
  });
}

// True for a sign that can make the row a comment: `#`, `/`, `;`. svc asks about people in such rows.
function isCommentSign(byte: number): boolean {
  return byte === 0x23 || byte === 0x2f || byte === 0x3b;
}

// True for the first byte of a name that may be crossed out: `~~Ben~~`, `<s>Ben</s>`.
function mayBeStruck(byte: number): boolean {
  return byte === 0x7e || byte === 0x3c;
}

// True for a visible ASCII character, with which nearly all cells begin. Such a cell is not blank.
function isPrintable(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f;
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

function rolesOf(table: Table): Uint8Array {
  const { columns, columnIndexes, consentColumns, otherColumns, nameColumns, stateColumns, subscribedColumns } = table;
  const roles = new Uint8Array(table.width).fill(stateColumns === undefined ? STATUS : UNUSED);
  for (const index of otherColumns) {
    roles[index] = Math.max(nameColumns.has(index) ? NAME : OTHER, roles[index] as number);
  }
  const ofKind = columns.flatMap(({ kind }, index) => (STATE_COLUMN_KINDS.has(kind) ? [index] : []));
  const ofConsent = consentColumns.map(({ index }) => index);
  for (const index of [...ofConsent, ...(stateColumns ?? []), ...subscribedColumns, ...ofKind]) {
    roles[index] = STATUS;
  }
  // The address column is left out, because `isBareAddress` reads it.
  roles[columnIndexes.email] = UNUSED;
  return roles;
}

/** The indexes of the columns whose text is needed for something else than the state. */
function neededColumns({ collisions, keylessColumns }: Table, further: readonly number[]): readonly number[] {
  const colliding = collisions.flatMap((collision) => collision.columns.map(({ index }) => index));
  return [...colliding, ...keylessColumns.map(({ index }) => index), ...further].filter((index) => index >= 0);
}

/** True if a cell is a canonical address without a mark such as `UNSUB-`. Nearly all are, and they give no state. */
function isBareAddress(bytes: Uint8Array, start: number, end: number): boolean {
  return isPlainAddress(bytes, start, end) && hasShortEnd(bytes, start, end) && !mayBeginWithOptOutMarkAt(bytes, start);
}

const SHORT_END = 5;
const DOT = 0x2e;

// True for an address with a dot in its last five bytes: `.com`. Such an end is too short for a mark such as `-unsub`.
function hasShortEnd(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = end - 1; position > start && position >= end - SHORT_END; position--) {
    if (bytes[position] === DOT) {
      return true;
    }
  }
  return false;
}
