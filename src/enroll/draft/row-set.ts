import { type BitSet, createBitSet } from '../../base/lib/bit-set.ts';
import type { RowPosition } from '../../base/lib/rows.ts';

/** A set of rows as plain data, so that run.db can hold it: each input, and its lines as a bit set in base64. */
export type RecordedRows = readonly (readonly [source: number, lines: string])[];

/** A set of rows of a list. It takes one bit for each line. */
export interface RowSet {
  readonly add: (row: RowPosition) => void;
  readonly has: (row: RowPosition) => boolean;
  /** The rows as plain data. */
  readonly record: () => RecordedRows;
}

/** Makes a set of rows, with the rows that another set recorded. */
export function createRowSet(recorded: RecordedRows = []): RowSet {
  const linesOf = new Map<number, BitSet>(
    recorded.map(([source, lines]) => [source, createBitSet(Buffer.from(lines, 'base64'))]),
  );
  return {
    add({ source, line }) {
      const lines = linesOf.get(source) ?? createBitSet();
      lines.add(line);
      linesOf.set(source, lines);
    },
    has: ({ source, line }) => linesOf.get(source)?.has(line) === true,
    record: () => [...linesOf].map(([source, lines]) => [source, Buffer.from(lines.bytes()).toString('base64')]),
  };
}
