import { reasonOf } from '../../platforms/lib/states.ts';
import { type AnyRow, type ByteRow, cellEnd, cellStart, cellText, isByteRow, toTextRow } from '../csv/raw-rows.ts';
import { readByteRows } from '../csv/read-rows.ts';
import type { AddressHashSet } from '../dedupe/address-hash-set.ts';
import {
  createMentionRow,
  createStagedRow,
  createStagingWriter,
  hasAddress,
  mentionsOf,
  type StagingWriter,
} from '../dedupe/staging.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import type { Table } from '../mapping/table.ts';
import { isPlainAddress, plainAddress } from '../record/address.ts';
import { effectiveReading, parseRecord } from '../record/parse-record.ts';
import type { FirstRead, SurveyContext, TableFirstRead } from './first-read.ts';
import { createReadProgress } from './read-progress.ts';
import { countRow } from './table-counts.ts';

/**
 * The second read of a survey; `first-read.ts` has the first. By now the date order and the meaning of blanks are
 * known. It reads only tables that need it. It stores rows that suppress, and rows whose address may be repeated, in
 * `people`, and subtracts them from the counts.
 */
export async function secondRead(
  { tables, addresses }: FirstRead,
  options: ReadingOptions,
  context: SurveyContext,
): Promise<void> {
  // A repeated address may have its first row in any earlier table. So all tables up to the last repeat are read.
  const lastRepeat = tables.findLastIndex(({ hasRepeats }) => hasRepeats);
  const tablesToRead = tables.filter(({ isOpen }, position) => isOpen || position <= lastRepeat);
  if (tablesToRead.length === 0) {
    return;
  }
  const progress = createReadProgress(
    tablesToRead.map(({ table }) => table),
    context.emit,
  );
  const writer = createStagingWriter(context.people);
  for (const read of tablesToRead) {
    const stageRow = createRowStager(read, { repeated: addresses.repeated, writer, options });
    for await (const rows of readByteRows(read.table, { signal: context.signal, onBytes: progress.bytes })) {
      rows.forEach(stageRow);
      progress.rows(rows.length);
    }
  }
  writer.flush();
}

interface RowStagerOptions {
  readonly repeated: AddressHashSet;
  readonly writer: StagingWriter;
  readonly options: ReadingOptions;
}

function createRowStager(
  { table, tableCounts, ordinaryRows }: TableFirstRead,
  { repeated, writer, options }: RowStagerOptions,
): (row: AnyRow) => void {
  let rowNumber = -1;
  return (row) => {
    rowNumber++;
    if (ordinaryRows.has(rowNumber) && isByteRow(row) && !isRepeated(repeated, row, table)) {
      return;
    }
    const record = parseRecord(table, toTextRow(row));
    for (const mention of mentionsOf(record)) {
      if (repeated.has(mention.email)) {
        writer.add(createMentionRow(record, mention));
      }
    }
    if (!hasAddress(record)) {
      return;
    }
    const isSuppressed = reasonOf(effectiveReading(table, record.statusReading).state) !== undefined;
    if (isSuppressed || repeated.has(record.email)) {
      countRow(tableCounts, record, -1);
      writer.add(createStagedRow(record, options.empty));
    }
  };
}

// True for an ordinary row whose address may occur in another row.
function isRepeated(repeated: AddressHashSet, row: ByteRow, { columnIndexes }: Table): boolean {
  const { bytes, offsets } = row.block;
  const cellIndex = row.first + columnIndexes.email;
  const [start, end] = [cellStart(offsets, cellIndex), cellEnd(offsets, cellIndex)];
  return isPlainAddress(bytes, start, end)
    ? repeated.hasAscii(bytes, start, end)
    : repeated.has(plainAddress(cellText(row, columnIndexes.email)) ?? '');
}
