import { readTable } from '../csv/pipeline.ts';
import type { Table } from '../mapping/table.ts';
import { effective, parseRecord } from '../record/parse-record.ts';
import { reasonOf } from '../status/states.ts';
import { createReadProgress, type FirstRead, type ReadingContext, totalBytes } from '../survey/first-read.ts';
import { countRow, type TableCounts } from '../survey/table-counts.ts';
import type { RawRow, ReadingOptions } from '../types.ts';
import {
  createStagingWriter,
  hasAddress,
  mentionedAddresses,
  mentionRow,
  type StagingWriter,
  stagedRow,
} from './staging.ts';

/**
 * Reads rows a second time, now that the date order and the meaning of blanks are known. Rows whose address may be
 * repeated go to `people` and leave the counts of single rows. Suppressing rows whose date could not be read before go
 * there too.
 */
export async function secondRead(
  first: FirstRead,
  tables: readonly Table[],
  { options, outside }: { readonly options: ReadingOptions; readonly outside: ReadingContext },
): Promise<void> {
  const wanted = tables.flatMap((table, position) => {
    const look = first.looks[position];
    const needed = look && (position <= first.lastRepeat || look.open || look.table.blank !== table.blank);
    return needed ? [{ table, tally: look.tally }] : [];
  });
  if (wanted.length === 0) {
    return;
  }
  outside.emit({ type: 'phase', phase: 'survey', total: totalBytes(wanted.map(({ table }) => table)), unit: 'bytes' });
  const progress = createReadProgress(outside.emit);
  const keeper = createStagingWriter(outside.people);
  for (const { table, tally } of wanted) {
    const gather = createGatherer({ first, keeper, options }, table, tally);
    for await (const rows of readTable(table, { signal: outside.signal, onBytes: progress.bytes })) {
      rows.forEach(gather);
      progress.rows(rows.length);
    }
  }
  keeper.flush();
}

interface Gathering {
  readonly first: FirstRead;
  readonly keeper: StagingWriter;
  readonly options: ReadingOptions;
}

function createGatherer(
  { first, keeper, options }: Gathering,
  table: Table,
  tally: TableCounts,
): (row: RawRow) => void {
  return (row) => {
    const judgement = parseRecord(table, row);
    for (const email of mentionedAddresses(judgement)) {
      if (first.repeated.has(email)) {
        keeper.add(mentionRow(judgement, email));
      }
    }
    if (!hasAddress(judgement)) {
      return;
    }
    const suppresses = reasonOf(effective(table, judgement.verdict).state) !== undefined;
    if (suppresses || first.repeated.has(judgement.email)) {
      countRow(tally, judgement, -1);
      keeper.add(stagedRow(judgement, options.empty));
    }
  };
}
