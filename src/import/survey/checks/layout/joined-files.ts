import type { Finding } from '../../../../base/finding.ts';
import { plural } from '../../../../base/lib/text.ts';
import { BELOW_OTHER_HEADER } from '../../../mapping/table.ts';
import { sourceLabel } from '../../../source/source.ts';
import type { Examples } from '../../statistics/examples.ts';
import { rowsFinding, type TableWithStatistics } from '../check-context.ts';

/** Findings that two files were joined. They stop the run; `--allow-joined-files` makes them warnings. */
export function joinedFilesFindings({ table, statistics }: TableWithStatistics, isAllowed: boolean): Finding[] {
  const label = sourceLabel(table.source);
  const below = statistics.rejected.byReason.get(BELOW_OTHER_HEADER)?.total ?? 0;
  const findingOf = (rows: Examples, what: string, advice: string, rejected = theseRows(rows.total)) => {
    const message = `${label}: ${plural(rows.total, 'row')} ${what}${isAllowed ? `; svc rejects ${rejected}` : ''}`;
    const answer = { hint: '--allow-joined-files', when: `${advice}. To reject ${rejected} and continue` };
    const level = isAllowed ? 'warn' : 'stop';
    return rowsFinding(rows, { check: 'ragged_rows', level, message, ...(!isAllowed && answer) });
  };
  return [
    ...findingOf(
      statistics.misshapenRows.otherDelimiter,
      'with all fields in one cell, so they cannot be read. Two files may have been joined, or whole lines may be in quotes',
      'Give two joined files one by one, and remove quotes around whole lines',
    ),
    ...findingOf(
      statistics.misshapenRows.otherHeader,
      'below the header with the names of other columns, so two files may have been joined. The rows below it belong to these columns',
      'Give the two files one by one',
      below === 0 ? undefined : `it and ${plural(below, 'row')} below it`,
    ),
  ];
}

function theseRows(total: number): string {
  return total === 1 ? 'this row' : 'these rows';
}
