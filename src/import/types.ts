import type { RowPosition } from '../base/lib/rows.ts';
import type { DateOrder } from '../platforms/lib/platform.ts';
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
   * Base name without .gz, used by platforms to recognize their files: `unsubscribed_email_audience_export_1a2b.csv`.
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
export interface ContactItem extends RowPosition {
  readonly contact: BatchContact;
}

/**
 * Up to 1,000 people and the exact bytes of their request body. The same list and the same options always give the same
 * batches; --only-changed leaves out the people who are unchanged.
 */
export interface ListBatch {
  /** Counts from 0. */
  readonly index: number;
  /** The rows of the people in the body. */
  readonly rows: readonly RowPosition[];
  /** The rows with their contacts. They are parsed from the body on request, because few batches need them. */
  readonly items: readonly ContactItem[];
  readonly body: Buffer;
}

/** The name of a table in messages: the path as given, plus the entry if it is an archive. */
export function labelOf(source: Pick<Source, 'path' | 'entry'>): string {
  const path = source.path === '-' ? 'standard input' : source.path;
  return source.entry === undefined ? path : `${path} (${source.entry})`;
}
