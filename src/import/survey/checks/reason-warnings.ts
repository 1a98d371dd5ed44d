import type { Finding } from '../../../base/finding.ts';
import { sumOf } from '../../../base/lib/rows.ts';
import { formatNumber } from '../../../base/lib/text.ts';
import type { ReadingOptions } from '../../mapping/reading-answers.ts';
import { sourceLabel } from '../../source/source.ts';
import type { TableWithStatistics } from './check-context.ts';

/**
 * Warns if `--reason` suppresses an input in which most rows say subscribed. That is allowed, because the flag counts
 * for every row. But a suppression can't be undone, and the file may be the wrong one (C5).
 */
export function reasonWarnings(
  { table, statistics }: TableWithStatistics,
  reason: ReadingOptions['reason'],
): readonly Finding[] {
  const total = countSubscribed({ table, statistics });
  if (reason === undefined || 2 * total <= statistics.rows) {
    return [];
  }
  const message = `${sourceLabel(table.source)}: most rows say subscribed (${formatNumber(total)} of ${formatNumber(statistics.rows)}), and --reason ${reason} suppresses every row. svc can't undo it`;
  const hint = 'If the file is the right one, and only some of its rows are about a suppression, leave out --reason.';
  return [{ check: 'no_status', level: 'warn', message, hint, total }];
}

/**
 * Roughly the number of rows that would be subscribed without `--reason`. svc counted the values of each column, not
 * whole rows. So it takes the column in which most rows say subscribed. In some inputs even a row without any status is
 * subscribed, for example because of the file name. Then it takes the column in which most rows say something else.
 */
function countSubscribed({ table, statistics }: TableWithStatistics): number {
  const { stateBesideReason, columns } = table;
  if (stateBesideReason === undefined) {
    return 0;
  }
  const saysSubscribed = (index: number, value: string) => {
    const { state, agreesToMail } = stateBesideReason(columns.map((_, other) => (other === index ? value : '')));
    return state === 'subscribed' || agreesToMail === true;
  };
  const isSubscribedWithout = saysSubscribed(NO_COLUMN, '');
  const counts = [...statistics.status.values].map(([index, values]) =>
    sumOf(
      [...values.values()]
        .filter(({ value }) => saysSubscribed(index, value) !== isSubscribedWithout)
        .map(({ rows }) => rows),
    ),
  );
  const most = counts.reduce((one, other) => Math.max(one, other), 0);
  return isSubscribedWithout ? statistics.rows - most : most;
}

const NO_COLUMN = -1;
