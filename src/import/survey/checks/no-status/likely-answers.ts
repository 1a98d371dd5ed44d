import { sumOf } from '../../../../base/lib/rows.ts';
import type { ConsentColumn } from '../../../consent-columns/find-consent-columns.ts';
import { isGenericYes, isPlainYesNo, readYesNo } from '../../../consent-columns/words/value-words.ts';
import { statusMapFlag, wordInColumn } from '../../../mapping/column-names.ts';
import type { StatusStatistics } from '../../statistics/status-statistics.ts';
import { type ValueCount, valuesInColumn } from '../../statistics/value-counts.ts';
import { MAX_ANSWERS, type TableWithStatistics } from '../check-context.ts';
import type { InputWithoutStatus } from './input-without-status.ts';

/** True if a column that may be about mail holds a yes. */
export function holdsYes({ surveyed, candidates }: InputWithoutStatus): boolean {
  const likely = candidates.filter(({ likelihood }) => likelihood > 0);
  return (
    likelyAnswers(surveyed) !== undefined ||
    likely.some(({ values }) => values.some(([value]) => isPlainYesNo(value) && readYesNo(value) === true))
  );
}

/** The flags that subscribe people by values of one column, such as `Newsletter:yes=subscribed`. */
export interface LikelyAnswers {
  /** The index of the column. */
  readonly index: number;
  readonly flags: string;
  /** The number of rows that the flags subscribe. */
  readonly rows: number;
}

const MEANINGS_BEST_FIRST: readonly string[] = ['agreed', 'channel', 'optedOut', 'status', 'confirmed', 'active'];

/**
 * The flags that subscribe people by a yes in the column that most clearly means mail, or by a no in an opt-out column.
 * Undefined if no column has such values.
 */
export function likelyAnswers({ table, statistics: { status } }: TableWithStatistics): LikelyAnswers | undefined {
  const [best] = table.consentColumns
    .filter(
      ({ meaning, isDirectionUnknown }) =>
        MEANINGS_BEST_FIRST.includes(meaning) && (!isDirectionUnknown || meaning === 'agreed'),
    )
    .map((column) => ({ column, values: openValues(column, status) }))
    .filter(({ values }) => values.length > 0 && values.length <= MAX_ANSWERS)
    .sort(
      (first, second) =>
        MEANINGS_BEST_FIRST.indexOf(first.column.meaning) - MEANINGS_BEST_FIRST.indexOf(second.column.meaning) ||
        Number(isSameEverywhere(first.column, status)) - Number(isSameEverywhere(second.column, status)),
    );
  return (
    best && {
      index: best.column.index,
      flags: best.values
        .map(({ value }) => statusMapFlag(table, wordInColumn(table.header, best.column.index, value), 'subscribed'))
        .join(' '),
      rows: sumOf(best.values.map(({ states }) => states.get('none') ?? 0)),
    }
  );
}

// True for a column with the same text in all rows, such as a privacy notice that each person must accept.
function isSameEverywhere({ index }: ConsentColumn, { values }: StatusStatistics): boolean {
  return valuesInColumn(values, index).filter(({ rows }) => rows > 0).length < 2;
}

function openValues(
  { index, meaning, isDirectionUnknown, stateOf }: ConsentColumn,
  status: StatusStatistics,
): readonly ValueCount[] {
  const values = valuesInColumn(status.values, index).filter(({ states }) => (states.get('none') ?? 0) > 0);
  return values.filter(({ value }) => {
    const { state, unknown, agreesToMail } = stateOf(value);
    // Not every yes agrees to mail: `valid` under `Email status` is about the address, and `ok` under `Newsletter
    // frozen` can be about anything.
    const agrees = agreesToMail && (!isGenericYes(value) || (meaning === 'agreed' && !isDirectionUnknown));
    const isPlain = agrees || (meaning === 'optedOut' && isPlainYesNo(value));
    return value !== '' && state === 'none' && unknown === undefined && isPlain;
  });
}
