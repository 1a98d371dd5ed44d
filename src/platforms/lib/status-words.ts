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
export const noState = readingOnly([], () => NONE);

/** Words in the form of `bareWord`, and their meanings. */
export type Words = ReadonlyMap<string, StatusReading>;

/** Creates words from lists: `words([SUBSCRIBED, 'active', 'cold'], [PENDING, 'inactive'])`. */
export function words(...lists: readonly (readonly [StatusReading, ...string[]])[]): Words {
  return new Map(lists.flatMap(([reading, ...list]) => list.map((word) => [bareWord(word), reading] as const)));
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
  // A table may have a hundred thousand columns with a reader each, and most readers are never used.
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

/** The words for yes and no in all languages, with their meanings. */
export function truthWords(yes: StatusReading, no: StatusReading): Words {
  const meanings: [Iterable<string>, StatusReading][] = [
    [YES, yes],
    [NO, no],
  ];
  return new Map(meanings.flatMap(([list, reading]) => [...list].map((word) => [word, reading] as const)));
}
