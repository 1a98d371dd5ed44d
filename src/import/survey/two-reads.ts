import type { Finding } from '../../base/finding.ts';
import type { RowPosition } from '../../base/lib/rows.ts';
import { reasonOf } from '../../platforms/lib/states.ts';
import { type AnyRow, type ByteRow, cellText, isByteRow, toTextRow } from '../csv/row-types.ts';
import type { AddressHashSet } from '../dedupe/address-hash-set.ts';
import { type MergeCounts, mergeDuplicates } from '../dedupe/merge-duplicates.ts';
import { hasAddress, mentionsOf, type SeenAddresses } from '../dedupe/seen-addresses.ts';
import { createMentionRow, createStagedRow, createStagingWriter, type StagingWriter } from '../dedupe/staging.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import type { Table } from '../mapping/table.ts';
import type { LaterRows } from '../mapping/table-shape.ts';
import { markOptions } from '../record/mark-options.ts';
import { effectiveReading, parseRecord } from '../record/parse-record.ts';
import { readByteRows } from '../rows/read-rows.ts';
import { summarizedAddress } from '../rows/row-summaries.ts';
import type { openTables } from '../tables/open-tables.ts';
import { plainAddress } from '../values/address.ts';
import { type FirstRead, firstRead, type ReadingContext, type TableFirstRead } from './first-read.ts';
import { countRow } from './people-counts.ts';
import { createReadProgress } from './read-progress.ts';
import { collectMention, collectPersonCollision } from './statistics/unsent-values.ts';

/** A table after both reads. Its `tableCounts` include only rows that were not stored in `people`. */
export type ReadTable = Omit<TableFirstRead, 'hasRepeats' | 'isOpen' | 'ordinaryRows' | 'laterRows'>;

/** A list whose rows were all read, and whose duplicates were merged. */
interface MergedList {
  readonly tables: readonly ReadTable[];
  readonly addresses: SeenAddresses;
  /** The counts of the people in `people`, after their rows were merged. */
  readonly mergeCounts: MergeCounts;
  /** The findings of opening the inputs. */
  readonly openFindings: readonly Finding[];
}

/** Opens the inputs of a list. `laterRows` is passed on to `openTables`. */
type OpenList = (laterRows?: ReadonlyMap<number, LaterRows>) => ReturnType<typeof openTables>;

/**
 * Reads a list, and merges the rows of each person. The first read makes the counts and the address hashes. If
 * addresses may be repeated, a second read stores their rows in `people`. All earlier rows of `people` are deleted
 * first.
 */
export async function readAndMerge(
  openList: OpenList,
  options: ReadingOptions,
  context: ReadingContext,
): Promise<MergedList> {
  const { people, signal } = context;
  const { read, openFindings } = await readAll(openList, options, context);
  await secondRead(read, options, context);
  const bySource = new Map(read.tables.map((readTable) => [readTable.table.source.index, readTable]));
  const tableOf = ({ source }: RowPosition) => bySource.get(source) as ReadTable;
  const mergeCounts = await mergeDuplicates(people, {
    duplicates: options.duplicates,
    signal,
    onCollision: (collision) => {
      const { table, statistics } = tableOf(collision);
      collectPersonCollision(statistics.attributes, table, collision);
    },
    onMention: (mention) => {
      const { table, statistics } = tableOf(mention);
      collectMention(statistics.addresses, table, mention);
    },
  });
  return { ...read, mergeCounts, openFindings };
}

// Makes the first read. A column may be blank in the first rows, and a later row may show that it means something else.
// Then svc opens the inputs and reads all rows again. So a person who opted out counts the same in row 3 and in row
// 3,000.
async function readAll(
  openList: OpenList,
  options: ReadingOptions,
  context: ReadingContext,
): Promise<{ readonly read: FirstRead; readonly openFindings: readonly Finding[] }> {
  const opened = await openList();
  context.people.clear();
  const read = await firstRead(opened.tables, options, context);
  const laterRows = new Map(read.tables.map(({ table, laterRows: rows }) => [table.source.index, rows]));
  const reopened = [...laterRows.values()].some((rows) => rows.length > 0) ? await openList(laterRows) : opened;
  if (readingOf(reopened.tables) === readingOf(opened.tables)) {
    return { read, openFindings: opened.findings };
  }
  context.people.clear();
  return { read: await firstRead(reopened.tables, options, context), openFindings: reopened.findings };
}

// How svc reads the columns of the tables, as a text. Two equal texts mean that all rows are read the same way.
function readingOf(tables: readonly Table[]): string {
  return JSON.stringify(
    tables.map(({ platform, header, reading, columns, addressColumns, consentColumns }) => [
      platform,
      reading.stateOf(header.map(() => '')),
      columns,
      addressColumns,
      // These fields are left out: they only say what the cells contain, and don't change the meaning of the column.
      consentColumns.map((column) => ({ ...column, holdsDates: undefined, holdsStates: undefined })),
    ]),
  );
}

/**
 * The second read of a survey; `first-read.ts` has the first. By now the date order and the meaning of blanks are
 * known. It reads only tables that need it. It stores rows that suppress a person, and rows whose address may be
 * repeated, in `people`, and subtracts them from the counts.
 */
async function secondRead(
  { tables, addresses }: FirstRead,
  options: ReadingOptions,
  context: ReadingContext,
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
    const marks = { ...markOptions(read.table, context.seed), onlyAddresses: true };
    for await (const rows of readByteRows(read.table, { ...context, marks, onBytes: progress.bytes })) {
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
  const hash = summarizedAddress(row);
  return hash
    ? repeated.hasHash(hash.low, hash.high)
    : repeated.has(plainAddress(cellText(row, columnIndexes.email)) ?? '');
}
