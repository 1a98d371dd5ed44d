import { SUBSCRIBED } from '../../platforms/lib/status-words.ts';
import { isDate } from './cells/days.ts';
import { isOrderWord } from './cells/other-subjects.ts';
import { isBit } from './cells/yes-and-no.ts';
import type { CellReading, HeaderReading } from './headers/header-reading.ts';
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
    ownTicks: ticksIn(cells),
    holdsBoxes: cells.some((cell) => TICKED_BOX.test(cell)),
    circleMayMeanNo: cells.some((cell) => FILLED_CIRCLE.test(cell) || (isOtherYes(cell) && !CIRCLE.test(cell))),
    // A cross may mean no if other cells have another symbol or word for yes. But if an opt-out column also has cells
    // that mean no, a cross in it means yes.
    xMayMeanNo: hasYes && !(meaning === 'optedOut' && cells.some((cell) => readYesNo(cell) === false)),
  };
}

// The ticks that occur at least twice. Beside other digits a 1 is a number or the name of a list, and no tick.
function ticksIn(cells: readonly string[]): ReadonlySet<string> {
  const signs = cells.map((cell) => cell.trim().toLowerCase()).filter((cell) => /^.$/u.test(cell));
  const ticks = signs.filter((sign) => readYesNo(sign) === true && !(sign === '1' && signs.some(isOtherDigit)));
  return new Set(ticks.filter((tick, at) => ticks.indexOf(tick) !== at));
}

function isOtherDigit(sign: string): boolean {
  return /[2-9]/u.test(sign);
}

/**
 * True for a cell of a column of agreements that may say that the agreement ended: a tick with more text beside it (`x
 * bis 2021`, `Y->N`, `(x)`) or a period with a last day (`2018-2020`). A day or the year of the sign-up beside a tick
 * says no end.
 */
export function mayEndTick(text: string, { meaning, ownTicks }: CellReading): boolean {
  if (meaning !== 'agreed' || text.length > LONGEST_TICK) {
    return false;
  }
  if (PERIOD.test(text)) {
    return true;
  }
  const parts = text.toLowerCase().match(/[\p{L}\p{N}]+|[✓✔√☑]/gu) ?? [];
  const isTick = (part = '') => ownTicks?.has(part) === true || (ownTicks !== undefined && ANY_TICK.test(part));
  if (!ownTicks?.size || !(isTick(parts[0]) || isTick(parts.at(-1))) || SINCE.test(text)) {
    return false;
  }
  return parts.every((part) => part === parts[0]) ? DENIED_TICK.test(text) : true;
}

const LONGEST_TICK = 60;
const ANY_TICK = /^[xyj✓✔√☑]$/u;
// Matches a lone tick in brackets or after a minus.
const DENIED_TICK = /^\s*[-\u2212–~([{<]/u;
const YEAR = String.raw`(?:\d{1,2}[./-]){0,2}(?:19|20)\d\d(?:[./-]\d{1,2}){0,2}`;
const PERIOD = new RegExp(
  String.raw`^\s*(?:(?:from|von|vom|de|du|van|od)\s+)?${YEAR}\s*(?:[-–—→>]+|to|until|till|bis|al?|au|tot|do)\s*${YEAR}\s*$`,
  'iu',
);
// Matches a tick with the day or the year of the sign-up: `x 2021`, `Y (since 12.3.2019)`.
const SINCE = new RegExp(
  String.raw`^\s*\S[\s,;:(]+(?:(?:since|from|seit|ab|vom|am|on|depuis|le|desde|dal|sinds|od|sedan|siden)\s+)?${YEAR}\s*(?:\)\s*)?$`,
  'iu',
);

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
