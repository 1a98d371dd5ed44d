import { safe } from '../../base/lib/text.ts';
import { byCount, countLines } from '../text/block.ts';
import type { Style } from '../text/style.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['pending', 'never confirmed'],
  ['unknown_status', 'status unknown'],
  ['no_status', 'no status'],
  ['by_request', 'by your answer'],
  ['contact', 'contacts, which this command does not write'],
  ['no_consent', 'never agreed'],
  ['soft_bounce', 'soft bounce or block, and nothing else is known'],
  ['enrolled_before', 'enrolled, or perhaps enrolled, by an earlier run'],
  ['invalid', 'invalid address according to the old platform'],
]);

/** The reasons for skipped rows in words, the most frequent first. */
export function skippedWords(skipped: Readonly<Record<string, number>>): [number, string][] {
  return byCount(skipped).map(([reason, count]) => [count, REASONS.get(reason) ?? safe(reason).replaceAll('_', ' ')]);
}

/** Rows that are not sent, with the reason. */
export function skippedLines({ skipped, rows }: UnsentRows, style: Style): string[] {
  const others: [number, string][] = [
    [rows.merged, 'merged into another row of the same person'],
    [rows.rejected, 'rejected: left out, and kept in a file to be corrected'],
  ];
  return countLines([...skippedWords(skipped), ...others], style);
}

interface UnsentRows {
  readonly skipped: Readonly<Record<string, number>>;
  readonly rows: { readonly merged: number; readonly rejected: number };
}
