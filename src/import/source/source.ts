/** One table to read: a file, or an entry of an archive. During a run it is svc's own copy. */
export interface Source {
  /**
   * The index among all tables, from 0. If rows of one person have equal states, the table with the lower index counts
   * first.
   */
  readonly index: number;
  /** The path as the user gave it. */
  readonly path: string;
  /** The name of the entry, if the path is an archive. */
  readonly entry: string | undefined;
  /**
   * The file name without folder and .gz, by which platforms recognize their exports:
   * `unsubscribed_email_audience_export_1a2b.csv`.
   */
  readonly name: string;
  /** Names of entries of the same archive that svc does not read, although they may be lists. */
  readonly unread?: readonly string[];
  /** The unpacked size in bytes, if it is known in advance. Only the progress display uses it. */
  readonly size: number | undefined;
  /** The unpacked bytes. Each call reads from the start. */
  bytes(): AsyncIterable<Buffer>;
}

/** The name of a table in messages: the path, and the entry if the path is an archive. */
export function labelOf(source: Pick<Source, 'path' | 'entry'>): string {
  const path = source.path === '-' ? 'standard input' : source.path;
  return source.entry === undefined ? path : `${path} (${source.entry})`;
}
