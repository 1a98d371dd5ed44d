import { formatNumber } from '../../base/text.ts';
import type { Finding } from '../../import/survey-types.ts';
import type { FateCounts } from '../types.ts';

/** Every row has exactly one fate: the counts but `read` sum to `read`. A difference is a bug of ours. */
export function books(rows: FateCounts): Finding {
  const { read, ...fates } = rows;
  const sum = Object.values(fates).reduce((total, count) => total + count, 0);
  const balanced = sum === read && Object.values(fates).every((count) => count >= 0);
  return {
    check: 'books',
    level: balanced ? 'pass' : 'stop',
    message: balanced
      ? `every one of the ${formatNumber(read)} rows has one fate`
      : `${formatNumber(read)} rows read, but ${formatNumber(sum)} fates`,
  };
}
