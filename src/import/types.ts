import type { BatchContact, Timestamp } from '../wire/shapes.ts';
import type { SuppressionReason } from '../wire/words.ts';
import type { Quoting } from './dialect/quoting/quoting.ts';

/** One table to read: a file or one entry of an archive. A run reads its own copies of them. */
export interface Source {
  /** Index among all sources, from 0. For two equal states, the source with the lower index comes first. */
  readonly index: number;
  /** As the user gave it. */
  readonly path: string;
  /** Name of the entry, if the path is an archive. */
  readonly entry: string | undefined;
  /**
   * Base name without .gz, used by platforms to recognise their files: `unsubscribed_email_audience_export_1a2b.csv`.
   */
  readonly name: string;
  /** Entries of the same archive that are not read, although they may be lists. */
  readonly unread?: readonly string[];
  /** Decompressed size in bytes, if it is known in advance. For progress only. */
  readonly size: number | undefined;
  /** The decompressed bytes. Each call reads from the start. */
  bytes(): AsyncIterable<Buffer>;
}

/** How a table is written. Detected from its beginning; the user isn't asked. */
export interface Dialect {
  /** iconv name, lower-case: `utf-8`, `utf-16-le`, `windows-1252`, `macintosh`… */
  readonly encoding: string;
  readonly bom: boolean;
  /** `undefined`: a single column. */
  readonly delimiter: string | undefined;
  /** Set if the quoting differs from RFC 4180, or if the user gave it. */
  readonly quoting?: Quoting | undefined;
  /** True if a first line `sep=;` named the delimiter. */
  readonly sepLine: boolean;
  /** Physical line of the header, from 1; 0 if the table has none. */
  readonly headerLine: number;
  /** Cells of the header as written; empty if the table has none. */
  readonly header: readonly string[];
}

/** A problem of one row. `column` is the header as written, `detail` shows the value. */
export interface RowProblem {
  readonly reason: string;
  readonly column: string;
  readonly detail: string;
}

/** A row as parsed. Cells beyond the header keep their position; nothing is shifted. */
export interface RawRow {
  /** Physical line of the file on which the row starts, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** A problem that the parser found (text after a closing quote, a bad byte…). */
  readonly problem: RowProblem | undefined;
  /** The row's text as in the file, without its line ending. Set only on request. */
  readonly raw: string | undefined;
  /** True if a cell holds a NUL or half of a surrogate pair. Set here because text is scanned much faster in bulk. */
  readonly broken?: true | undefined;
}

/** The target of a column. */
export type ColumnTarget =
  | {
      readonly kind: 'email' | 'first_name' | 'last_name' | 'name' | 'status' | 'unsubscribed_at' | 'reason' | 'ignore';
    }
  /** A further address column. It is used if the first has no address, and not sent as a value. */
  | { readonly kind: 'other_email' }
  /** Read by the platform's own state rule, and not sent. */
  | { readonly kind: 'state_part' }
  | { readonly kind: 'attribute'; readonly key: string }
  | { readonly kind: 'topic'; readonly topic: string }
  /** Written by svc into a rejects file. */
  | { readonly kind: 'svc'; readonly name: string };

/**
 * What the old platform says about a person. `suppressed`: left all lists. `unsubscribed`: left this list. `skip`: not
 * mailed and not recorded. `none`: no state.
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
  /** A word that isn't understood. The state is then `none`, and the check `unknown_status` stops (rule C4). */
  readonly unknown?: string | undefined;
  /** Index of the column with the unknown word, if a single column holds it. */
  readonly at?: number | undefined;
  /** True for a no to mail. Beside a state that keeps mail away, it needs no answer. */
  readonly denies?: true | undefined;
  /** Unknown words of other columns of the same row. */
  readonly also?: readonly StatusReading[] | undefined;
  /** True if a cell agreed to mail, which isn't a state. The user is asked about a blank beside it. */
  readonly said?: true | undefined;
}

/** The view of a table that a platform module decides on. */
export interface TableShape {
  readonly path: string;
  readonly entry: string | undefined;
  readonly name: string;
  readonly dialect: Dialect;
  readonly header: readonly string[];
  /** The first few rows. */
  readonly sample: readonly (readonly string[])[];
}

/** How a platform reads one of its tables. */
export interface TableReading {
  /** One target per column of the header. */
  readonly columns: readonly ColumnTarget[];
  /**
   * The origin of the state as text for messages: `file name`, `column "Status"`. Undefined if the table holds no
   * state.
   */
  readonly stateFrom: string | undefined;
  /** The state of a row. */
  stateOf(cells: readonly string[]): StatusReading;
  /** Zone of dates that have none; overridden by --timezone. */
  readonly timezone?: string | undefined;
  /** Order of the platform's dates, if known; overridden by --date-order. */
  readonly dateOrder?: DateOrder | undefined;
  /**
   * Unix seconds and Excel serials are only read if the platform is known to write them (rule F9: dates are never
   * guessed).
   */
  readonly dateForm?: 'unix' | 'excel' | undefined;
  /** The column for mailing the most engaged people first. */
  readonly engagement?: string | undefined;
  /** Consent columns that are not sent by default. The plan names them (rule C8). */
  readonly consentColumns?: readonly string[];
  /** The word that gives a row its state. It lets --status-map override words that the platform knows. */
  wordOf?(cells: readonly string[]): string | undefined;
  /** Headers that sound like consent but aren't about it on this platform. */
  readonly notConsent?: readonly string[];
  /** Words of this platform, for a column that --map names as the status. */
  readonly words?: ReadonlyMap<string, StatusReading>;
  /** False for rows whose date is not the date of their opt-out, although it is in that column. */
  datesOptOut?(cells: readonly string[]): boolean;
  /** Columns whose cells may hold a list of values in quotes: `"VIP","Blog, weekly"`. */
  readonly quotedLists?: readonly number[];
  /** The value to offer for --default-status if this table holds no state and `subscribed` isn't right. */
  readonly offers?: State | undefined;
  /** True if people without any address are usual. Their rows are skipped (`no_address`) instead of rejected. */
  readonly addressOptional?: boolean;
}

export type DateOrder = 'ymd' | 'dmy' | 'mdy';

/** A platform: one file in platforms/, listed in platforms/registry.ts. */
export interface Platform {
  readonly id: string;
  readonly title: string;
  /** How certain it is that the table is from this platform: 0 no, 1 to 100. `generic` returns 1. */
  recognise(shape: TableShape): number;
  read(shape: TableShape): TableReading;
  /** The encoding of a file with this name if it isn't UTF-8; undefined if only its text can decide. */
  legacyEncoding?(name: string): string | undefined;
}

/** The user's answers about the reading of a list, from flags or --mapping. All are optional. */
export interface ReadingOptions {
  readonly from: string;
  /** `column=field` pairs as given. They are split at the last `=`. */
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
  /** True: rows that look like the header of another list are rejected and don't stop the run. */
  readonly allowJoinedFiles: boolean;
  /** The value of `suppressions import --reason`. */
  readonly reason: SuppressionReason | undefined;
}

/** The data of a row beside address and state, as it is sent. */
export interface DraftFields {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly unsubscribed_at?: Timestamp;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly topics?: Readonly<Record<string, string>>;
}

/** A person ready to be sent as a contact, and the row that the person is written for. */
export interface ContactItem {
  readonly source: number;
  readonly line: number;
  readonly contact: BatchContact;
}

/** Up to 1,000 people and the exact bytes of their request body. Depends on the input and the mapping alone. */
export interface ListBatch {
  /** Counts from 0. */
  readonly index: number;
  /** The rows of the people in the body. */
  readonly rows: readonly { readonly source: number; readonly line: number }[];
  /** The rows with their contacts. They are parsed from the body on request, because few batches need them. */
  readonly items: readonly ContactItem[];
  readonly body: Buffer;
}

/** A started reading of batches. It may be ahead of what was requested. */
export interface OpenBatches {
  readonly chunks: AsyncIterable<ListBatch>;
  /** Ends the reading at any point. */
  close(): Promise<unknown>;
}

/** One address to suppress. */
export interface SuppressionItem {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly source: number;
  readonly line: number;
  /** The date in the source. The service can't store it, so it goes to consent.csv. */
  readonly at: Timestamp | undefined;
}

/** The name of a table in messages: the path as given, plus the entry if it is an archive. */
export function labelOf(source: Pick<Source, 'path' | 'entry'>): string {
  const path = source.path === '-' ? 'standard input' : source.path;
  return source.entry === undefined ? path : `${path} (${source.entry})`;
}
