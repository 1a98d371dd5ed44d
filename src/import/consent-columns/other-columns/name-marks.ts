import { keepsMailAway } from '../several-columns/combine-readings.ts';
import { CLEAR_WORDS, wordLookupKey } from '../words/value-words.ts';
import { ABBREVIATED_NOTES, CROSSED_OUT_LETTERS, isFormOfOptOut, OPEN_NOTES, OPT_OUT_WORDS } from './opt-out-words.ts';

// Finds marks that users write beside the name of a person: `Miller DECEASED`, `Anna Berg verstorben`, `LEFT - Miller`.

// Matches the separators between words. They are all ASCII, so that `mayHoldMark`, which searches the bytes of names,
// finds the same words.
const BETWEEN_WORDS = /[\t .,;:_/|-]+/u;
const CAPITALS = /(?<![^\x00-\x7f]|[A-Za-z\d])(?:\p{Lu}{2,}(?:[\s-]+\p{Lu}{2,})+|\p{Lu}{3,})(?![\p{L}\p{N}])/gu;
// Matches a symbol for a refusal or a death, at the beginning of a word.
const REFUSING_OR_DEATH_SYMBOL = /(?:^|[\t .,;:_/|-])[🚫⛔❌❎✗✘🙅☠💀⚰🪦]/u;
// Matches a name that HTML or Markdown crosses out: `<s>Ben</s>`, `~~Ben~~`.
const STRUCK_NAME = /^\s*(?:~[^~]+~|~~[^~]+~~|<(s|del|strike)\b[^<>]*>[^<>]*<\/\1>)\s*$/iu;
// Matches a mark in place of a name (`delete`), a short word for a death (`Oak (decd)`), and a word for the past (`Oak
// - OLD`, `Oak (ex)`).
const ONLY_MARK =
  /^\s*(?:delete|remove)\s*$|\((?:dec|decd|decsd)\.?\)|\(\s*(?:ex|old|former|formerly|obsolete|defunct|ehem|ehemals|alt|ancien|ancienne|antiguo|antigua|vecchio|vecchia|oud|stary|stara|gammel|gammal)\.?\s*\)\s*$|\s[-–—]\s*(?:ex|old|former|obsolete|defunct|ehem|ehemals|alt|ancien|ancienne)\.?\s*$/iu;
// Matches words that are marks only in capitals.
const MARK_IN_CAPITALS = /^(?:INACTIVE|DELETE|REMOVE|RIP)$/u;
// Matches a mark of a death in brackets: `(RIP)`. `Robert (Rip) Oak` doesn't match, because Rip is a nickname.
const RIP_IN_BRACKETS = /[([{*]\s*(?:RIP|rip|R\.I\.P\.?)\s*[)\]}*]/u;
// Matches a note beside a name, in brackets or after a dash at the end: `(inactive) Ben Oak`, `Ben Oak - inactive`.
const NOTE_BESIDE_NAME =
  /[([{*]\s?([^\s()[\]{}*]{3,20})(?:\s[^()[\]{}*]{0,20})?[)\]}*]|\s[-–—]\s([^\s()[\]{}*]{3,20})\s?$/gu;
const OPEN_NOTE = new RegExp(`^(?:${OPEN_NOTES.join('|')})\\p{L}{0,4}$`, 'u');
const ABBREVIATED_NOTE = new RegExp(`^(?:${ABBREVIATED_NOTES.join('|')})$`, 'u');
// An abbreviation counts in small letters, in capitals or with a dot, because `Robert (Gel) Oak` may be a nickname.
const ABBREVIATION = /^(?:\p{Ll}+|\p{Lu}{4,}|.*\.)$/u;
const MAX_WORDS = 4;
const LONGEST_NAME = 80;

// True for a cell that has a word in capitals and small letters in other words: `Anna BERG`.
function holdsCapitals(cell: string): boolean {
  return /\p{Ll}/u.test(cell) && cell.search(CAPITALS) >= 0;
}

/**
 * True if a name has a mark of an opt-out, such as an opt-out word at its beginning or end. `countsCapitals`: names in
 * capitals are rare in the column, so each opt-out word in capitals counts. `isCompany`: an opt-out word counts only if
 * it is `ZZ` or the like, because a company may be named `Deleted Scenes`.
 */
export function hasOptOutMark(cell: string, countsCapitals: boolean, isCompany = false): boolean {
  const words = cell.length > LONGEST_NAME ? [] : cell.split(BETWEEN_WORDS).filter((word) => word !== '');
  const ends = Array.from({ length: Math.min(MAX_WORDS, words.length - 1) }, (_, index) => index + 1);
  const parts = ends.flatMap((count) => [words.slice(0, count), words.slice(-count)]);
  return (
    REFUSING_OR_DEATH_SYMBOL.test(cell) ||
    STRUCK_NAME.test(cell) ||
    ONLY_MARK.test(cell) ||
    hasNote(cell) ||
    (!isCompany && RIP_IN_BRACKETS.test(cell)) ||
    parts.some((part) =>
      isCompany ? CROSSED_OUT_LETTERS.test(wordLookupKey(part.join(' '))) : isMark(part.join(' ')),
    ) ||
    (countsCapitals &&
      holdsCapitals(cell) &&
      (cell.match(CAPITALS) ?? []).some((run) => OPT_OUT_WORDS.other.has(wordLookupKey(run))))
  );
}

function hasNote(cell: string): boolean {
  return [...cell.matchAll(NOTE_BESIDE_NAME)].some(([, inBrackets, afterDash]) => {
    const note = inBrackets ?? afterDash ?? '';
    const word = wordLookupKey(note);
    return OPEN_NOTE.test(word) || (ABBREVIATION.test(note) && ABBREVIATED_NOTE.test(word));
  });
}

function isMark(text: string): boolean {
  const word = wordLookupKey(text);
  const clear = CLEAR_WORDS.get(word);
  return (
    (clear !== undefined && keepsMailAway(clear)) ||
    OPT_OUT_WORDS.name.has(word) ||
    CROSSED_OUT_LETTERS.test(word) ||
    MARK_IN_CAPITALS.test(text) ||
    isFormOfOptOut(word)
  );
}

/** True for a name with a word in capitals that is not a mark. */
export function isInOtherCapitals(cell: string): boolean {
  return holdsCapitals(cell) && !hasOptOutMark(cell, true);
}

const [SMALL_A, SMALL_Z] = [0x61, 0x7a];

/** True for a cell without small letters and with at least three capitals. */
export function isInCapitals(cell: string): boolean {
  const second = cell.charCodeAt(1);
  // A quick test: a small second letter rules out most names.
  return !(second >= SMALL_A && second <= SMALL_Z) && /^\P{Ll}*\p{Lu}\P{Ll}*\p{Lu}\P{Ll}*\p{Lu}\P{Ll}*$/u.test(cell);
}

/**
 * True if few names of a column are in capitals, so that a cell in capitals may be a mark. Opt-out words are not
 * counted.
 */
export function areCapitalsRare(cells: readonly string[]): boolean {
  const names = cells.filter((cell) => isInCapitals(cell) && !OPT_OUT_WORDS.other.has(wordLookupKey(cell)));
  return names.length <= cells.length / 3;
}

/** Matches headers of names of people: `Full name`, `Vorname`. */
export const PERSON_NAME_HEADER =
  /^(?:(?:full|display|contact|customer|member|subscriber|person) ?)?names?$|^(?:voller |vollstandiger )?name$|^(?:vor|nach|familien|vor und nach)name$|^(?:nom|nom complet|nom et prenom|nombre|nombre completo|nome|nome completo|nome e cognome|naam|namn|navn|nimi|imie i nazwisko|isim|ad soyad|имя|фио|meno|jmeno)$/u;

/** Matches headers of names of companies. Users mark a company like a person: `Oak Ltd - OLD`, `ZZ Oak Ltd`. */
export const COMPANY_HEADER =
  /^(?:company|organi[sz]ation|firma|unternehmen|entreprise|societe|raison sociale|empresa|azienda|ditta|ragione sociale|bedrijf|organisatie|foretag|virksomhed|bedrift|yritys|sirket|spolecnost|spolka|компания|организация)(?: ?(?:name|naam|namn|navn))?$|^(?:firmen|bedrijfs|foretags|virksomheds|bedrifts)(?:name|naam|namn|navn)$/u;

const REFUSING_SYMBOL = /^\s*(?:🚫|⛔|🛑|🙅|☠|💀|⚰|🪦)\ufe0f?\s*$/u;

/**
 * True for a cell that is only a symbol for a refusal or a death, such as `⛔`. A cross does not count, because it is
 * usually a plain no.
 */
export function isRefusingSymbol(cell: string): boolean {
  return cell.length <= SYMBOL_LENGTH && REFUSING_SYMBOL.test(cell);
}

const SYMBOL_LENGTH = 5;
