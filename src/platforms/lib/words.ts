import type { StatusReading, TableReading } from '../../import/types.ts';

/** A word or a header without case, blanks, punctuation and accents: `Opt-Out` and `opt out` are one word. */
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

/** Not to be mailed and not to be recorded; `why` is the reason shown. */
export function skip(why: string): StatusReading {
  return { state: 'skip', why };
}

/** Bare words to what they mean. */
export type Words = ReadonlyMap<string, StatusReading>;

/** Words from lists: `words([SUBSCRIBED, 'active', 'cold'], [PENDING, 'inactive'])`. */
export function words(...lists: readonly (readonly [StatusReading, ...string[]])[]): Words {
  return new Map(lists.flatMap(([verdict, ...list]) => list.map((word) => [bareWord(word), verdict] as const)));
}

/** The state rule of a column of words; `none` where there is no such column. A word not listed is unknown (rule C4). */
export function byWord(at: number, known: Words): Pick<TableReading, 'stateOf' | 'wordOf' | 'words'> {
  const stateOf = createWordReader(known);
  return {
    words: known,
    stateOf: (cells) => (at < 0 ? NONE : stateOf(cells[at] ?? '')),
    wordOf: (cells) => (at < 0 ? undefined : (cells[at] ?? '')),
  };
}

/** The state rule of a table whose only trace of a state is an opt-out date: who has one left; of the others it says nothing. */
export function byDate(at: number): Pick<TableReading, 'stateOf'> {
  return { stateOf: (cells) => (at < 0 || (cells[at] ?? '').trim() === '' ? NONE : UNSUBSCRIBED) };
}

const REMEMBERED = 1_000;

/** Reads one word. Signs without letters, such as a check mark, are no blank: they are unknown words. */
export function createWordReader(known: Words): (text: string) => StatusReading {
  return remember((text) => {
    const verdict = /\p{S}/u.test(text) && bareWord(text) === '' ? undefined : known.get(bareWord(text));
    return verdict ?? { state: 'none' as const, unknown: text.trim() };
  });
}

/** A reading of cells that remembers the first thousand it met, because a million rows hold a handful of words. */
export function remember<T>(read: (cell: string) => T): (cell: string) => T {
  const met = new Map<string, T>();
  return (cell) => {
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

/** True, false, or undefined for a cell that is neither (an empty one included). */
export function readBoolean(cell: string | undefined): boolean | undefined {
  const word = bareWord(cell ?? '');
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

/** What yes, no and a blank mean in a column of truth values; any other word is unknown. */
export interface Truth {
  readonly yes: StatusReading;
  readonly no: StatusReading;
  /** Left out: a blank is unknown, as beside any other words. */
  readonly blank?: StatusReading;
}

/** The state rule of a column of truth values; `none` where there is no such column. */
export function byTruth(at: number, { yes, no, blank }: Truth): Pick<TableReading, 'stateOf' | 'wordOf' | 'words'> {
  const known = truthWords({ yes, no });
  return byWord(at, blank ? new Map([...known, ['', blank]]) : known);
}

/** What the words for yes and no mean, in all languages. */
function truthWords({ yes, no }: Truth): Words {
  const known: [string, StatusReading][] = [...YES].map((word) => [word, yes]);
  return new Map([...known, ...[...NO].map((word): [string, StatusReading] => [word, no])]);
}

/** `column "Status"`, for people; undefined where there is no such column. */
export function fromColumn(header: readonly string[], at: number): string | undefined {
  return at < 0 ? undefined : `column ${JSON.stringify(header[at])}`;
}
