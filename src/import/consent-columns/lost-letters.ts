import { memoize } from '../../base/lib/memoize.ts';
import type { StatusReading } from '../../platforms/lib/states.ts';
import { NONE } from '../../platforms/lib/status-words.ts';
import { mayMeanOptOut } from './headers/contrary-headers.ts';
import { type HeaderReading, MEANINGS_THAT_SIGN_UP, type Meaning } from './headers/header-reading.ts';
import { readHeader } from './headers/read-header.ts';
import { isAnswer } from './meaning-of-values.ts';
import { questionReading } from './several-columns/combine-readings.ts';

// Letters that another program lost before svc read the list. It wrote `Gek�ndigt` or `Gek?ndigt` for `Gekündigt`.

// Matches signs for lost letters. A `?` counts only inside a word: `Newsletter?` and `Subscribed?Y/N` are whole.
const LOST_LETTERS = /\ufffd+|(?<=\p{L})\?{1,2}(?=\p{Ll})|(?<=\p{Lu})\?{1,2}(?=\p{Lu})/u;
// Matches a question mark after which another word begins: `Subscribed?y/n`, `Opted out?on`.
const BEFORE_WORD =
  /(?<!\p{L})(\p{L}+)\?(?=\p{L}\s*[/|]|(?:y|yes|ja|nein|oui|am|on|at|the|date|datum|since|seit|please|bitte|via|per|by)(?!\p{L}))/giu;
const INSIDE_WORD = /(?<!\p{L})(\p{L}+)\?(?=\p{L})/gu;

/** The header with a blank behind each `?` that ends a word. A word is whole if svc understands it as a header. */
function withWholeWords(header: string): string {
  return header
    .replace(BEFORE_WORD, '$1? ')
    .replace(INSIDE_WORD, (text, word: string) => (readHeader(word) ? `${word}? ` : text));
}

/**
 * The reading of a header. If letters are lost in it, svc can't know what a yes, a no and a date below it mean. `cells`
 * are the filled cells of the first rows.
 */
export function readWrittenHeader(header: string, cells: readonly string[]): HeaderReading | undefined {
  const reading = readHeader(header);
  if (
    !MAY_LOSE_LETTERS.test(header) ||
    header.length > LONGEST_HEADER ||
    (reading && TEXTS.has(reading.meaning)) ||
    !LOST_LETTERS.test(withWholeWords(header))
  ) {
    return reading;
  }
  if (reading) {
    return withoutDirection(reading, cells);
  }
  return header.split(/\s+/u).some(mayMeanEnd) ? (areAnswers(cells) ? UNCLEAR : MAYBE_END) : undefined;
}

const MAY_LOSE_LETTERS = /[?\ufffd]/u;
// A longer header is a sentence. svc reads it as it is, because its words would take long to compare.
const LONGEST_HEADER = 60;

// True for a word with lost letters that may name an opt-out. Cached, because many headers have the same words.
const mayMeanEnd = memoize((word: string) => LOST_LETTERS.test(word) && meantTexts(word, 2).some(mayMeanOptOut));

// The reading of a header that svc understands although letters are lost. svc asks about at least as many cells as
// below the whole header. Below an opt-out with notes or dates, it asks about each cell that counts as an opt-out.
function withoutDirection(reading: HeaderReading, cells: readonly string[]): HeaderReading {
  const { meaning, asksAboutUnknown, filledMeansHappened } = reading;
  if (meaning === 'status') {
    return { ...reading, isDirectionUnknown: true };
  }
  const asksAboutAll = MEANINGS_THAT_SIGN_UP.has(meaning) || meaning === 'either';
  const holdsAnswers = !filledMeansHappened && meaning !== 'bounces' && (asksAboutUnknown || areAnswers(cells));
  return asksAboutAll || holdsAnswers ? UNCLEAR : { ...reading, needsConfirmation: true };
}

function areAnswers(cells: readonly string[]): boolean {
  return cells.length > 0 && cells.filter(isAnswer).length * 2 >= cells.length;
}

const UNCLEAR: HeaderReading = {
  meaning: 'either',
  asksAboutUnknown: true,
  filledMeansHappened: false,
  isDirectionUnknown: true,
};
// Only a yes and a date are questions, because the other cells are no answers.
const MAYBE_END: HeaderReading = {
  meaning: 'withheld',
  asksAboutUnknown: false,
  filledMeansHappened: false,
  needsConfirmation: true,
};
const TEXTS: ReadonlySet<Meaning> = new Set(['text', 'reason', 'channel']);

/** Makes `stateOf` also ask about a short cell with lost letters, if the person may have left: `Abo gel�scht`. */
export function withLostLetters(stateOf: (cell: string) => StatusReading): (cell: string) => StatusReading {
  return (cell) => {
    const status = stateOf(cell);
    const isLost = status === NONE && cell.length <= LONGEST_CELL && cell.includes('\ufffd');
    return isLost && meantTexts(cell, 1).some((text) => mayLeave(stateOf(text))) ? questionReading(cell) : status;
  };
}

const LONGEST_CELL = 40;

function mayLeave(status: StatusReading): boolean {
  return status !== NONE && status.state !== 'subscribed' && status.agreesToMail !== true;
}

// The letters that can have accents. Most words are compared without accents, so the accents don't matter.
const LETTERS = ['a', 'e', 'i', 'o', 'u', 'y', 'c', 'l', 'n', 's', 'ss', 'z'];

// The texts that may be meant: each of LETTERS is tried in each gap. A text with more than `gaps` gaps gives none. Two
// signs in one gap can stand for one letter or for two.
function meantTexts(text: string, gaps: number): readonly string[] {
  const [lost] = LOST_LETTERS.exec(text) ?? [];
  if (lost === undefined) {
    return [text];
  }
  return gaps === 0
    ? []
    : LETTERS.flatMap((letter) => [
        ...meantTexts(text.replace(LOST_LETTERS, letter), gaps - 1),
        ...(lost.length > 1 ? meantTexts(text.replace(LOST_LETTERS, `${letter}${lost.slice(1)}`), gaps - 1) : []),
      ]);
}
