/** One table to read: a file or one entry of an archive. A run reads its own copies of them. */
export interface Source {
  /** Index among all sources, from 0. For two equal states, the source with the lower index comes first. */
  readonly index: number;
  /** As the user gave it. */
  readonly path: string;
  /** Name of the entry, if the path is an archive. */
  readonly entry: string | undefined;
  /** Base name without .gz, for recognizing platforms: `unsubscribed_email_audience_export_1a2b.csv`. */
  readonly name: string;
  /** Entries of the same archive that are not read, although they may be lists. */
  readonly unread?: readonly string[];
  /** Decompressed size in bytes, if it is known in advance. For progress only. */
  readonly size: number | undefined;
  /** The decompressed bytes. Each call reads from the start. */
  bytes(): AsyncIterable<Buffer>;
}

/** The name of a table in messages: the path as given, plus the entry if it is an archive. */
export function labelOf(source: Pick<Source, 'path' | 'entry'>): string {
  const path = source.path === '-' ? 'standard input' : source.path;
  return source.entry === undefined ? path : `${path} (${source.entry})`;
}
