import type { Clash, KeyedColumn } from './table.ts';

/** What a row has in columns that share a key, by that key. */
export type Clashing = Readonly<Record<string, readonly string[]>>;

/** Different values that the rows of one person hold for one key; `line` is the last of these rows. */
export interface PersonClash {
  readonly source: number;
  readonly line: number;
  readonly key: string;
  readonly values: readonly string[];
}

/** The columns that share a key, key by key. */
export function clashesOf(columns: readonly KeyedColumn[]): Clash[] {
  return [...Map.groupBy(columns, ({ key }) => key)]
    .filter(([, same]) => same.length > 1)
    .map(([key, same]) => ({ key, columns: same }));
}

/** What a row has in the columns of a clash, in their order. */
export function valuesOf({ columns }: Clash, cells: readonly string[]): string[] {
  return columns.map(({ at }) => cells[at] ?? '');
}

/** The different values among these, blanks apart; one of them at most can be sent. */
export function differing(values: readonly string[]): readonly string[] {
  const different = new Set(values.filter((value) => value !== ''));
  return different.size > 1 ? [...different] : [];
}

/**
 * Keys for which the rows of one person say different things in different columns when they are put together as the fold
 * does, column by column; those that a single row shows by itself are left out, because they were seen there.
 */
export function clashesBetween(rows: readonly KeptClashes[]): PersonClash[] {
  const tables = Map.groupBy(rows, ({ row }) => row.source);
  return [...tables.values()].flatMap((own) =>
    Object.keys(own[0]?.payload.clashes ?? {}).flatMap((key) => clashBetween(own, key)),
  );
}

interface KeptClashes {
  readonly row: { readonly source: number; readonly line: number };
  readonly payload: { readonly clashes?: Clashing | undefined };
}

function clashBetween(rows: readonly KeptClashes[], key: string): PersonClash[] {
  const said = rows.map(({ payload }) => payload.clashes?.[key] ?? []);
  const seen = said.some((values) => differing(values).length > 0);
  const together = said.reduce((one, next) => one.map((value, column) => next[column] || value));
  const values = seen ? [] : differing(together);
  const { source, line } = (rows.at(-1) as KeptClashes).row;
  return values.length > 0 ? [{ source, line, key, values }] : [];
}
