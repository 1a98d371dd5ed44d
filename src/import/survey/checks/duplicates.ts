import { plural } from '../../../base/lib/text.ts';
import { columnName } from '../../mapping/column-names.ts';
import type { ListCheck } from './list-check.ts';

/** Warns about addresses that occur more than once. */
export const duplicatesCheck: ListCheck = ({ people, merged, rejected, tables }) => {
  const refused = rejected.get('duplicate_email') ?? 0;
  if (merged + refused === 0) {
    return [{ check: 'duplicates', level: 'pass', message: 'each address occurs once' }];
  }
  const byIndex = new Map(tables.map(({ table }) => [table.source.index, table]));
  const nameOf = (index: number) => byIndex.get(index)?.source.entry ?? byIndex.get(index)?.source.name ?? '';
  const examples = people
    .mergedRows()
    .take(5)
    .map(({ source, line, mergedInto }) => {
      const table = byIndex.get(source);
      return {
        file: nameOf(source),
        line,
        ...(table && { column: columnName(table, table.columnIndexes.email) }),
        value: `into line ${mergedInto.line}${source === mergedInto.source ? '' : ` of ${nameOf(mergedInto.source)}`}`,
      };
    });
  const message =
    merged > 0
      ? `${plural(merged, 'row repeats an address and goes', 'rows repeat an address and go')} into the first row of the same person; the most restrictive state wins`
      : `${plural(refused, 'row repeats an address and is', 'rows repeat an address and are')} rejected`;
  const hint =
    merged > 0 ? '--duplicates reject, to refuse all but the first' : '--duplicates merge, to make one person of them';
  return [{ check: 'duplicates', level: 'warn', message, hint, examples: [...examples], total: merged + refused }];
};
