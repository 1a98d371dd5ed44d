import { safe } from '../base/text.ts';
import { countLines } from './block.ts';
import { byCount } from './counts.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['pending', 'never confirmed (pending)'],
  ['no_consent', 'never agreed (no_consent)'],
  ['soft_bounce', 'soft bounce or block, and nothing else is known (soft_bounce)'],
  ['invalid', 'invalid address according to the old platform (invalid)'],
]);

/** Why rows were skipped, in words, the most frequent reason first. */
export function skippedWords(skipped: Readonly<Record<string, number>>): [number, string][] {
  return byCount(skipped).map(([reason, count]) => [count, REASONS.get(reason) ?? safe(reason)]);
}

/** Rows that are not sent, and why. */
export function skippedLines(meta: {
  readonly skipped: Readonly<Record<string, number>>;
  readonly rows: { readonly merged: number; readonly rejected: number };
}): string[] {
  return countLines([
    ...skippedWords(meta.skipped),
    [meta.rows.merged, 'merged into another row of the same person'],
    [meta.rows.rejected, 'rejected: they go to a file of their own, to be mended'],
  ]);
}
