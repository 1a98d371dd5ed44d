import type { ColumnTarget, TableReading } from '../../platforms/lib/platform.ts';
import type { StatusReading } from '../../platforms/lib/states.ts';
import type { ConsentColumn } from '../consent-columns/find-consent-columns.ts';
import type { Dialect } from '../dialect/detect-dialect.ts';
import type { DateStyle } from '../record/dates.ts';
import type { FullName } from '../record/full-name.ts';
import type { Source } from '../source/source.ts';
import type { FoundColumn } from './found-addresses.ts';

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

export interface TopicColumn {
  readonly at: number;
  readonly topic: string;
  readonly value: string;
}

/** The indexes of columns with a role; -1 if there is none. */
export interface ColumnIndexes {
  readonly email: number;
  readonly first_name: number;
  readonly last_name: number;
  readonly name: number;
  readonly unsubscribed_at: number;
}

export interface AddressColumns {
  /** Columns in the order in which svc looks for the address of a row. */
  readonly usable: readonly number[];
  readonly other: readonly number[];
  /** Columns that are not read as addresses of contacts. An opt-out holds for their addresses, too. */
  readonly kept: readonly number[];
  /** Columns that hold addresses without an address header. */
  readonly found: readonly FoundColumn[];
}

/** One table and all decisions about its reading. Keys are computed here, once per header. */
export interface Table {
  readonly source: Source;
  readonly platform: string;
  readonly dialect: Dialect;
  /** The file name; for a rejects file that is imported again, the name of the original. */
  readonly name: string;
  /** The number of columns that svc wrote at the left of a rejects file. Column indexes don't count them. */
  readonly svcColumns: number;
  readonly header: readonly string[];
  /** Number of rows right below the header that explain it. */
  readonly secondLines: number;
  /** True if the first column labels groups of rows. See `hasMergedLabels`. */
  readonly hasRowLabels: boolean;
  /** Number of cells in a full row, without svc's own columns. */
  readonly width: number;
  readonly columns: readonly ColumnTarget[];
  readonly reading: TableReading;
  /** Columns that may hold an opt-out, besides the platform's own (rule C10). */
  readonly consent: readonly ConsentColumn[];
  /** Indexes of columns about something else, in which an opt-out word is a question (rule C10). */
  readonly otherColumns: ReadonlySet<number>;
  /** Indexes of the columns of `otherColumns` that hold names of people. */
  readonly nameColumns: ReadonlySet<number>;
  /**
   * Indexes of columns that always count for a state: those of the platform's rule, and addresses. Undefined if any
   * column may count.
   */
  readonly stateColumns: readonly number[] | undefined;
  /** Indexes of further columns that may hold a status. Empty if --reason answers for each row. */
  readonly candidates: readonly number[];
  readonly columnIndexes: ColumnIndexes;
  readonly addressColumns: AddressColumns;
  /** Indexes of columns with an `@` in the first rows, if no address column was found. */
  readonly addressCandidates: readonly number[];
  readonly fullName: FullName | undefined;
  /** Columns whose cells may hold a list of values in quotes. */
  readonly quotedLists: readonly number[];
  readonly attributes: readonly KeyedColumn[];
  readonly collisions: readonly KeyCollision[];
  /** Columns that can't be sent under the key of their header, because it is empty or reserved (rules F3, F4). */
  readonly keyless: readonly KeyedColumn[];
  readonly topics: readonly TopicColumn[];
  /** Indexes of all columns whose text is sent. */
  readonly sent: readonly number[];
  readonly dateStyle: DateStyle;
  /** The answers about all people of a domain. They only keep mail away. */
  readonly domains: ReadonlyMap<string, StatusReading>;
  /** Indexes of the columns that mostly hold a yes or a no in the first rows. */
  readonly answerColumns: ReadonlySet<number>;
  /** The default status, for rows without any state: the answer of --default-status, else `none`. */
  readonly withoutStatus: StatusReading;
  /** True if --default-status names this input. False if its answer is for all inputs. */
  readonly isDefaultNamed: boolean;
  /** The meaning of a blank status cell; final once the whole table was read. */
  readonly blank: StatusReading;
  /** The state of a row with all answers but the one for blanks. `svcState` is the svc_state cell, if any. */
  stateOf(cells: readonly string[], svcState: string): StatusReading;
}

/** The kinds of columns that decide if a person gets mail. */
export const STATE_KINDS: ReadonlySet<ColumnTarget['kind']> = new Set([
  'status',
  'reason',
  'state_part',
  'unsubscribed_at',
]);

export const ADDRESS_KINDS: ReadonlySet<ColumnTarget['kind'] | undefined> = new Set(['email', 'other_email'] as const);

/** The columns that svc puts before the input's own in a rejects file, in this order. */
export const SVC_COLUMNS = ['svc_file', 'svc_line', 'svc_column', 'svc_reason', 'svc_detail', 'svc_state'] as const;

export const SVC_STATE_AT = 5;

/** The number of svc's own columns at the left of a header: all of them in a rejects file, else none. */
export function countSvcColumns(header: readonly string[]): number {
  const own = SVC_COLUMNS.every((name, at) => header[at]?.trim() === name);
  return own ? SVC_COLUMNS.length : 0;
}
