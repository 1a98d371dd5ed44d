import type { HeaderReading, Meaning } from './headers/header-reading.ts';
import { keepsMailAway } from './several-columns/combine-readings.ts';
import { CLEAR_WORDS, isPlainYesNo, isStateWord, readYesNo, STATE_WORDS, wordLookupKey } from './words/value-words.ts';

/**
 * True if svc asks about each filled cell that it does not understand in this column. Under a clear header it asks.
 * Under an unclear header it asks if enough filled cells of the first rows are a status or an answer. Under an unclear
 * header about agreement it also asks if the cells have exactly two short words.
 */
export function shouldAskAboutUnknown(
  reading: HeaderReading,
  cells: readonly string[],
  kind: string | undefined,
): boolean {
  const { meaning, asksAboutUnknown, filledMeansHappened } = reading;
  // The platform leaves this column out, so svc asks about its cells only if the header is about an opt-out.
  if (kind === 'ignore' && meaning !== 'optedOut') {
    return false;
  }
  // How many cells of the first rows must be known words, so that svc asks about unknown ones. Under a header about
  // agreement an unknown word may be the name of a list, so all must be known. If some cells are a plain yes or no,
  // half is enough.
  const neededCount = meaning === 'agreed' && !cells.some(isPlainAnswer) ? cells.length : cells.length / 2;
  return (
    asksAboutUnknown ||
    (meaning === 'agreed' && !filledMeansHappened && mayBeYesAndNo(cells)) ||
    (!filledMeansHappened &&
      !MEANINGS_NEVER_SURE.has(meaning) &&
      cells.length > 0 &&
      countReadable(cells, reading) >= neededCount)
  );
}

// True if the cells have exactly two short words: perhaps yes and no in a language that svc doesn't know.
function mayBeYesAndNo(cells: readonly string[]): boolean {
  const words = new Set(cells.map((cell) => cell.trim().toLowerCase()));
  return words.size === 2 && [...words].every((word) => SHORT_WORD.test(word));
}

const SHORT_WORD = /^\p{L}{1,6}$/u;

const MEANINGS_NEVER_SURE: ReadonlySet<Meaning> = new Set(['withheld', 'bounces', 'channel', 'text']);

// How many cells svc understands under the header. 0 for a status column in which no word is about the state of a
// person: words such as `ok` can then be about something else. Under `Order status` and the like, only words that are
// always about mail show the state of a person.
function countReadable(cells: readonly string[], { meaning, isStatusOfOtherThing }: HeaderReading): number {
  const mayBeYesOrNo = meaning !== 'status' && meaning !== 'reason';
  const readable = cells.filter((cell) => isStateWord(cell) || (mayBeYesOrNo && readYesNo(cell) !== undefined));
  return meaning === 'status' &&
    !readable.some(isStatusOfOtherThing ? (cell) => CLEAR_WORDS.has(wordLookupKey(cell)) : saysState)
    ? 0
    : readable.length;
}

// True for a word about the state of a person, such as `active` or `unsubscribed`. False for `ok`: it may be Oklahoma.
function saysState(cell: string): boolean {
  const state = STATE_WORDS.get(wordLookupKey(cell));
  return state === undefined ? isStateWord(cell) : keepsMailAway(state) || state.state === 'subscribed';
}

// True for a plain yes or no. A yes of one character, such as `1` or `x`, does not count: it can be the name of a list.
function isPlainAnswer(cell: string): boolean {
  return isPlainYesNo(cell) && (cell.trim().length > 1 || readYesNo(cell) === false);
}
