import { mayBeginWithOptOutMarkAt, SHORT_MARKS } from '../consent-columns/other-columns/address-marks.ts';
import { mayBeEmptyValue } from '../consent-columns/other-columns/quick-tests/byte-kinds.ts';
import { mayHoldMark, mayHoldState } from '../consent-columns/other-columns/read-words.ts';
import { cellEnd, cellMarkBits, cellStart, STATE_MARK, TRIM_MARK } from '../csv/row-types.ts';
import { isPlainAddress } from '../values/address.ts';
import { hasBlankEdge, isVisibleAscii } from '../values/cell-values.ts';
import type { RowMarker } from './byte-cut.ts';
import { COLUMNS_A_WORD, createSummaryWriter, type SummaryWriter } from './row-summaries.ts';

/** What the marks depend on. It is plain data, so that it can be sent to a thread. */
export interface MarkOptions {
  /** For each column, which of its cells may give a state: one of the roles below. */
  readonly roles: Uint8Array;
  /** svc looks for groups of rows only in the columns before this index. There it reads a `-` as blank. */
  readonly groupsEnd: number;
  /** The key for the hashes of addresses: 16 hex digits. */
  readonly seed: string;
  /** True to read only the addresses. The summaries then have only the hashes of addresses. */
  readonly onlyAddresses?: boolean;
}

/**
 * The role of a column says which of its cells may give a state. UNUSED: none. OTHER: a cell with an opt-out word.
 * NAME: also a cell with an opt-out mark, such as `Berg (deceased)`. STATUS: each cell. ADDRESS: a cell that is not
 * simply an address, such as `UNSUB-ana@example.com`.
 */
export const ROLES = { UNUSED: 0, OTHER: 1, NAME: 2, STATUS: 3, ADDRESS: 4 } as const;

const { UNUSED, OTHER, NAME, STATUS, ADDRESS } = ROLES;

/** Makes a marker that gives the cells of complete rows `STATE_MARK` and `TRIM_MARK`, and summarizes the rows. */
export function createStateMarker(options: MarkOptions): RowMarker {
  const { roles, seed, onlyAddresses } = options;
  const width = roles.length;
  const addressIndex = roles.indexOf(ADDRESS);
  const columns = onlyAddresses ? { start: addressIndex, end: addressIndex + 1 } : { start: 0, end: width };
  const summaries = createSummaryWriter(width, seed);
  const hasBareAddress = (offsets: Int32Array, cell: number): boolean =>
    addressIndex >= 0 &&
    (cellMarkBits(offsets, cell) & STATE_MARK) === 0 &&
    cellEnd(offsets, cell) > cellStart(offsets, cell);
  return {
    mark(bytes, offsets, first, count) {
      summaries.begin();
      if (count !== width || columns.start < 0) {
        return;
      }
      markRow({ bytes, offsets, first, columns }, options, summaries);
      const address = first + addressIndex;
      if (hasBareAddress(offsets, address)) {
        summaries.setAddress(bytes, cellStart(offsets, address), cellEnd(offsets, address));
      }
    },
    takeSummaries: summaries.take,
  };
}

interface MarkedRow {
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
  /** The index of the row's first cell. */
  readonly first: number;
  /** The columns to read, from `start` up to and without `end`. */
  readonly columns: { readonly start: number; readonly end: number };
}

// Marks the cells of a row, and sets the bits of its summary.
function markRow(row: MarkedRow, { roles, groupsEnd }: MarkOptions, summaries: SummaryWriter) {
  const { bytes, offsets, first, columns } = row;
  let [filled, marked] = [0, 0];
  for (let index = columns.start; index < columns.end; index++) {
    const cell = first + index;
    const start = cellStart(offsets, cell);
    const end = cellEnd(offsets, cell);
    if (end !== start) {
      const role = roles[index];
      const marks = cellMarkBits(offsets, cell);
      const mayDecide =
        role === STATUS ||
        (index === 0 && role !== UNUSED && role !== ADDRESS && isCommentSymbol(bytes[start] as number)) ||
        (role === OTHER && mayHoldState(bytes, start, end, marks)) ||
        (role === NAME && (mayBeStruck(bytes[start] as number) || mayHoldMark(bytes, start, end, marks)));
      const mustTrim = (mayDecide || !isVisibleAscii(bytes[start] as number)) && hasBlankEdge(bytes, start, end);
      const hasState = mayDecide || (role === ADDRESS && !isBareAddress(bytes, start, end));
      const added = (mustTrim ? TRIM_MARK : 0) | (hasState ? STATE_MARK : 0);
      filled |= 1 << index;
      if (added !== 0 || (index < groupsEnd && mayBeEmptyValue(bytes[start] as number, bytes[start + 1] as number))) {
        marked |= 1 << index;
        offsets[2 * cell + 1] = (offsets[2 * cell + 1] as number) | added;
      }
    }
    if (index % COLUMNS_A_WORD === COLUMNS_A_WORD - 1 || index === columns.end - 1) {
      summaries.setBits(Math.floor(index / COLUMNS_A_WORD), filled, marked);
      filled = 0;
      marked = 0;
    }
  }
}

// True for a character that can make the row a comment: `#`, `/`, `;`. svc asks about people in such rows.
function isCommentSymbol(byte: number): boolean {
  return byte === 0x23 || byte === 0x2f || byte === 0x3b;
}

// True for the first byte of a name that may be crossed out: `~~Ben~~`, `<s>Ben</s>`.
function mayBeStruck(byte: number): boolean {
  return byte === 0x7e || byte === 0x3c;
}

/**
 * True only for a canonical address without an opt-out mark such as `UNSUB-`. Most cells of the address column are such
 * addresses, and give no state.
 */
function isBareAddress(bytes: Uint8Array, start: number, end: number): boolean {
  return isPlainAddress(bytes, start, end) && hasShortEnd(bytes, start, end) && !mayBeginWithOptOutMarkAt(bytes, start);
}

const SHORT_END = 5;
const DOT = 0x2e;

// True for an address with a dot in its last five bytes, and nothing but letters behind it: `.com`. Such an end is too
// short for an opt-out mark such as `-unsub`. False for an end that is itself a mark, such as `.old`.
function hasShortEnd(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = end - 1; position > start && position >= end - SHORT_END; position--) {
    const byte = bytes[position] as number;
    if (byte === DOT) {
      return !isMarkAt(bytes, position + 1, end);
    }
    if (byte < SMALL_A || byte > SMALL_Z) {
      return false;
    }
  }
  return false;
}

const [SMALL_A, SMALL_Z, LETTERS, MARK_LETTERS] = [0x61, 0x7a, 26, 3];
// For each combination of three letters: 1 if it is one of `SHORT_MARKS`.
const IS_MARK = new Uint8Array(LETTERS ** MARK_LETTERS);
for (const mark of SHORT_MARKS) {
  IS_MARK[numberOfLetters(Buffer.from(mark), 0)] = 1;
}

function isMarkAt(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === MARK_LETTERS && IS_MARK[numberOfLetters(bytes, start)] === 1;
}

function numberOfLetters(bytes: Uint8Array, start: number): number {
  const [first, second, third] = [bytes[start] as number, bytes[start + 1] as number, bytes[start + 2] as number];
  return ((first - SMALL_A) * LETTERS + second - SMALL_A) * LETTERS + third - SMALL_A;
}
