import { sumOf } from '../../base/lib/rows.ts';
import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import { nonZeroCounts } from '../text/block.ts';

const FIRST_OUTCOMES = [
  'created',
  'updated',
  'enrolled',
  'suppressed',
  'already_suppressed',
  'unchanged',
  'merged',
  'skipped',
];
const LAST_OUTCOMES = ['rejected', 'failed', 'unsent', 'unknown'];

/**
 * The outcomes as a sum that a reader can check: `1,200 rows read = 1,100 created + 100 merged`. Rows with an unknown
 * outcome are included. If the numbers do not add up, the text says so.
 */
export function rowSum(rows: { readonly read: number }, options: SumOptions): string {
  const { read, ...outcomes } = rows;
  const known = nonZeroCounts(outcomes, FIRST_OUTCOMES);
  const summands = [
    ...known.filter(([name]) => !LAST_OUTCOMES.includes(name)),
    ...known.filter(([name]) => LAST_OUTCOMES.includes(name)),
  ];
  const missing = read - sumOf(summands.map(([, count]) => count));
  const words = summands.map(([name, count]) => `${formatNumber(count)} ${outcomeWord(name, options)}`);
  const mismatch =
    missing === 0
      ? ''
      : ` (does not add up: ${formatNumber(Math.abs(missing))} ${missing > 0 ? 'missing' : 'too many'})`;
  return `${plural(read, 'row')} read${words.length > 0 ? ` = ${words.join(' + ')}` : ''}${mismatch}`;
}

interface SumOptions {
  readonly dryRun: boolean;
  /** Why rows were skipped. Undefined if there are several reasons. */
  readonly whySkipped?: string | undefined;
}

function outcomeWord(name: string, { dryRun, whySkipped }: SumOptions): string {
  if (name === 'skipped' && whySkipped !== undefined) {
    return `skipped (${whySkipped})`;
  }
  if (name === 'unsent') {
    return dryRun ? 'would be sent' : 'not sent';
  }
  return terminalSafe(name).replaceAll('_', ' ');
}
