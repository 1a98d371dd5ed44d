import type { KeptRow } from '../journal/people.ts';
import { createProgress, type FirstRead, type Outside, totalBytes } from './first-read.ts';
import { effective, judge } from './judge.ts';
import { hasAddress, keptRow } from './keep.ts';
import { readRows } from './parse.ts';
import { reasonOf } from './states.ts';
import type { Table } from './table.ts';
import { countRow, type Tally } from './tally.ts';
import type { RawRow, ReadingOptions } from './types.ts';

/**
 * Reads again what needs a second look, now that dates and blanks are settled: rows whose address may have come twice go
 * to `people` and out of the tally of single rows; so do suppressing rows whose date was still open.
 */
export async function secondRead(
  first: FirstRead,
  tables: readonly Table[],
  { options, outside }: { readonly options: ReadingOptions; readonly outside: Outside },
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
  const progress = createProgress(outside.emit);
  for (const { table, tally } of wanted) {
    const gather = createGatherer(first, table, tally, options);
    for await (const rows of readRows(table.source, table.dialect, { onBytes: progress.bytes })) {
      outside.signal.throwIfAborted();
      const kept = rows.flatMap(gather);
      if (kept.length > 0) {
        outside.people.keep(kept);
      }
      progress.rows(rows.length);
    }
  }
}

function createGatherer(
  first: FirstRead,
  table: Table,
  tally: Tally,
  options: ReadingOptions,
): (row: RawRow) => KeptRow[] {
  return (row) => {
    const judgement = judge(table, row);
    if (!hasAddress(judgement)) {
      return [];
    }
    const suppresses = reasonOf(effective(table, judgement.verdict).state) !== undefined;
    if (!suppresses && !first.repeated.has(judgement.email)) {
      return [];
    }
    countRow(tally, table, judgement, -1);
    return [keptRow(table, row, judgement, options.empty)];
  };
}
