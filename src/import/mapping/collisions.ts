import type { RowPosition } from '../../base/lib/rows.ts';
import type { KeyCollision, KeyedColumn } from './table.ts';

/** The values of one row in columns that share an attribute key. The keys of the record are attribute keys. */
export type CollidingValues = Readonly<Record<string, readonly string[]>>;

/** Different values for one attribute key in the rows of one person. `line` is the line of the person's last row. */
export interface PersonCollision extends RowPosition {
  readonly key: string;
  readonly values: readonly string[];
}

/** Finds attribute keys that several columns share. */
export function collisionsOf(columns: readonly KeyedColumn[]): KeyCollision[] {
  return [...Map.groupBy(columns, ({ key }) => key)]
    .filter(([, same]) => same.length > 1)
    .map(([key, same]) => ({ key, columns: same }));
}

export function collidingValuesOf({ columns }: KeyCollision, cells: readonly string[]): string[] {
  return columns.map(({ index }) => cells[index] ?? '');
}

/** The different values without blanks. Empty if there is only one, because then nothing conflicts. */
export function differentValues(values: readonly string[]): readonly string[] {
  const different = new Set(values.filter((value) => value !== ''));
  return different.size > 1 ? [...different] : [];
}

/**
 * The values of one person in one input, by attribute key. `merged` has one value for each column: the last that is not
 * blank. `isReported` is true if a single row had different values, because svc then reports this row.
 */
interface SourceValues {
  line: number;
  readonly keys: Map<string, { isReported: boolean; merged: readonly string[] }>;
}

/** Collects the values of one person, row by row, for attribute keys that several columns share. */
interface PersonCollisions {
  add(row: StagedCollisions): void;
  /**
   * The keys whose columns have different values after all rows were merged. Keys that svc reported for a single row
   * are left out.
   */
  found(): PersonCollision[];
}

/** An empty collector for one person. */
export function createCollisionCollector(): PersonCollisions {
  const sources = new Map<number, SourceValues>();
  return {
    add({ row, payload }) {
      const earlier = sources.get(row.source);
      if (earlier) {
        earlier.line = row.line;
        earlier.keys.forEach((key, name) => addValues(key, payload.collisions?.[name] ?? []));
        return;
      }
      const keys = Object.entries(payload.collisions ?? {}).map(
        ([key, values]) => [key, { isReported: differentValues(values).length > 0, merged: values }] as const,
      );
      sources.set(row.source, { line: row.line, keys: new Map(keys) });
    },
    found: () =>
      [...sources].flatMap(([source, { line, keys }]) =>
        [...keys].flatMap(([key, { isReported, merged }]) => {
          const values = isReported ? [] : differentValues(merged);
          return values.length > 0 ? [{ source, line, key, values }] : [];
        }),
      ),
  };
}

interface StagedCollisions {
  readonly row: RowPosition;
  readonly payload: { readonly collisions?: CollidingValues | undefined };
}

function addValues(key: { isReported: boolean; merged: readonly string[] }, values: readonly string[]): void {
  key.isReported ||= differentValues(values).length > 0;
  key.merged = key.merged.map((value, index) => values[index] || value);
}
