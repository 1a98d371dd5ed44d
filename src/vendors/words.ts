import type { StateVerdict, TableReading } from '../import/types.ts';

/** A word or a header without case, blanks, punctuation and accents: `Opt-Out` and `opt out` are one word. */
export function bareWord(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

export const SUBSCRIBED: StateVerdict = { state: 'subscribed' };
export const UNSUBSCRIBED: StateVerdict = { state: 'unsubscribed' };
export const SUPPRESSED: StateVerdict = { state: 'suppressed' };
export const BOUNCED: StateVerdict = { state: 'bounced' };
export const COMPLAINED: StateVerdict = { state: 'complained' };
export const PENDING: StateVerdict = { state: 'pending' };
export const NONE: StateVerdict = { state: 'none' };

/** Not to be mailed and not to be recorded; `why` is the reason shown. */
export function skip(why: string): StateVerdict {
  return { state: 'skip', why };
}

/** Bare words to what they mean. */
export type Words = ReadonlyMap<string, StateVerdict>;

/** Words from lists: `words([SUBSCRIBED, 'active', 'cold'], [PENDING, 'inactive'])`. */
export function words(...lists: readonly (readonly [StateVerdict, ...string[]])[]): Words {
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

const REMEMBERED = 1_000;

/** Reads one word. Remembers what it met, because a million rows hold a handful of words. */
export function createWordReader(known: Words): (text: string) => StateVerdict {
  const met = new Map<string, StateVerdict>();
  return (text) => {
    const seen = met.get(text);
    if (seen) {
      return seen;
    }
    const verdict = known.get(bareWord(text)) ?? { state: 'none' as const, unknown: text.trim() };
    if (met.size < REMEMBERED) {
      met.set(text, verdict);
    }
    return verdict;
  };
}

const YES = new Set(['true', 'yes', '1', 'y', 't', 'ja', 'oui', 'si', 'sim', 'on', 'x']);
const NO = new Set(['false', 'no', '0', 'n', 'f', 'nein', 'non', 'nao', 'off']);

/** True, false, or undefined for a cell that is neither (an empty one included). */
export function readBoolean(cell: string | undefined): boolean | undefined {
  const word = bareWord(cell ?? '');
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}
