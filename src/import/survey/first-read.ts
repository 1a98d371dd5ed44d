import type { Emit } from '../../base/events.ts';
import { type BitSet, createBitSet } from '../../base/lib/bit-set.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { reasonOf } from '../../platforms/lib/states.ts';
import type { People } from '../../runs/people/people.ts';
import { type AnyRow, type RawRow, toTextRow } from '../csv/row-types.ts';
import { createSeenAddresses, hasAddress, type SeenAddresses } from '../dedupe/seen-addresses.ts';
import { createStagedRow, createStagingWriter, isDateOrderOpen } from '../dedupe/staging.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import type { Table } from '../mapping/table.ts';
import { createLaterRows, type LaterRows } from '../mapping/table-shape.ts';
import { markOptions } from '../record/mark-options.ts';
import { createOrdinaryRowReader } from '../record/ordinary-row.ts';
import { effectiveReading, type ParsedRecord, parseRecord } from '../record/parse-record.ts';
import { tableBelowOtherHeader } from '../record/row-problems.ts';
import type { PieceThread } from '../rows/piece-thread.ts';
import { readByteRows } from '../rows/read-rows.ts';
import { countListRow, createDomainReader, createListCounts, type ListCounts } from './list-statistics.ts';
import { countRow, createTableCounts, type TableCounts } from './people-counts.ts';
import { createPreviews, type PreviewRows } from './preview.ts';
import { createReadProgress, type ReadProgress } from './read-progress.ts';
import { type ColumnStatistics, collectRow, createColumnStatistics } from './statistics/column-statistics.ts';

export interface SurveyContext {
  readonly people: People;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** The key for the hashes of addresses: 16 hex digits. */
  readonly seed: string;
}

export interface ReadingContext extends SurveyContext {
  /** A thread that cuts the rows of plain files. Undefined for a short list, which needs none. */
  readonly thread: PieceThread | undefined;
}

export interface TableFirstRead {
  /** The table, completed by what its rows show: the order of its dates, and the meaning of a blank status. */
  readonly table: Table;
  readonly sha256: string;
  readonly statistics: ColumnStatistics;
  readonly tableCounts: TableCounts;
  readonly list: ListCounts;
  readonly previewRows: readonly RawRow[];
  /** Rows that fill a column which is blank in the sampled rows. They may show that the column means something else. */
  readonly laterRows: LaterRows;
  /** True if a row of this table has the same address as an earlier row of the list. */
  readonly hasRepeats: boolean;
  /** True if some rows are clear only in the second read, which knows the date order and the meaning of a blank. */
  readonly isOpen: boolean;
  /** The numbers of the ordinary rows, from 0. The second read skips such a row unless its address is repeated. */
  readonly ordinaryRows: BitSet;
}

export interface FirstRead {
  readonly tables: readonly TableFirstRead[];
  readonly addresses: SeenAddresses;
}

/**
 * The first read of a survey; `two-reads.ts` has the second. It reads each row once, and makes the counts, the address
 * hashes and the statistics. In `people` it stores the rows that suppress a person.
 */
export async function firstRead(
  tables: readonly Table[],
  options: ReadingOptions,
  context: ReadingContext,
): Promise<FirstRead> {
  const addresses = createSeenAddresses(context.seed);
  const progress = createReadProgress(tables, context.emit);
  const shared = { options, context, addresses, progress, previewOfTable: createPreviews() };
  const read: TableFirstRead[] = [];
  for (const table of tables) {
    read.push(await readTable(table, shared));
  }
  return { tables: read, addresses };
}

/** What the reads of all tables share. */
interface SharedRead {
  readonly options: ReadingOptions;
  readonly context: ReadingContext;
  readonly addresses: SeenAddresses;
  readonly progress: ReadProgress;
  /** Makes the preview of one table. Called once for each table. */
  previewOfTable(): PreviewRows;
}

async function readTable(table: Table, shared: SharedRead): Promise<TableFirstRead> {
  const { options, context, addresses, progress } = shared;
  let sha256 = '';
  const statistics = createColumnStatistics(table);
  const tableCounts = createTableCounts(table);
  const list = createListCounts(table.header);
  const domainOf = createDomainReader(table);
  const preview = shared.previewOfTable();
  const ordinaryRows = createBitSet();
  const subscribedRows = createBitSet();
  const laterRows = createLaterRows(table);
  const ordinaryReader = createAdaptiveReader(table, statistics, list);
  const writer = createStagingWriter(context.people);
  const repeatsBefore = addresses.repeats;
  let hasOpenDates = false;
  // The table as svc reads the current row. It changes at a second header.
  let tableSoFar = table;

  const readRow = (row: AnyRow) => {
    const ordinary = tableSoFar === table ? ordinaryReader.read(row) : undefined;
    if (ordinary) {
      ordinaryRows.add(statistics.rows);
      if (ordinary.statusReading.state === 'subscribed') {
        subscribedRows.add(statistics.rows);
      }
    }
    const record = ordinary ?? parseRecord(tableSoFar, toTextRow(row));
    collectRow(statistics, record);
    if (tableSoFar === table && statistics.misshapenRows.otherHeader.total > 0) {
      tableSoFar = tableBelowOtherHeader(table, toTextRow(row));
    }
    // The cells below a second header belong to other columns.
    if (tableSoFar === table) {
      laterRows.collect(row, record.cells);
    }
    countRow(tableCounts, record, 1);
    countListRow(list, record, ordinary && domainOf(row, ordinary));
    addresses.add(row, record, ordinary !== undefined);
    if (hasAddress(record) && isSuppression(record)) {
      hasOpenDates ||= isDateOrderOpen(record);
      writer.add(createStagedRow(record, options.empty));
    } else {
      preview.offer(row, record);
    }
  };
  const marks = markOptions(table, context.seed);
  // The hash is that of the bytes that were parsed, so svc notices a file that changes between two reads.
  const onSha256 = (hex: string) => {
    sha256 = hex;
  };
  for await (const rows of readByteRows(table, { ...context, marks, onBytes: progress.bytes, onSha256 })) {
    rows.forEach(readRow);
    ordinaryReader.adapt();
    progress.rows(rows.length);
    addresses.expect(progress.expectedRows());
  }
  writer.flush();

  const finalized = { ...finalizeTable(tableSoFar, statistics), subscribedRows: subscribedRows.bytes() };
  const isOpen = hasOpenDates || finalized.blankStatus !== table.blankStatus;
  const hasRepeats = addresses.repeats > repeatsBefore;
  const counts = { statistics, tableCounts, list, laterRows: laterRows.rows };
  return { table: finalized, sha256, ...counts, previewRows: preview.rows, ordinaryRows, hasRepeats, isOpen };
}

function isSuppression({ table, statusReading }: ParsedRecord): boolean {
  return reasonOf(effectiveReading(table, statusReading).state) !== undefined;
}

/** Makes a reader of ordinary rows. It stops decoding a column as soon as that column can't be the status any more. */
function createAdaptiveReader(table: Table, { status }: ColumnStatistics, { signUpIndex }: ListCounts) {
  const { candidates } = status;
  const always = [signUpIndex, ...table.endsOfConsent, ...table.labelColumns.map(({ index }) => index)];
  const create = () => createOrdinaryRowReader(table, [...always, ...candidates.keys()]);
  let read = create();
  let decoded = candidates.size;
  return {
    read: (row: AnyRow) => read(row),
    /** Called after each batch of rows. */
    adapt() {
      if (candidates.size < decoded) {
        decoded = candidates.size;
        read = create();
      }
    },
  };
}

/**
 * Completes a table after its first read, with the order of its dates and the meaning of a blank status. If all status
 * cells are blank, a blank means the default status, as in a list without a state (C4). But if only some of these rows
 * agree to mail in another column, svc asks what a blank means.
 */
function finalizeTable(table: Table, { status, dates }: ColumnStatistics): Table {
  const words = [...status.unknown.words.values()];
  const blankRows = sumOf(words.map(({ examples }) => examples.total));
  const isSilent =
    words.length > 0 &&
    status.known === 0 &&
    table.blankStatus.unknown === '' &&
    words.every(({ word }) => word === '') &&
    (status.agreedBesideBlank === 0 || status.agreedBesideBlank === blankRows);
  const dateStyle = { ...table.dateStyle, order: table.dateStyle.order ?? provenOrder(dates) };
  return { ...table, blankStatus: isSilent ? table.withoutStatus : table.blankStatus, dateStyle };
}

function provenOrder({ dmy, mdy }: ColumnStatistics['dates']): 'dmy' | 'mdy' | undefined {
  if (dmy.total > 0 && mdy.total > 0) {
    return undefined;
  }
  return dmy.total > 0 ? 'dmy' : mdy.total > 0 ? 'mdy' : undefined;
}
