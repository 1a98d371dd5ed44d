import { usualWidth } from './delimiter.ts';
import { isAddress, namesAddresses } from './looks.ts';
import type { RawRow } from './types.ts';

/**
 * Finds the header among the first rows, past a preamble and `#` lines; undefined where the table starts with data. The
 * header stands before the first row that holds an address.
 */
export function findHeader(rows: readonly RawRow[]): RawRow | undefined {
  const width = usualWidth(rows);
  const firstData = rows.findIndex(({ cells }) => cells.some(isAddress));
  const before = rows.slice(0, firstData === -1 ? undefined : firstData).filter((row) => !isComment(row, width));
  const candidates = width > 1 && before.some(({ cells }) => cells.length > 1) ? before.filter(isWide) : before;
  return (
    candidates.find(({ cells }) => cells.some(namesAddresses)) ??
    candidates.find(({ cells }) => cells.length === width) ??
    candidates[0]
  );
}

function isComment({ cells }: RawRow, width: number): boolean {
  return (cells[0] ?? '').startsWith('#') && (cells.length < width || width === 1);
}

function isWide({ cells }: RawRow): boolean {
  return cells.length > 1;
}
