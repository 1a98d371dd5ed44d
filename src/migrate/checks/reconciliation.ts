import { addsUp, sumOfOutcomes } from '../../base/lib/rows.ts';
import { formatNumber } from '../../base/lib/text.ts';
import type { Finding } from '../../import/survey/survey-types.ts';
import type { OutcomeCounts } from '../types.ts';

/** Every row has exactly one outcome: all counts but `read` sum to `read` (L5). A difference is a bug of svc. */
export function reconciliation(rows: OutcomeCounts): Finding {
  return addsUp(rows)
    ? { check: 'books', level: 'pass', message: `every one of the ${formatNumber(rows.read)} rows has one outcome` }
    : { check: 'books', level: 'stop', message: differenceOf(rows) };
}

function differenceOf(rows: OutcomeCounts): string {
  const sum = sumOfOutcomes(rows);
  const wrong = Object.entries(rows).filter(([, count]) => !(Number.isSafeInteger(count) && count >= 0));
  const impossible = wrong.map(([name, count]) => `, ${name} is ${count}`).join('');
  return `${formatNumber(rows.read)} rows read, but ${formatNumber(sum)} outcomes counted${impossible}`;
}
