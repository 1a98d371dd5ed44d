import { formatNumber, plural, safe } from '../../base/lib/text.ts';
import { counts } from '../text/block.ts';

const ORDER = ['created', 'updated', 'enrolled', 'suppressed', 'already_suppressed', 'merged', 'skipped'];
const LAST = ['rejected', 'failed', 'unsent', 'unknown'];

/**
 * `1,200 rows read = 1,100 created + 100 merged`: the outcomes as a sum that a reader can check. Counts with unknown
 * names are included. The line says so if the sum is wrong.
 */
export function rowSum(rows: { readonly read: number }, options: { readonly dryRun: boolean }): string {
  const { read, ...outcomes } = rows;
  const known = counts(outcomes, ORDER);
  const summands = [
    ...known.filter(([name]) => !LAST.includes(name)),
    ...known.filter(([name]) => LAST.includes(name)),
  ];
  const missing = read - summands.reduce((sum, [, count]) => sum + count, 0);
  const words = summands.map(([name, count]) => `${formatNumber(count)} ${outcomeWord(name, options.dryRun)}`);
  const mismatch =
    missing === 0
      ? ''
      : ` (does not add up: ${formatNumber(Math.abs(missing))} ${missing > 0 ? 'missing' : 'too many'})`;
  return `${plural(read, 'row')} read${words.length > 0 ? ` = ${words.join(' + ')}` : ''}${mismatch}`;
}

function outcomeWord(name: string, dryRun: boolean): string {
  return dryRun && name === 'unsent' ? 'would be sent' : safe(name).replaceAll('_', ' ');
}
