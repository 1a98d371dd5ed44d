import type { Journal } from '../../runs/store/journal.ts';

/** The rows that the service refused on their own, and which are therefore rightly not in the audience. */
export function refusedRows(journal: Journal): ReadonlySet<string> {
  return new Set([...journal.units.failures()].map(rowKey));
}

/** Names a row of the inputs. */
export function rowKey(row: { readonly source: number; readonly line: number }): string {
  return `${row.source}:${row.line}`;
}
