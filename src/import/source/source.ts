import { basename, isAbsolute } from 'node:path';
import { addToCount } from '../../base/lib/rows.ts';
import type { DiskFile } from './read-file.ts';

/** One table to read: a file, or an entry of an archive. During a run it is svc's own copy. */
export interface TableSource {
  /**
   * The index among all tables, from 0. If two rows of a person have the same state, the row of the table with the
   * lower index comes first.
   */
  readonly index: number;
  /** The path as the user gave it. */
  readonly path: string;
  /** The name of the entry, if the path is an archive. */
  readonly entry: string | undefined;
  /**
   * The file name without folder and .gz. By this name svc can recognize the export of a platform:
   * `unsubscribed_email_audience_export_1a2b.csv`.
   */
  readonly name: string;
  /** Names of archive entries that svc does not read, although they may contain a list, such as documents. */
  readonly unread?: readonly string[];
  /** Names of archive entries that are tables by their name, but have no content. */
  readonly empty?: readonly string[];
  /** The unpacked size in bytes, if it is known in advance. Only the progress display uses it. */
  readonly size: number | undefined;
  /** The file, if its bytes are the bytes of the table. Undefined for a packed file or an archive entry. */
  readonly plainFile?: DiskFile;
  /** The unpacked bytes. Each call reads from the start. */
  bytes(): AsyncIterable<Buffer>;
}

/** The name of a table in messages: the path, and the entry if the path is an archive. */
export function sourceLabel(source: Pick<TableSource, 'path' | 'entry'>): string {
  const path = source.path === '-' ? 'standard input' : source.path;
  return source.entry === undefined ? path : `${path} (${source.entry})`;
}

export type NamedInput = Pick<TableSource, 'path' | 'entry' | 'name'>;

/** All names by which an answer of the user can name an input, the most exact one first. */
export function namesOfInput(input: NamedInput): readonly string[] {
  const { path, entry, name } = input;
  const ofEntry = entry === undefined ? [] : [entry, name, basename(entry)];
  return [exactName(input), ...ofEntry, path, basename(path), name];
}

// The exact name of an input, which no other input has: `./list.csv` beside `old/list.csv`, and `2023.zip/list.csv`
// beside `2024.zip/list.csv`.
function exactName({ path, entry }: NamedInput): string {
  const file = isAbsolute(path) || path.startsWith('.') ? path : `./${path}`;
  return entry === undefined ? file : `${path}/${entry}`;
}

/**
 * Makes a function that gives an input the shortest name by which an answer means this input alone (C11). An archive
 * entry in a folder always gets its folder, because another archive may have an entry with the same file name:
 * `Active/list.csv` and `Left/list.csv`.
 */
export function createInputNamer(all: readonly NamedInput[]): (input: NamedInput) => string {
  const countNamed = createNameCounter(all);
  return (input) => {
    const path = input.entry ?? input.path;
    const names = input.entry?.includes('/') ? [path] : [input.name, path];
    return names.find((name) => countNamed(name) === 1) ?? exactName(input);
  };
}

/** Makes a function that gives the number of inputs that have a given name. */
export function createNameCounter(all: readonly NamedInput[]): (name: string) => number {
  const counts = new Map<string, number>();
  for (const name of all.flatMap((input) => [...new Set(namesOfInput(input))])) {
    addToCount(counts, name, 1);
  }
  return (name) => counts.get(name) ?? 0;
}

/**
 * The part of an answer after the name of the input and a colon: `Out:x` for `left.csv:Out:x`. Undefined if the answer
 * names none of `names`.
 */
export function answerWithoutInput(answer: string, names: readonly string[]): string | undefined {
  const found = names.find((name) => name !== '' && answer.startsWith(`${name}:`));
  return found === undefined ? undefined : answer.slice(found.length + 1);
}

/**
 * Replaces the path at the start of an answer by another path to the same file: `lists/a.csv:Out:x` becomes
 * `../lists/a.csv:Out:x`. Other answers stay unchanged.
 */
export function withOtherPath(answer: string, { from, to }: { readonly from: string; readonly to: string }): string {
  const path = [`./${from}`, from].find((name) => name.includes('/') && answer.startsWith(name)) ?? '';
  const afterPath = answer.slice(path.length);
  return path !== '' && /^(?:$|[:/])/.test(afterPath) ? to + afterPath : answer;
}
