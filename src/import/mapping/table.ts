import type { ColumnTarget, TableReading } from '../../platforms/lib/platform.ts';
import type { StatusReading } from '../../platforms/lib/states.ts';
import type { ConsentColumn } from '../consent-columns/find-consent-columns.ts';
import type { Dialect } from '../dialect/detect-dialect.ts';
import type { DateStyle } from '../record/dates.ts';
import type { FullName } from '../record/full-name.ts';
import type { Source } from '../source/source.ts';
import type { FoundAddressColumn } from './found-addresses.ts';
import type { Answers } from './reading-answers.ts';

/** A column that is sent as an attribute under a key. `at` is its index, without the columns that svc wrote. */
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

/** A column that assigns people to a topic, with the value that is sent for them. */
export interface TopicColumn {
  readonly at: number;
  readonly topic: string;
  readonly value: string;
}

/** The index of the column for each field. -1 if there is none. */
export interface ColumnIndexes {
  readonly email: number;
  readonly first_name: number;
  readonly last_name: number;
  readonly name: number;
  readonly unsubscribed_at: number;
}

/** The indexes of columns with addresses. */
export interface AddressColumns {
  /** Columns in the order in which svc looks for the address of a row. */
  readonly usable: readonly number[];
  readonly other: readonly number[];
  /** Columns that are sent as attributes. An opt-out in their row counts for their addresses too. */
  readonly kept: readonly number[];
  /** Columns with addresses that nothing names as such. */
  readonly found: readonly FoundAddressColumn[];
}

/** A table, and all decisions about how it is read. */
export interface Table {
  readonly source: Source;
  readonly platform: string;
  readonly dialect: Dialect;
  /** The file name. For a rejects file it is the name of the original input. */
  readonly name: string;
  /** The number of columns that svc wrote at the left of a rejects file. Other indexes don't count them. */
  readonly svcColumns: number;
  readonly header: readonly string[];
  /** The number of rows right below the header that belong to the header. */
  readonly secondLines: number;
  /** True if the first column has labels for groups of rows: then a blank cell means the same as the cell above it. */
  readonly hasRowLabels: boolean;
  /** The number of cells in a complete row, without the columns that svc wrote. */
  readonly width: number;
  readonly columns: readonly ColumnTarget[];
  readonly reading: TableReading;
  /** The consent columns, besides the columns that the platform reads itself (rule C10). */
  readonly consentColumns: readonly ConsentColumn[];
  /** The indexes of columns about something else. svc asks about an opt-out word in them (rule C10). */
  readonly otherColumns: ReadonlySet<number>;
  /** The indexes of the columns among `otherColumns` that contain names of people. */
  readonly nameColumns: ReadonlySet<number>;
  /** The indexes of columns that the platform reads for the state. Undefined if any column may count. */
  readonly stateColumns: readonly number[] | undefined;
  /** The indexes of further columns that may contain a status. Empty if --reason answers for each row. */
  readonly statusCandidates: readonly number[];
  readonly columnIndexes: ColumnIndexes;
  readonly addressColumns: AddressColumns;
  /** If no address column was found: the indexes of columns that may be one. Otherwise empty. */
  readonly addressCandidates: readonly number[];
  readonly fullName: FullName | undefined;
  /** The indexes of columns whose cells may be a list of values in quotes. */
  readonly quotedLists: readonly number[];
  readonly attributes: readonly KeyedColumn[];
  readonly collisions: readonly KeyCollision[];
  /** Columns that can't be sent, because the key of their header is empty or reserved (rules F3, F4). */
  readonly keylessColumns: readonly KeyedColumn[];
  readonly topics: readonly TopicColumn[];
  /** The indexes of all columns whose text is sent. */
  readonly sentColumns: readonly number[];
  readonly dateStyle: DateStyle;
  /** The state for all people of a domain. It can only keep mail away. */
  readonly domains: ReadonlyMap<string, StatusReading>;
  /** The answers for status words. */
  readonly answers: Pick<Answers, 'states' | 'otherWords'>;
  /** The indexes of columns in which most filled cells of the first rows are a yes or a no. */
  readonly answerColumns: ReadonlySet<number>;
  /** The state of rows without any state: the answer of --default-status, else `none`. */
  readonly withoutStatus: StatusReading;
  /** True if an answer of --default-status names this input, and not only all inputs. */
  readonly isDefaultNamed: boolean;
  /** The meaning of a blank status cell. It can change until the whole table was read. */
  readonly blankStatus: StatusReading;
  /** The state of a row. `blankStatus` is not applied yet. `svcState` is the cell of the column svc_state, or empty. */
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

/** The index of svc_state among them. */
export const SVC_STATE_AT = 5;

/** The number of svc's own columns at the left of a header: all of them in a rejects file, else none. */
export function countSvcColumns(header: readonly string[]): number {
  const own = SVC_COLUMNS.every((name, at) => header[at]?.trim() === name);
  return own ? SVC_COLUMNS.length : 0;
}
