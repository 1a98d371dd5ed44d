import type { Finding } from '../../../../base/finding.ts';
import { plural, shellFlag } from '../../../../base/lib/text.ts';
import { columnLabel, columnName } from '../../../mapping/column-names.ts';
import { sourceLabel } from '../../../source/source.ts';
import { blanksBelowLabels } from '../../statistics/row-labels.ts';
import { isAnswered, rowsFinding, type TableWithStatistics } from '../check-context.ts';
import { groupColumns } from '../grouped-blanks.ts';

/**
 * The findings about blanks below the label of a group. In a spreadsheet one merged cell can label several rows, but in
 * CSV only the first of these rows has the label.
 */
export function blankLabelFindings(
  { table, statistics }: TableWithStatistics,
  allowed: readonly string[],
): readonly Finding[] {
  const { header, source } = table;
  const otherwiseAsked = groupColumns({ table, statistics });
  const found = blanksBelowLabels(table, statistics.headings.labels);
  const open = found.filter(([index]) => !(otherwiseAsked.includes(index) || isAnswered(table, index, [''])));
  return open.flatMap(([index, below]) => {
    const isAllowed = [columnName(table, index), header[index]].some((name) => name && allowed.includes(name));
    const column = columnLabel(header, index);
    return rowsFinding(below, {
      check: 'ragged_rows',
      level: isAllowed ? 'warn' : 'stop',
      message: `${sourceLabel(source)}: ${plural(below.total, 'row has', 'rows have')} a blank in ${column}, below a cell that says that its people opted out. A merged cell may have stood there, so these people may have opted out too${isAllowed ? '. Your answer says that a blank does not mean the same' : ''}`,
      ...(!isAllowed && {
        hint: 'Fill each blank with the cell above it',
        otherwise: [
          {
            when: `Only if a blank in ${column} does not mean the same as the cell above it`,
            flags: shellFlag('--allow-blanks', columnName(table, index)),
          },
        ],
      }),
    });
  });
}
