import type { MapAnswer } from '../mapping/answers.ts';
import type { AddressColumns, Table } from '../mapping/table.ts';
import type { ColumnTarget } from '../types.ts';
import { plainAddress, readAddress } from './address.ts';
import { namedAddresses } from './named-addresses.ts';

/** Where the address of one row is, and the addresses in its other columns of addresses. */
export interface AddressPlace {
  /** Position of the column; -1 where the table has none. */
  readonly at: number;
  readonly cell: string;
  /** These share the state of the row, and are not written (rule C9). */
  readonly beside: readonly string[];
}

/**
 * The columns of addresses of a table. The address of a row is in those that --map named, in the order of the flags; else
 * in the platform's own, then in the others from the left. The rest are only read for people who left.
 */
export function addressColumns(
  columns: readonly ColumnTarget[],
  named: ReadonlyMap<number, MapAnswer>,
): AddressColumns {
  const asked = [...named].flatMap(([at, { target }]) => (target.kind === 'email' ? [at] : []));
  const own = positions(columns, 'email');
  const other = positions(columns, 'other_email');
  return asked.length > 0 ? { usable: asked, other } : { usable: [...own, ...other], other: [] };
}

function positions(columns: readonly ColumnTarget[], kind: ColumnTarget['kind']): number[] {
  return columns.flatMap((target, at) => (target.kind === kind ? [at] : []));
}

/** The first column of a row that holds a usable address; else the first that holds anything. */
export function findAddress(
  table: Pick<Table, 'addressColumns'>,
  cells: readonly string[],
): Omit<AddressPlace, 'cell'> {
  const { usable, other } = table.addressColumns;
  if (usable.length + other.length <= 1) {
    return { at: usable[0] ?? -1, beside: NONE };
  }
  const at =
    usable.find((column) => isUsable(cells[column] ?? '')) ??
    usable.find((column) => (cells[column] ?? '').trim() !== '') ??
    (usable[0] as number);
  const beside = [...usable, ...other].filter((column) => column !== at && (cells[column] ?? '') !== '');
  return {
    at,
    beside: beside.length === 0 ? NONE : beside.flatMap((column) => namedAddresses(cells[column] as string)),
  };
}

const NONE: readonly string[] = [];

function isUsable(cell: string): boolean {
  return plainAddress(cell) !== undefined || readAddress(cell, true).problem === undefined;
}
