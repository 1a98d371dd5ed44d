import type { RowPosition } from '../../base/lib/rows.ts';
import { type MergeCounts, mergeDuplicates } from '../dedupe/merge-duplicates.ts';
import type { SeenAddresses } from '../dedupe/seen-addresses.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import type { Table } from '../mapping/table.ts';
import { firstRead, type ReadingContext, type TableFirstRead } from './first-read.ts';
import { secondRead } from './second-read.ts';
import { collectPersonCollision } from './statistics/attribute-statistics.ts';
import { collectMention } from './statistics/further-addresses.ts';

/** A table of a read list. Its counts include single rows only, not the rows of people in `people`. */
export type ReadTable = Omit<TableFirstRead, 'hasRepeats' | 'isOpen' | 'ordinaryRows'>;

/** A list whose rows were all read, and whose duplicates were merged. */
export interface MergedList {
  readonly tables: readonly ReadTable[];
  readonly addresses: SeenAddresses;
  /** The counts of the people in `people`, after their rows were merged. */
  readonly mergeCounts: MergeCounts;
}

/**
 * Reads a list, and merges the rows of each person. The first read makes counts and address hashes. If addresses may be
 * repeated, a second read stores their rows in `people`, which is emptied before.
 */
export async function readAndMerge(
  tables: readonly Table[],
  options: ReadingOptions,
  context: ReadingContext,
): Promise<MergedList> {
  const { people, signal } = context;
  people.clear();
  const read = await firstRead(tables, options, context);
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
  return { ...read, mergeCounts };
}
