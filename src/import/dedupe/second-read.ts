import { reasonOf } from '../../platforms/lib/states.ts';
import { type AnyRow, textRow } from '../csv/byte-row.ts';
import { readTableBytes } from '../csv/pipeline.ts';
import type { Table } from '../mapping/table.ts';
import { createOrdinaryReader } from '../record/ordinary-row.ts';
import { effective, parseRecord } from '../record/parse-record.ts';
import { createReadProgress, type FirstRead, type ReadingContext, totalBytes } from '../survey/first-read.ts';
import { countRow, type TableCounts } from '../survey/table-counts.ts';
import type { ReadingOptions } from '../types.ts';
import { createStagingWriter, hasAddress, mentionRow, mentionsOf, type StagingWriter, stagedRow } from './staging.ts';

/**
 * Reads rows a second time, now that the date order and the meaning of blanks are known. Rows whose address may be
 * repeated go to `people` and leave the counts of single rows. Suppressing rows whose date could not be read before go
 * there too.
 */
export async function secondRead(
  first: FirstRead,
  tables: readonly Table[],
  { options, context }: { readonly options: ReadingOptions; readonly context: ReadingContext },
): Promise<void> {
  const wanted = tables.flatMap((table, position) => {
    const pass = first.passes[position];
    const needed = pass && (position <= first.lastRepeat || pass.open || pass.table.blank !== table.blank);
    return needed ? [{ table, tableCounts: pass.tableCounts }] : [];
  });
  if (wanted.length === 0) {
    return;
  }
  context.emit({ type: 'phase', phase: 'survey', total: totalBytes(wanted.map(({ table }) => table)), unit: 'bytes' });
  const progress = createReadProgress(context.emit);
  const writer = createStagingWriter(context.people);
  for (const { table, tableCounts } of wanted) {
    const gather = createGatherer({ first, writer, options }, table, tableCounts);
    for await (const rows of readTableBytes(table, { signal: context.signal, onBytes: progress.bytes })) {
      rows.forEach(gather);
      progress.rows(rows.length);
    }
  }
  writer.flush();
}

interface GatherOptions {
  readonly first: FirstRead;
  readonly writer: StagingWriter;
  readonly options: ReadingOptions;
}

function createGatherer(
  { first, writer, options }: GatherOptions,
  table: Table,
  tableCounts: TableCounts,
): (row: AnyRow) => void {
  const ordinary = createOrdinaryReader(table);
  return (row) => {
    const usual = ordinary(row);
    if (usual && !first.repeated.has(usual.email)) {
      return;
    }
    const record = parseRecord(table, textRow(row));
    for (const mention of mentionsOf(record)) {
      if (first.repeated.has(mention.email)) {
        writer.add(mentionRow(record, mention));
      }
    }
    if (!hasAddress(record)) {
      return;
    }
    const suppresses = reasonOf(effective(table, record.statusReading).state) !== undefined;
    if (suppresses || first.repeated.has(record.email)) {
      countRow(tableCounts, record, -1);
      writer.add(stagedRow(record, options.empty));
    }
  };
}
