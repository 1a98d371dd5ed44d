import { type ColumnTarget, STATE_COLUMN_KINDS, type TableReading } from '../../platforms/lib/platform.ts';
import type { StatusReading } from '../../platforms/lib/states.ts';
import type { ConsentColumn } from '../consent-columns/find-consent-columns.ts';
import type { ColumnStatements } from '../consent-columns/several-columns/contradictions.ts';
import type { TopicChoice } from '../consent-columns/topics/topic-choice.ts';
import type { Dialect } from '../dialect/detect-dialect.ts';
import type { TableSource } from '../source/source.ts';
import type { DateStyle } from '../values/dates.ts';
import type { AddressColumns } from './address-columns.ts';
import type { CheckedAnswers } from './answers/answer-lookup.ts';
import type { FullNameColumn, LaterRows, PossibleLabels } from './table-shape.ts';

/** A column that is sent as an attribute. `index` counts from 0, after the columns that svc wrote. */
export interface KeyedColumn {
  readonly index: number;
  readonly header: string;
  readonly key: string;
}

/** Columns of a table that have the same attribute key. */
export interface KeyCollision {
  readonly key: string;
  readonly columns: readonly KeyedColumn[];
}

/** A column that assigns people to a topic, and the value that is sent for it. */
export interface TopicColumn {
  readonly index: number;
  readonly topic: string;
  readonly value: string;
  /** What a cell of the column says about the topic. */
  choiceOf(cell: string): TopicChoice;
}

/** The index of the column for each field; -1 if there is none. */
export interface ColumnIndexes {
  readonly email: number;
  readonly first_name: number;
  readonly last_name: number;
  readonly name: number;
  readonly unsubscribed_at: number;
}

/** A table, and all decisions about how svc reads it. */
export interface Table {
  readonly source: TableSource;
  readonly platform: string;
  readonly dialect: Dialect;
  /** The file name. For a rejects file it is the name of the original input. */
  readonly name: string;
  /** The number of columns that svc wrote at the left of a rejects file. All other indexes start after them. */
  readonly svcColumns: number;
  readonly header: readonly string[];
  /** How many of the rows directly below the header belong to it, such as a row of questions. */
  readonly secondLines: number;
  /** The columns that may have labels for groups of rows, such as `Unsubscribed`. */
  readonly labelColumns: readonly PossibleLabels[];
  /** The number of cells in a complete row, without the columns that svc wrote. */
  readonly width: number;
  /** The indexes of columns that are blank in the sampled rows. */
  readonly blankColumns: readonly number[];
  /**
   * Further rows, below the sampled first rows. svc also used them to decide how to read the table, because they fill
   * columns that are blank in the first rows.
   */
  readonly laterRows: LaterRows;
  readonly columns: readonly ColumnTarget[];
  /** The indexes of the columns that `--map` names. */
  readonly namedByMap: readonly number[];
  readonly reading: TableReading;
  /** The consent columns, except those that the platform reads itself (C10). */
  readonly consentColumns: readonly ConsentColumn[];
  /** The indexes of the consent columns that each stand for one list. */
  readonly listColumns: ReadonlySet<number>;
  /** The indexes of columns such as `Consent valid until`, without those that `--map` names. */
  readonly endsOfConsent: readonly number[];
  /** The indexes of columns about something else. svc asks about an opt-out word in them (C10). */
  readonly otherColumns: ReadonlySet<number>;
  /** The indexes of the columns among `otherColumns` in which svc reads every cell. */
  readonly fullyReadColumns: ReadonlySet<number>;
  /** The indexes of the columns among `otherColumns` that contain names of people. */
  readonly nameColumns: ReadonlySet<number>;
  /** The indexes of columns that say something about the state only by answers of the user. */
  readonly answeredColumns: ReadonlySet<number>;
  /** The indexes of the columns from which the platform reads the state. Undefined if it may read any. */
  readonly stateColumns: readonly number[] | undefined;
  /**
   * The indexes of columns about something else in which all cells of the first rows say subscribed. They subscribe no
   * person. But if such a cell contradicts a column of one list, svc asks about the row.
   */
  readonly subscribedColumns: readonly number[];
  /** The indexes of further columns that may contain a status. Empty if --reason answers for each row. */
  readonly statusCandidates: readonly number[];
  readonly columnIndexes: ColumnIndexes;
  readonly addressColumns: AddressColumns;
  /** The indexes of columns that may be the address column, if svc found none. Otherwise empty. */
  readonly addressCandidates: readonly number[];
  /** True for lines of text without columns and without a header, such as `ana@example.com (left)`. */
  readonly isText: boolean;
  readonly fullName: FullNameColumn | undefined;
  /** The indexes of columns whose cells may be a list of values in quotes. */
  readonly quotedLists: readonly number[];
  readonly attributes: readonly KeyedColumn[];
  readonly collisions: readonly KeyCollision[];
  /** Columns that can't be sent, because no valid attribute key can be made from their header (F3, F4). */
  readonly keylessColumns: readonly KeyedColumn[];
  readonly topics: readonly TopicColumn[];
  /** The indexes of all columns whose text is sent. */
  readonly sentColumns: readonly number[];
  readonly dateStyle: DateStyle;
  /** The answers for all people of a domain: `@example.org=skip`. An answer counts only if it keeps mail away. */
  readonly domains: ReadonlyMap<string, StatusReading>;
  /** The user's answers that count for this input. */
  readonly answers: Pick<CheckedAnswers, 'maps' | 'words' | 'allowed' | 'states' | 'unknownWordAnswer' | 'savedForAll'>;
  /** The name by which an answer means only this input. Undefined if it is the only input. */
  readonly answeredAs?: string | undefined;
  /** The indexes of columns in which most filled cells of the first rows are a yes or a no. */
  readonly answerColumns: ReadonlySet<number>;
  /** The state of rows that have none: the answer of `--default-status`, otherwise `none`. */
  readonly withoutStatus: StatusReading;
  /** True if an answer of `--default-status` names this input: `list.csv=subscribed`, and not just `subscribed`. */
  readonly isDefaultNamed: boolean;
  /** True if `reading.suggestedState` comes from a title that may mean other people, such as `all except bounced`. */
  readonly hasUnclearTitle: boolean;
  /**
   * The ordinary rows of subscribed people: a bit set of row numbers, which count from 0. Undefined until the first
   * read of the table has ended.
   */
  readonly subscribedRows?: Uint8Array | undefined;
  /** The meaning of a blank status cell. It can still change until the first read of the table has ended. */
  readonly blankStatus: StatusReading;
  /**
   * The line of a second header in the middle of the table, which names other columns. The rows below it are rejected,
   * because their cells belong to those columns. Undefined if there is no such header, or if the first read has not
   * reached it.
   */
  readonly otherHeaderLine?: number | undefined;
  /** The state that a row would have without `--reason`. Undefined if the flag is not given. */
  readonly stateBesideReason?: ((cells: readonly string[]) => StatusReading) | undefined;
  /** True if an answer for `word`, without a column, counts for this cell of the column with this index. */
  readsAnswer(index: number, cell: string, word: string): boolean;
  /** What each consent column says about a row, taken alone. svc uses it to find columns that contradict each other. */
  readonly statements: ColumnStatements;
  /**
   * The state of a row. A blank status is returned as `unknown: ''`; `effectiveReading` replaces it. `svcState` is the
   * cell of the row in the column svc_state, or empty.
   */
  stateOf(cells: readonly string[], svcState: string): StatusReading;
}

/** The columns that svc puts at the left of a rejects file, in this order. */
export const SVC_COLUMNS = ['svc_file', 'svc_line', 'svc_column', 'svc_reason', 'svc_detail', 'svc_state'] as const;

export const SVC_COLUMN_INDEX = 2;

export const SVC_REASON_INDEX = 3;

export const SVC_DETAIL_INDEX = 4;

export const SVC_STATE_INDEX = 5;

/** The reason for the rejection of a row below a second header that names other columns. */
export const BELOW_OTHER_HEADER = 'below_other_header';

/** How many columns at the left of a table svc wrote: all of `SVC_COLUMNS` in a rejects file, 0 in any other file. */
export function countSvcColumns(header: readonly string[]): number {
  const hasSvcColumns = SVC_COLUMNS.every((name, index) => header[index]?.trim() === name);
  return hasSvcColumns ? SVC_COLUMNS.length : 0;
}

/** The indexes of the columns with a status, in order: those by their kind, and consent columns with states. */
export function statusColumns({ columns, consentColumns }: Pick<Table, 'columns' | 'consentColumns'>): number[] {
  const withStates = new Set(consentColumns.filter(({ holdsStates }) => holdsStates).map(({ index }) => index));
  return columns.flatMap(({ kind }, index) => (STATE_COLUMN_KINDS.has(kind) || withStates.has(index) ? [index] : []));
}
