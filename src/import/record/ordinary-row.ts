import { columnsReadBy, NONE } from '../../platforms/lib/status-words.ts';
import {
  type AnyRow,
  type ByteRow,
  cellEnd,
  cellMarkBits,
  cellStart,
  cellText,
  isByteRow,
  STATE_MARK,
} from '../csv/row-types.ts';
import type { Table } from '../mapping/table.ts';
import { plainAddress } from '../values/address.ts';
import { isVisibleAscii } from '../values/cell-values.ts';
import { createOrdinaryCells } from './ordinary-cells.ts';
import { findPersonBehindMark, type PersonRecord, personRecord } from './parse-record.ts';
import { createStateCache, NO_CACHE_KEY } from './state-cache.ts';

/**
 * Reads an ordinary row with the same result as `parseRecord`. Returns undefined for any other row. All rows share one
 * record, so the next row overwrites it. A filled cell whose text is not needed is `NOT_DECODED`. If `email` equals the
 * text of the address cell, the bytes of this cell are the address in ASCII.
 */
type OrdinaryReader = (row: AnyRow) => PersonRecord | undefined;

type Overwritten = { -readonly [Field in keyof PersonRecord]: PersonRecord[Field] };

/**
 * Makes a reader of ordinary rows. An ordinary row has all its cells. Its address is one that `plainAddress` reads, and
 * no other cell needs trimming. Its state is known and suppresses no person. The reader works on bytes with state
 * marks, and decodes only cells that count. `further` has the indexes of more columns whose text is needed.
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
  const { cells, deciding, read } = createOrdinaryCells(table, further);
  // One record for all rows, because a new object for each row would cost time.
  const record: Overwritten = personRecord({ table, line: 0, cells, email: '', statusReading: NONE });
  return (row) => {
    if (
      !isByteRow(row) ||
      row.block.summaries === undefined ||
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
    if (!isOrdinary || findPersonBehindMark(table, cell, statusReading) !== undefined) {
      return undefined;
    }
    record.line = row.line;
    record.email = email;
    record.statusReading = statusReading;
    return record;
  };
}

const QUOTE = 0x22;

// True if a cell may contain a list in quotes, such as `"VIP","news"`. Only `valuesOfCells` can read it.
function mayHoldQuotedList({ block, first }: ByteRow, quotedLists: readonly number[]): boolean {
  const { bytes, offsets } = block;
  // A loop, because a function for `some` would be a new object for each row.
  for (const index of quotedLists) {
    const start = cellStart(offsets, first + index);
    const byte = bytes[start] as number;
    if (cellEnd(offsets, first + index) > start && (byte === QUOTE || !isVisibleAscii(byte))) {
      return true;
    }
  }
  return false;
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
