import type { ConsentColumn } from '../consent-columns/detect.ts';
import type { DateStyle } from '../record/dates.ts';
import type { FullName } from '../record/full-name.ts';
import type { ColumnTarget, Dialect, Source, StatusReading, TableReading } from '../types.ts';

/** A column whose cells are sent under a key; `at` counts the input's own columns from 0. */
export interface KeyedColumn {
  readonly at: number;
  readonly header: string;
  readonly key: string;
}

/** Two or more columns of a table that would be sent under one key. */
export interface KeyCollision {
  readonly key: string;
  readonly columns: readonly KeyedColumn[];
}

/** A column whose cells are sent as one value of a topic. */
export interface TopicColumn {
  readonly at: number;
  readonly topic: string;
  readonly value: string;
}

/** Positions of the columns that have a role; -1 where there is none. */
export interface ColumnIndexes {
  readonly email: number;
  readonly first_name: number;
  readonly last_name: number;
  readonly name: number;
  readonly unsubscribed_at: number;
}

/** Positions of the columns that hold addresses, see `addressColumns`. */
export interface AddressColumns {
  /** In the order in which the address of a row is looked for. */
  readonly usable: readonly number[];
  readonly other: readonly number[];
}

/** One table and everything that was decided about its reading: keys are computed here, once per header. */
export interface Table {
  readonly source: Source;
  readonly platform: string;
  readonly dialect: Dialect;
  /** The file's name, or that of the original where this is a rejects file given back. */
  readonly name: string;
  /** Columns at the left that svc wrote (a rejects file given back); positions below don't count them. */
  readonly svcColumns: number;
  readonly header: readonly string[];
  /** Cells of a full row, without svc's own. */
  readonly width: number;
  readonly columns: readonly ColumnTarget[];
  readonly reading: TableReading;
  /** Columns beside the platform's own that can say who left (rule C10). */
  readonly consent: readonly ConsentColumn[];
  /** Positions of columns that may say it as well, for all that is known; empty where nobody will be asked. */
  readonly candidates: readonly number[];
  readonly places: ColumnIndexes;
  readonly addressColumns: AddressColumns;
  /** Positions of columns that hold an `@` in the first rows, where no column of addresses was found. */
  readonly holdingAt: readonly number[];
  readonly fullName: FullName | undefined;
  /** Columns whose cells may hold a list of values in quotes. */
  readonly quotedLists: readonly number[];
  readonly attributes: readonly KeyedColumn[];
  /** Attributes that share a key. */
  readonly clashes: readonly KeyCollision[];
  /** Columns that can't be sent under the key their header gives: empty or reserved (rules F3, F4). */
  readonly keyless: readonly KeyedColumn[];
  readonly topics: readonly TopicColumn[];
  /** Positions of every column whose text is sent. */
  readonly sent: readonly number[];
  readonly dateStyle: DateStyle;
  /** What a row without any state takes: the answer of --default-status, else `none`. */
  readonly stateless: StatusReading;
  /** What a blank state cell means; settled once the whole table was read. */
  readonly blank: StatusReading;
  /** The state of a row, every answer applied but the blank. `state` is the cell of svc_state, where there is one. */
  stateOf(cells: readonly string[], svcState: string): StatusReading;
}

/** The columns that svc puts before the input's own in a rejects file, in this order. */
export const SVC_COLUMNS = ['svc_file', 'svc_line', 'svc_column', 'svc_reason', 'svc_detail', 'svc_state'] as const;

/** Position of svc_state among them. */
export const SVC_STATE_AT = 5;

/** How many columns at the left of a header are svc's own: all of them in a rejects file given back, else none. */
export function countSvcColumns(header: readonly string[]): number {
  const own = SVC_COLUMNS.every((name, at) => header[at]?.trim() === name);
  return own ? SVC_COLUMNS.length : 0;
}
