import { SUBSCRIBED } from '../../platforms/lib/status-words.ts';
import { isDate } from './cells/days.ts';
import { isOrderWord } from './cells/other-subjects.ts';
import { isBit } from './cells/yes-and-no.ts';
import type { HeaderReading } from './headers/header-reading.ts';
import { readYesNo, STATE_WORDS, wordLookupKey } from './words/value-words.ts';

/** What the first rows of a column show about symbols that have two meanings, such as `O` and a cross. */
export function symbolsIn(cells: readonly string[], { meaning }: HeaderReading) {
  const hasYes = cells.some(isOtherYes);
  return {
    oMeansOut: cells.some((cell) => /^\s*i\s*$/iu.test(cell)),
    mailMeansLetter: meaning === 'channel' && cells.some(isEmail) && !cells.some(namesPost),
    holdsDates: cells.some(isDate),
    holdsBits: cells.length > 0 && cells.every(isBit),
    holdsOrders: meaning === 'status' && cells.some(isOrderWord),
    hasYes,
    holdsBoxes: cells.some((cell) => TICKED_BOX.test(cell)),
    circleMayMeanNo: cells.some((cell) => FILLED_CIRCLE.test(cell) || (isOtherYes(cell) && !CIRCLE.test(cell))),
    // A cross may mean no if other cells have another symbol or word for yes. But if an opt-out column also has cells
    // that mean no, a cross in it means yes.
    xMayMeanNo: hasYes && !(meaning === 'optedOut' && cells.some((cell) => readYesNo(cell) === false)),
  };
}

// Matches a box with a tick, as text: `[x]`, `(X)`.
const TICKED_BOX = /^\s*(?:\[\s*[xX✓✔*]\s*\]|\(\s*[xX✓✔*]\s*\))\s*$/u;
const FILLED_CIRCLE = /[●◉⦿⚫🔴🟢]/u;
const CIRCLE = /[○◯〇◎]/u;

// True for a yes that is not a cross: `Y`, `ja`, `√`, `○`. In a column with such a yes, a cross may mean no.
function isOtherYes(cell: string): boolean {
  const word = wordLookupKey(cell);
  return word !== 'x' && (readYesNo(cell) === true || STATE_WORDS.get(word) === SUBSCRIBED);
}

function isEmail(cell: string): boolean {
  return /^\s*e-?\s?mail/iu.test(cell);
}

function namesPost(cell: string): boolean {
  return /\b(?:post|postal|brief|courrier|carta|lettera|brev)\b/iu.test(cell);
}
