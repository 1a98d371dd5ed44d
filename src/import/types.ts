import type { BatchContact, Timestamp } from '../wire/shapes.ts';
import type { SuppressionReason } from '../wire/words.ts';
import type { Quoting } from './dialect/quoting/quoting.ts';

/** One table to read: a file or one entry of an archive. A run reads its own copy of them. */
export interface Source {
  /** Position among all sources, from 0; the order decides which of two equal states comes first. */
  readonly index: number;
  /** As the user gave it. */
  readonly path: string;
  /** Name of the entry, where the path is an archive. */
  readonly entry: string | undefined;
  /** Base name without .gz, by which platforms recognise their files: `unsubscribed_email_audience_export_1a2b.csv`. */
  readonly name: string;
  /** Entries of the same archive that are not read, though they may be lists. */
  readonly unread?: readonly string[];
  /** Decompressed size in bytes where it is known beforehand; for progress only. */
  readonly size: number | undefined;
  /** The bytes, decompressed; each call reads from the start. */
  bytes(): AsyncIterable<Buffer>;
}

/** How a table is written, found out by looking at its beginning and never by asking. */
export interface Dialect {
  /** iconv name, lower-case: `utf-8`, `utf-16-le`, `windows-1252`, `macintosh`… */
  readonly encoding: string;
  readonly bom: boolean;
  /** `undefined`: a single column. */
  readonly delimiter: string | undefined;
  /** Where cells are not quoted as RFC 4180 says, or where the user said how they are. */
  readonly quoting?: Quoting | undefined;
  /** True when a first line `sep=;` named the delimiter. */
  readonly sepLine: boolean;
  /** Physical line of the header, from 1; 0 where the table has none. */
  readonly headerLine: number;
  /** Cells of the header as written; empty where the table has none. */
  readonly header: readonly string[];
}

/** Something wrong with one row. `column` is the header as written, `detail` shows the value. */
export interface RowProblem {
  readonly reason: string;
  readonly column: string;
  readonly detail: string;
}

/** A row as parsed. Cells beyond the header stay where they are; nothing is ever shifted. */
export interface RawRow {
  /** Physical line of the file on which the row starts, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** What the parser found wrong (text after a closing quote, a bad byte…). */
  readonly problem: RowProblem | undefined;
  /** The row's text as in the file, without its line ending; only when asked for. */
  readonly raw: string | undefined;
  /** True where some cell holds a NUL or half a character; told here because text is looked over much faster in bulk. */
  readonly broken?: true | undefined;
}

/** What a cell becomes. */
export type ColumnTarget =
  | {
      readonly kind: 'email' | 'first_name' | 'last_name' | 'name' | 'status' | 'unsubscribed_at' | 'reason' | 'ignore';
    }
  /** One more column of addresses: used where the first has none, and not sent as a value. */
  | { readonly kind: 'other_email' }
  /** Read by the platform's own state rule, and not sent. */
  | { readonly kind: 'state_part' }
  | { readonly kind: 'attribute'; readonly key: string }
  | { readonly kind: 'topic'; readonly topic: string }
  /** Made by svc for a rejects file. */
  | { readonly kind: 'svc'; readonly name: string };

/**
 * What the old platform says of a person. `suppressed` left everything; `unsubscribed` left this list; `skip` is not to
 * be mailed and not to be recorded; `none` says nothing.
 */
export type State =
  | 'complained'
  | 'bounced'
  | 'suppressed'
  | 'unsubscribed'
  | 'pending'
  | 'subscribed'
  | 'skip'
  | 'none';

/** A state as read from a row; `why` names the reason for a skip (`no_consent`, `soft_bounce`, `invalid`…). */
export interface StatusReading {
  readonly state: State;
  readonly why?: string | undefined;
  /** A word that isn't understood (rule C4); state is then `none` and the check `unknown_status` stops. */
  readonly unknown?: string | undefined;
  /** Position of the column that holds the unknown word, where one column does. */
  readonly at?: number | undefined;
  /** True for a no to mail: beside a state that keeps mail away it needs no answer. */
  readonly denies?: true | undefined;
  /** Unknown words of other columns of the same row. */
  readonly also?: readonly StatusReading[] | undefined;
  /** True where a cell agreed to mail, though that is no state: a blank beside it is asked about. */
  readonly said?: true | undefined;
}

/** What a platform module sees of a table before it decides. */
export interface TableShape {
  readonly path: string;
  readonly entry: string | undefined;
  readonly name: string;
  readonly dialect: Dialect;
  readonly header: readonly string[];
  /** A few first rows. */
  readonly sample: readonly (readonly string[])[];
}

/** How a platform reads one of its tables. */
export interface TableReading {
  /** One target per column of the header. */
  readonly columns: readonly ColumnTarget[];
  /** Where a state comes from, for people: `file name`, `column "Status"`; undefined: this table holds no state anywhere. */
  readonly stateFrom: string | undefined;
  /** The state of a row. */
  stateOf(cells: readonly string[]): StatusReading;
  /** Zone of dates without one; overridden by --timezone. */
  readonly timezone?: string | undefined;
  /** Order of the platform's dates, where known; overridden by --date-order. */
  readonly dateOrder?: DateOrder | undefined;
  /** Unix seconds or Excel serials are only read where a platform is known to write them (rule F9). */
  readonly dateForm?: 'unix' | 'excel' | undefined;
  /** The column by which the most engaged can be mailed first. */
  readonly engagement?: string | undefined;
  /** Consent columns that are not sent by default, named in the plan (rule C8). */
  readonly consentColumns?: readonly string[];
  /** The word a row's state comes from, so that --status-map can answer words this platform knows, too. */
  wordOf?(cells: readonly string[]): string | undefined;
  /** Headers that sound like consent and, on this platform, aren't about it. */
  readonly notConsent?: readonly string[];
  /** Words of this platform, for a column that --map names as the status. */
  readonly words?: ReadonlyMap<string, StatusReading>;
  /** False for rows whose date is not the date of their opt-out, though it is in that column. */
  datesOptOut?(cells: readonly string[]): boolean;
  /** Columns whose cells may hold a list of values in quotes: `"VIP","Blog, weekly"`. */
  readonly quotedLists?: readonly number[];
  /** What --default-status is offered with where this table holds no state, other than `subscribed`. */
  readonly offers?: State | undefined;
  /** True where people without any address are usual: their rows are skipped (`no_address`) rather than rejected. */
  readonly addressOptional?: boolean;
}

export type DateOrder = 'ymd' | 'dmy' | 'mdy';

/** A platform: one file in platforms/, listed in platforms/registry.ts. */
export interface Platform {
  readonly id: string;
  readonly title: string;
  /** How sure this platform is that the table is its own: 0 no, 1 to 100. `generic` answers 1. */
  recognise(shape: TableShape): number;
  read(shape: TableShape): TableReading;
  /** What a file of this name is written in where it isn't UTF-8; undefined where only its letters can tell. */
  legacyEncoding?(name: string): string | undefined;
}

/** Everything a user can answer about the reading of a list; from flags or --mapping. All fields are optional answers. */
export interface ReadingOptions {
  readonly from: string;
  /** `column=field` pairs, split at the last `=`, as given. */
  readonly map: readonly string[];
  readonly statusMap: Readonly<Record<string, string>>;
  /** Keys: file names or entries, or `*` for every input. */
  readonly defaultStatus: Readonly<Record<string, string>>;
  readonly attributes: 'all' | 'none' | readonly string[];
  readonly topicValues: Readonly<Record<string, string>>;
  readonly timezone: string | undefined;
  readonly dateOrder: DateOrder | undefined;
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
  readonly quote?: string | undefined;
  readonly escape?: string | undefined;
  readonly empty: 'keep' | 'clear';
  readonly duplicates: 'merge' | 'reject';
  /** Rows that look like the header of another list are rejected instead of stopping the run. */
  readonly allowJoinedFiles: boolean;
  /** `suppressions import --reason`. */
  readonly reason: SuppressionReason | undefined;
}

/** What a row says of a person beside address and state, as it is sent. */
export interface DraftFields {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly unsubscribed_at?: Timestamp;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly topics?: Readonly<Record<string, string>>;
}

/** A person ready to be sent as a contact, and the row it is written for. */
export interface ContactItem {
  readonly source: number;
  readonly line: number;
  readonly contact: BatchContact;
}

/** Up to 1,000 people and the exact bytes of their request body. A function of the input and the mapping alone. */
export interface ListBatch {
  /** From 0. */
  readonly index: number;
  /** Where each person of the body comes from. */
  readonly rows: readonly { readonly source: number; readonly line: number }[];
  /** The same with the people themselves, read from the body when asked for: few chunks ever are. */
  readonly items: readonly ContactItem[];
  readonly body: Buffer;
}

/** A reading of batches that has begun, and may be ahead of what is asked for. */
export interface OpenBatches {
  readonly chunks: AsyncIterable<ListBatch>;
  /** Ends the reading, wherever it is. */
  close(): Promise<unknown>;
}

/** One address to suppress. */
export interface SuppressionItem {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly source: number;
  readonly line: number;
  /** When it happened according to the source; the service can't hold it, so it goes to consent.csv. */
  readonly at: Timestamp | undefined;
}

/** How messages name a table: the path as given, and the entry where it is an archive. */
export function labelOf(source: Pick<Source, 'path' | 'entry'>): string {
  const path = source.path === '-' ? 'standard input' : source.path;
  return source.entry === undefined ? path : `${path} (${source.entry})`;
}
