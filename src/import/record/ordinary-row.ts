import { reasonOf } from '../../platforms/lib/states.ts';
import { columnsReadBy } from '../../platforms/lib/status-words.ts';
import { mayBeginWithMarkAt } from '../consent-columns/other-columns/address-marks.ts';
import { mayHoldMark, mayHoldState } from '../consent-columns/other-columns/read-words.ts';
import { type AnyRow, type ByteRow, cellEnd, cellMarks, cellStart, cellText, isByteRow } from '../csv/byte-row.ts';
import { type CellTextReader, createCellTexts } from '../csv/cell-text-cache.ts';
import { STATE_KINDS, type Table } from '../mapping/table.ts';
import { isPlainAddress, plainAddress } from './address.ts';
import { hasBlankEdge } from './cell-values.ts';
import { effectiveReading, type PersonRecord, personRecord, withoutMark } from './parse-record.ts';

/**
 * Reads an ordinary row with the result of `parseRecord`. Undefined for other rows. The next row overwrites `cells`. A
 * cell whose text is not needed is `FILLED`. If `email` equals its cell, the address is ASCII.
 */
type OrdinaryReader = (row: AnyRow) => PersonRecord | undefined;

/** Stands for the text of a filled cell that is not needed. It is not an opt-out word. */
const FILLED = 'x';
// What a reader does with the cells of a column: nothing, one of two quick tests for opt-out words, or decode them.
const [UNUSED, OTHER, NAME, NEEDED] = [0, 1, 2, 3];

/**
 * Makes a reader of ordinary rows. Such a row has all its cells, and none needs trimming. Its address is canonical, and
 * its state is known and suppresses no person. The reader works on bytes and decodes only the cells that count.
 * `further`: the indexes of more columns whose text is needed.
 */
export function createOrdinaryReader(table: Table, further: readonly number[] = []): OrdinaryReader {
  if (!isSimple(table)) {
    return () => undefined;
  }
  const { width } = table;
  const emailIndex = table.columnIndexes.email;
  const roles = rolesOf(table, further);
  const texts = Array.from(roles, createCellTexts);
  const isBareSilent = !(columnsReadBy(table.reading.stateOf)?.includes(emailIndex) ?? true);
  // All rows share one array. A new one for each of a million rows would be garbage.
  const cells: string[] = Array(width).fill('');
  const filled = new Uint8Array(width);
  /** Fills `cells` with the texts that count for the state. False if a cell needs trimming. */
  const readCells = (row: ByteRow): boolean => {
    const { bytes, offsets } = row.block;
    for (let at = 0, cell = row.first; at < width; at++, cell++) {
      const start = cellStart(offsets, cell);
      const end = cellEnd(offsets, cell);
      filled[at] = Number(end > start);
      cells[at] = '';
      if (end === start) {
        continue;
      }
      const role = roles[at];
      const marks = cellMarks(offsets, cell);
      const mayDecideState =
        role === NEEDED ||
        (at === 0 && role !== UNUSED && isCommentSign(bytes[start] as number)) ||
        (role === OTHER && mayHoldState(bytes, start, end, marks)) ||
        (role === NAME && (mayBeStruck(bytes[start] as number) || mayHoldMark(bytes, start, end, marks)));
      if ((mayDecideState || !isPrintable(bytes[start] as number)) && hasBlankEdge(bytes, start, end)) {
        return false;
      }
      if (mayDecideState) {
        cells[at] = (texts[at] as CellTextReader)(row, at);
      }
    }
    return true;
  };
  return (row) => {
    if (!isByteRow(row) || row.count !== width || !readCells(row)) {
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
    cells[emailIndex] = isBare && isBareSilent ? '' : cell;
    const statusReading = table.stateOf(cells, '');
    const suppresses = reasonOf(effectiveReading(table, statusReading).state) !== undefined;
    if (suppresses || statusReading.unknown !== undefined || withoutMark(cell, statusReading) !== undefined) {
      return undefined;
    }
    cells[emailIndex] = cell;
    for (let at = 0; at < width; at++) {
      if (filled[at] === 1 && cells[at] === '') {
        cells[at] = FILLED;
      }
    }
    return personRecord({ table, line: row.line, cells, email, statusReading });
  };
}

// True for a sign that can make a line a comment: `#`, `/`, `;`. svc asks about the people in comments.
function isCommentSign(byte: number): boolean {
  return byte === 0x23 || byte === 0x2f || byte === 0x3b;
}

// True for the first byte of a name that may be struck through: `~~Ben~~`, `<s>Ben</s>`.
function mayBeStruck(byte: number): boolean {
  return byte === 0x7e || byte === 0x3c;
}

// True for a visible ASCII character, with which nearly all cells begin. Such a cell is not blank.
function isPrintable(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f;
}

function isSimple({ svcColumns, addressColumns, quotedLists, reading, domains }: Table): boolean {
  const { usable, other, sentAsAttributes, found } = addressColumns;
  return (
    svcColumns === 0 &&
    usable.length === 1 &&
    other.length === 0 &&
    sentAsAttributes.length === 0 &&
    found.length === 0 &&
    quotedLists.length === 0 &&
    reading.isOptOutDate === undefined &&
    domains.size === 0
  );
}

function rolesOf(table: Table, further: readonly number[]): Uint8Array {
  const { width, columns, columnIndexes, consentColumns, otherColumns, nameColumns, stateColumns } = table;
  const { collisions, keylessColumns } = table;
  const roles = new Uint8Array(width).fill(stateColumns === undefined ? NEEDED : UNUSED);
  const needed = [
    ...consentColumns.map(({ at }) => at),
    ...(stateColumns ?? []),
    ...columns.flatMap(({ kind }, at) => (STATE_KINDS.has(kind) ? [at] : [])),
    ...collisions.flatMap((collision) => collision.columns.map(({ at }) => at)),
    ...keylessColumns.map(({ at }) => at),
    ...further,
  ];
  for (const at of otherColumns) {
    roles[at] = Math.max(nameColumns.has(at) ? NAME : OTHER, roles[at] as number);
  }
  for (const at of needed.filter((index) => index >= 0)) {
    roles[at] = NEEDED;
  }
  // The address column is left out, because `isBareAddress` reads it.
  roles[columnIndexes.email] = UNUSED;
  return roles;
}

/** True if a cell is a canonical address without a mark such as `UNSUB-`. Nearly all are, and they give no state. */
function isBareAddress(bytes: Uint8Array, start: number, end: number): boolean {
  return isPlainAddress(bytes, start, end) && hasShortEnd(bytes, start, end) && !mayBeginWithMarkAt(bytes, start);
}

const SHORT_END = 5;
const DOT = 0x2e;

// True for an end such as `.com` or `.info`. It is too short to hold a mark, as in `ana@example.com-unsub`.
function hasShortEnd(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = end - 1; at > start && at >= end - SHORT_END; at--) {
    if (bytes[at] === DOT) {
      return true;
    }
  }
  return false;
}
