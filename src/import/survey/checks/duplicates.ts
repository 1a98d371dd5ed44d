import type { Finding, FindingExample } from '../../../base/finding.ts';
import type { RowPosition } from '../../../base/lib/rows.ts';
import { plural } from '../../../base/lib/text.ts';
import type { MergeCounts } from '../../dedupe/merge-duplicates.ts';
import { columnName } from '../../mapping/column-names.ts';
import type { ListCheck, TableWithStatistics } from './check-context.ts';

/** Warns about addresses that occur more than once, and about people whom one row skips and another subscribes (C7). */
export const duplicatesCheck: ListCheck = ({ people, merged, outweighed, rejected, tables }) => {
  const refused = rejected.get('duplicate_email') ?? 0;
  if (merged + refused === 0) {
    return [{ check: 'duplicates', level: 'pass', message: 'each address occurs once' }];
  }
  const exampleOf = exampleMaker(tables);
  const examples = people
    .mergedRows()
    .take(5)
    .map((row) => exampleOf(row, 'into', row.mergedInto));
  const message =
    merged > 0
      ? `${plural(merged, 'row repeats an address and goes', 'rows repeat an address and go')} into the first row of the same person; the most restrictive state wins`
      : `${plural(refused, 'row repeats an address and is', 'rows repeat an address and are')} rejected`;
  const hint =
    merged > 0 ? '--duplicates reject, to refuse all but the first' : '--duplicates merge, to make one person of them';
  return [
    { check: 'duplicates', level: 'warn', message, hint, examples: [...examples], total: merged + refused },
    ...(outweighed.total === 0 ? [] : [outweighedFinding(outweighed, exampleOf)]),
  ];
};

type ExampleMaker = (row: RowPosition, link: string, other: RowPosition) => FindingExample;

function outweighedFinding({ total, first }: MergeCounts['outweighed'], exampleOf: ExampleMaker): Finding {
  return {
    check: 'duplicates',
    level: 'warn',
    message: plural(
      total,
      'person is skipped in one row, but sent because another row subscribes this person',
      'people are skipped in one row, but sent because another row subscribes them',
    ),
    examples: first.map(({ skipped, by }) => exampleOf(skipped, 'subscribed in', by)),
    total,
  };
}

/** Makes a function that shows a row as an example: its address column, and the place of the person's other row. */
function exampleMaker(tables: readonly TableWithStatistics[]): ExampleMaker {
  const byIndex = new Map(tables.map(({ table }) => [table.source.index, table]));
  const nameOf = (index: number) => byIndex.get(index)?.source.entry ?? byIndex.get(index)?.source.name ?? '';
  return ({ source, line }, link, other) => {
    const table = byIndex.get(source);
    return {
      file: nameOf(source),
      line,
      ...(table && { column: columnName(table, table.columnIndexes.email) }),
      value: `${link} line ${other.line}${source === other.source ? '' : ` of ${nameOf(other.source)}`}`,
    };
  };
}
