import type { TableReading } from './platform.ts';
import type { StatusReading } from './states.ts';

/** Removes case, blanks, punctuation and accents from a word or a header. `Opt-Out` and `opt out` become one word. */
export function bareWord(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

export const SUBSCRIBED: StatusReading = { state: 'subscribed' };
export const UNSUBSCRIBED: StatusReading = { state: 'unsubscribed' };
export const SUPPRESSED: StatusReading = { state: 'suppressed' };
export const BOUNCED: StatusReading = { state: 'bounced' };
export const COMPLAINED: StatusReading = { state: 'complained' };
export const PENDING: StatusReading = { state: 'pending' };
export const NONE: StatusReading = { state: 'none' };

/** The reading of a row that is neither mailed nor recorded. `why` is the reason that users see. */
export function skip(why: string): StatusReading {
  return { state: 'skip', why };
}

type StateOf = (cells: readonly string[]) => StatusReading;

/** Names the columns that a state rule reads, so that the other cells of a row needn't be read for it. */
export function readingOnly(columns: readonly number[], stateOf: StateOf): StateOf {
  return Object.assign(stateOf, { reads: columns });
}

/** Indexes of the columns that a state rule reads; undefined if it may read any. */
export function columnsReadBy(
  stateOf: StateOf & { readonly reads?: readonly number[] },
): readonly number[] | undefined {
  return stateOf.reads;
}

/** The state rule of a table that holds no state of its own. */
export const silent = readingOnly([], () => NONE);

/** Bare words and their meanings. */
export type Words = ReadonlyMap<string, StatusReading>;

/** Creates words from lists: `words([SUBSCRIBED, 'active', 'cold'], [PENDING, 'inactive'])`. */
export function words(...lists: readonly (readonly [StatusReading, ...string[]])[]): Words {
  return new Map(lists.flatMap(([reading, ...list]) => list.map((word) => [bareWord(word), reading] as const)));
}

/**
 * The state rule of a column of words; `none` if there is no such column. An unlisted word is unknown and stops the
 * run (C4).
 */
export function byWord(at: number, known: Words): Pick<TableReading, 'stateOf' | 'wordOf' | 'words'> {
  const stateOf = createWordReader(known);
  return {
    words: known,
    stateOf: at < 0 ? silent : readingOnly([at], (cells) => stateOf(cells[at] ?? '')),
    wordOf: (cells) => (at < 0 ? undefined : (cells[at] ?? '')),
  };
}

/**
 * The state rule of a table that shows a state only by an opt-out date. A date means unsubscribed. Other rows have no
 * state.
 */
export function byDate(at: number): Pick<TableReading, 'stateOf'> {
  const stateOf: StateOf = (cells) => ((cells[at] ?? '').trim() === '' ? NONE : UNSUBSCRIBED);
  return { stateOf: at < 0 ? silent : readingOnly([at], stateOf) };
}

const REMEMBERED = 1_000;

/**
 * Creates a reader of single words. Signs without letters, such as a check mark, are not blank: they are unknown words.
 */
export function createWordReader(known: Words): (text: string) => StatusReading {
  return remember((text) => {
    const reading = /\p{S}/u.test(text) && bareWord(text) === '' ? undefined : known.get(bareWord(text));
    return reading ?? { state: 'none' as const, unknown: text.trim() };
  });
}

/** Caches the results of `read` for the first thousand different cells. A million rows usually hold few words. */
export function remember<T>(read: (cell: string) => T): (cell: string) => T {
  // A table may have a hundred thousand readers, and most of them are never used.
  let met: Map<string, T> | undefined;
  return (cell) => {
    met ??= new Map();
    const seen = met.get(cell);
    if (seen !== undefined) {
      return seen;
    }
    const value = read(cell);
    if (met.size < REMEMBERED) {
      met.set(cell, value);
    }
    return value;
  };
}

const YES = new Set(
  'true yes 1 y t on x ja oui sí sì sim tak kyllä はい wahr vrai verdadero vero verdadeiro waar prawda tosi sant'
    .split(' ')
    .map(bareWord),
);
const NO = new Set(
  'false no 0 n f off nein non não nie ei nej nee いいえ falsch faux falso onwaar fałsz epätosi falskt'
    .split(' ')
    .map(bareWord),
);

/** True or false for a word that means yes or no; undefined for any other cell, also an empty one. */
export function readBoolean(cell: string | undefined): boolean | undefined {
  const word = bareWord(cell ?? '');
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

/** The meanings of yes, no and a blank in a column of truth values. Any other word is unknown. */
export interface Truth {
  readonly yes: StatusReading;
  readonly no: StatusReading;
  /** Without it, a blank is unknown, as in any column of words. */
  readonly blank?: StatusReading;
}

/** The state rule of a column of truth values; `none` if there is no such column. */
export function byTruth(at: number, { yes, no, blank }: Truth): Pick<TableReading, 'stateOf' | 'wordOf' | 'words'> {
  const known = truthWords({ yes, no });
  return byWord(at, blank ? new Map([...known, ['', blank]]) : known);
}

/** The words for yes and no in all languages, with their meanings. */
function truthWords({ yes, no }: Truth): Words {
  const known: [string, StatusReading][] = [...YES].map((word) => [word, yes]);
  return new Map([...known, ...[...NO].map((word): [string, StatusReading] => [word, no])]);
}

/** The name of a column in messages, `column "Status"`; undefined if there is no such column. */
export function fromColumn(header: readonly string[], at: number): string | undefined {
  return at < 0 ? undefined : `column ${JSON.stringify(header[at])}`;
}
