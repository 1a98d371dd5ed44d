import type { KeyCollision, KeyedColumn } from './table.ts';

/** What a row has in columns that share a key, by that key. */
export type CollidingValues = Readonly<Record<string, readonly string[]>>;

/** Different values that the rows of one person hold for one key; `line` is the last of these rows. */
export interface PersonCollision {
  readonly source: number;
  readonly line: number;
  readonly key: string;
  readonly values: readonly string[];
}

/** The columns that share a key, key by key. */
export function collisionsOf(columns: readonly KeyedColumn[]): KeyCollision[] {
  return [...Map.groupBy(columns, ({ key }) => key)]
    .filter(([, same]) => same.length > 1)
    .map(([key, same]) => ({ key, columns: same }));
}

/** What a row has in the columns of a clash, in their order. */
export function valuesOf({ columns }: KeyCollision, cells: readonly string[]): string[] {
  return columns.map(({ at }) => cells[at] ?? '');
}

/** The different values among these, blanks apart; one of them at most can be sent. */
export function differing(values: readonly string[]): readonly string[] {
  const different = new Set(values.filter((value) => value !== ''));
  return different.size > 1 ? [...different] : [];
}

/** What the rows of one person and one input say for each key, column by column. */
interface Said {
  line: number;
  readonly keys: Map<string, { seen: boolean; together: readonly string[] }>;
}

/** Collects what the rows of one person hold for keys that several columns share, one row after the other. */
export interface PersonCollisions {
  add(row: KeptClashes): void;
  /**
   * Keys for which the rows say different things in different columns when they are put together as the fold does, column
   * by column; those that a single row shows by itself are left out, because they were seen there.
   */
  found(): PersonCollision[];
}

export function collectCollisions(): PersonCollisions {
  const sources = new Map<number, Said>();
  return {
    add({ row, payload }) {
      const said = sources.get(row.source);
      if (said) {
        said.line = row.line;
        said.keys.forEach((key, name) => addValues(key, payload.clashes?.[name] ?? []));
        return;
      }
      const keys = Object.entries(payload.clashes ?? {}).map(
        ([key, values]) => [key, { seen: differing(values).length > 0, together: values }] as const,
      );
      sources.set(row.source, { line: row.line, keys: new Map(keys) });
    },
    found: () =>
      [...sources].flatMap(([source, { line, keys }]) =>
        [...keys].flatMap(([key, { seen, together }]) => {
          const values = seen ? [] : differing(together);
          return values.length > 0 ? [{ source, line, key, values }] : [];
        }),
      ),
  };
}

interface KeptClashes {
  readonly row: { readonly source: number; readonly line: number };
  readonly payload: { readonly clashes?: CollidingValues | undefined };
}

function addValues(key: { seen: boolean; together: readonly string[] }, values: readonly string[]): void {
  key.seen ||= differing(values).length > 0;
  key.together = key.together.map((value, column) => values[column] || value);
}
