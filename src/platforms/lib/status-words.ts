import { memoize } from '../../base/lib/memoize.ts';
import { isDeniedBySign } from './denied-yes.ts';
import type { StatusReading } from './states.ts';

/**
 * The text without case, blanks, punctuation and accents, for comparing. `Opt-Out` and `opt out` both become `optout`.
 */
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

/** The reading of a row that svc does not send at all. `why` is the reason that users see. */
export function skipFor(why: string): StatusReading {
  return { state: 'skip', why };
}

/** A state rule: it reads the state of a row from its cells. */
export type StateOf = (cells: readonly string[]) => StatusReading;

/** Marks a state rule with the columns that it reads, so that svc need not decode the other cells for it. */
export function markReadColumns(columnIndexes: readonly number[], stateOf: StateOf): StateOf {
  return Object.assign(stateOf, { reads: columnIndexes });
}

/** The indexes of the columns that a state rule reads. Undefined if it may read any. */
export function columnsReadBy(
  stateOf: StateOf & { readonly reads?: readonly number[] },
): readonly number[] | undefined {
  return stateOf.reads;
}

/** The state rule of a table without a state. */
export const readNoState = markReadColumns([], () => NONE);

/** Status words, in the form of `bareWord`, and what they mean. */
export type StatusWords = ReadonlyMap<string, StatusReading>;

/** Makes `StatusWords` from lists: `statusWords([SUBSCRIBED, 'active', 'cold'], [PENDING, 'inactive'])`. */
export function statusWords(...lists: readonly (readonly [StatusReading, ...string[]])[]): StatusWords {
  return new Map(lists.flatMap(([reading, ...list]) => list.map((word) => [bareWord(word), reading] as const)));
}

/**
 * The key of a status word in a map. It is the `bareWord`, unless a sign denies or doubts the word. Then the sign stays
 * in the key: `❌ Active` becomes `❌ active`, and not `active`.
 */
export function wordKey(text: string): string {
  return isDeniedBySign(text)
    ? text
        .normalize('NFKC')
        .replace(/\uFE0F/g, '')
        .replace(/\s+/g, ' ')
        .trim()
        .toLowerCase()
    : bareWord(text);
}

// Matches a cell that counts as blank: only dashes, quotes, brackets, dots, commas, `?` or invisible characters.
const BLANK_MARKS = /^[\s\p{Cf}\p{M}\p{Pd}\p{Pc}\p{Ps}\p{Pe}\p{Pi}\p{Pf}.,;?\u2026'"]*$/u;

/** True for a cell that is blank or has only marks for a blank: `-`, `...`, `()`. A sign such as `/` is content. */
export function isBlankMark(text: string): boolean {
  return BLANK_MARKS.test(text);
}

const NEGATIVE_NUMBER = /^\s*[-\u2212]\d/u;

/**
 * Makes a function that reads a cell with one status word. A cell is an unknown word if `known` does not contain it, if
 * it is only a symbol such as `✓`, if it is a negative number such as `-1`, or if a sign denies its `subscribed`: `❌
 * active`.
 */
export function createWordReader(known: StatusWords): (text: string) => StatusReading {
  return memoize((text) => {
    const isNoWord = NEGATIVE_NUMBER.test(text) || (bareWord(text) === '' && !isBlankMark(text));
    const reading = isNoWord ? undefined : known.get(bareWord(text));
    const isDenied = reading?.state === 'subscribed' && isDeniedBySign(text);
    return reading === undefined || isDenied ? { state: 'none' as const, unknown: text.trim() } : reading;
  });
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

/**
 * True for a cell that means yes, false for one that means no. Undefined for any other cell, for example a blank one.
 */
export function readBoolean(cell: string | undefined): boolean | undefined {
  const word = bareWord(cell ?? '');
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

/** The words for yes and no in all supported languages, with the given meanings. */
export function yesNoWords(yes: StatusReading, no: StatusReading): StatusWords {
  return statusWords([yes, ...YES], [no, ...NO]);
}
