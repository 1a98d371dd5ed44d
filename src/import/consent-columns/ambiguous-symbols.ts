import { SUBSCRIBED } from '../../platforms/lib/status-words.ts';
import { isDate } from './cells/days.ts';
import { isOrderWord } from './cells/other-subjects.ts';
import { isBit } from './cells/yes-and-no.ts';
import type { CellReading, HeaderReading } from './headers/header-reading.ts';
import { mentionsEnd } from './words/end-words.ts';
import { wordsOf } from './words/plain-words.ts';
import { readYesNo, STATE_WORDS, wordLookupKey } from './words/value-words.ts';
import { wordPattern } from './words/word-patterns.ts';

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

// The ticks that occur at least twice. Beside other numbers a 1 is a number or the name of a list, and no tick.
function ticksIn(cells: readonly string[]): ReadonlySet<string> {
  const signs = cells.map((cell) => cell.trim().toLowerCase()).filter((cell) => /^.$/u.test(cell));
  const ticks = signs.filter((sign) => readYesNo(sign) === true && !(sign === '1' && cells.some(isOtherNumber)));
  return new Set(ticks.filter((tick, at) => ticks.indexOf(tick) !== at));
}

function isOtherNumber(cell: string): boolean {
  return /^\s*v?\d[\d.,]*\s*$/iu.test(cell) && !/^\s*[01]\s*$/u.test(cell);
}

/**
 * True for a cell that may say that an agreement ended, in a column of agreements: a tick with a word or a sign for an
 * end beside it (`x bis 2021`, `Y->N`, `(x)`) or a period with a last day (`2018-2020`). Any other text beside a tick
 * says no end: `x 2021`, `x (web)`.
 */
export function mayEndTick(text: string, { meaning, ownTicks, headerWords = '' }: CellReading): boolean {
  if (meaning !== 'agreed' || text.length > LONGEST_TICK || NAMES_ORIGIN.test(headerWords)) {
    return false;
  }
  if (PERIOD.test(text)) {
    return MAIL_OR_CONSENT.test(headerWords);
  }
  const parts = text.toLowerCase().match(/[\p{L}\p{N}]+|[✓✔√☑]/gu) ?? [];
  const isTick = (part = '') => ownTicks?.has(part) === true || ANY_TICK.test(part);
  if (!ownTicks?.size || !(isTick(parts[0]) || isTick(parts.at(-1)))) {
    return false;
  }
  return (
    SIGN_OF_END.test(text) || END_BESIDE_TICK.test(wordsOf(text)) || mentionsEnd(wordsOf(text)) || isReplaced(parts)
  );
}

// True for a tick beside another answer of one character: `x / o`, `y n`. Two equal ticks are one answer.
function isReplaced(parts: readonly string[]): boolean {
  return (
    parts.some((part) => part !== parts[0] && /^[xon0\-✗]$/u.test(part)) && parts.every((part) => part.length === 1)
  );
}

const LONGEST_TICK = 60;
const ANY_TICK = /^[xyj✓✔√☑]$/u;
// Matches headers about the source, the method or the text of a consent: `Opt-in source`, `Consent version`.
const NAMES_ORIGIN =
  /(?:^| )(?:sources?|versions?|origin|quelle|herkunft|fassung|fuente|fonte|bron|method|methode|metodo|medium|via)(?= |$)/u;
// Matches headers about mail or consent. Below any other header a period may be the term of a membership.
const MAIL_OR_CONSENT =
  /mail|news|nieuws|consen|permission|opt ?in|einwillig|zustimm|erlaubnis|rundbrief|infobrief|boletin|bulletin|zgod|souhlas|samty|toestemm|marketing|gdpr|dsgvo|rgpd/u;
const END_BESIDE_TICK = wordPattern(
  'until till to thru through ended end old ex was were no not never only former(?:ly)? previously expired past',
  'bis alt alte[rs]? war weg nein kein(?:e[nrs]?)? nicht nur fruher ehemals abgesagt abgelaufen beendet zuruck',
  'jusqu jusqua jusquau ancien non pas plus avant hasta antes solo fino prima ate tot geen niet niet_meer alleen oud var bara kun inte ikke tidigare tidligere do nie tylko byl',
);
const YEAR = String.raw`(?:\d{1,2}[./-]){0,2}(?:19|20)\d\d(?:[./-]\d{1,2}){0,2}`;
const RANGE = String.raw`${YEAR}\s*(?:[-–—→>]+|to|until|till|bis|al?|au|tot|do)\s*${YEAR}`;
// Matches signs of an end: a tick in brackets or after a minus, an arrow, a period: `(x)`, `x -> 2`, `x -2021`.
const SIGN_OF_END = new RegExp(
  String.raw`^\s*[-\u2212–~([{<]\s*[xyj1✓✔√☑](?![\p{L}\p{N}])|[-=]>|[→⇒➔]|[\s(,;:][-–—]${YEAR}|(?<![\d.])${RANGE}`,
  'iu',
);
// Matches a whole period. The survey reads no clock, so svc also asks about a last day that is still to come.
const PERIOD = new RegExp(String.raw`^\s*(?:(?:from|von|vom|de|du|van|od)\s+)?${RANGE}\s*$`, 'iu');

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
