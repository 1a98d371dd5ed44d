import type { SQLInputValue } from 'node:sqlite';
import type { Store } from './store.ts';

// Functions for tables with a column `seq`. Names of tables and columns come only from this program, so they need no
// escapes.

/**
 * Which rows a list request asks for: at most `limit` rows, with row numbers below `before`. Lists are newest first.
 */
export interface PageRequest {
  readonly limit: number;
  readonly before: number;
}

/** A page request for all rows. */
export const ALL_ROWS: PageRequest = { limit: 10_000_000, before: Number.MAX_SAFE_INTEGER };

/**
 * Stores a row and returns its number. The fields of `row` are named like the columns. Columns without a field get
 * their defaults.
 */
export function insertRow<Row extends object>(store: Store, table: string, row: Partial<Row>): number {
  const columns = Object.keys(row);
  const sql = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
  return store.run(sql, ...valuesOf(row)).id;
}

/** Writes these columns of a row. */
export function updateRow<Row extends object>(store: Store, table: string, seq: number, changes: Partial<Row>): void {
  store.run(`update ${table} set ${equations(changes).join(', ')} where seq = ?`, ...valuesOf(changes), seq);
}

/** The row whose columns have these values. Undefined if there is none. */
export function findRow<Row extends object>(store: Store, table: string, wanted: Partial<Row>): Row | undefined {
  return store.get<Row>(`select * from ${table} where ${equations(wanted).join(' and ')}`, ...valuesOf(wanted));
}

/**
 * A page of the rows whose columns have these values, newest first. Reads one row more than the limit, so that the
 * caller sees whether a further page follows.
 */
export function listPage<Row extends object>(
  store: Store,
  table: string,
  wanted: Partial<Row>,
  page: PageRequest,
): Row[] {
  const sql = `select * from ${table} where ${equations(wanted).join(' and ')} and seq < ? order by seq desc limit ?`;
  return store.all<Row>(sql, ...valuesOf(wanted), page.before, page.limit + 1);
}

function equations(columns: object): string[] {
  return Object.keys(columns).map((column) => `${column} = ?`);
}

function valuesOf(columns: object): SQLInputValue[] {
  return Object.values(columns);
}
