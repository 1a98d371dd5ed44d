import { withoutTime } from '../cells/days.ts';
import { isBriefEnd } from '../headers/contrary-headers.ts';
import { isLeftPhrase } from '../sentences/left-phrases.ts';
import { refusesInOneWord } from '../sentences/refusals.ts';
import { keepsMailAway } from '../several-columns/combine-readings.ts';
import { isEndedTag, isRefusalInWords, saysLeaving } from '../words/end-words.ts';
import { withoutBlanks, wordsOf } from '../words/plain-words.ts';
import { CLEAR_WORDS, wordLookupKey } from '../words/value-words.ts';
import { ABBREVIATED_NOTES, CROSSED_OUT_LETTERS, isFormOfOptOut, OPEN_NOTES, OPT_OUT_WORDS } from './opt-out-words.ts';

// Finds marks that users write beside the name of a person: `Miller DECEASED`, `Anna Berg verstorben`, `LEFT - Miller`.

// Matches the separators between words. They are all ASCII, so that `mayHoldMark`, which searches the bytes of names,
// finds the same words.
const BETWEEN_WORDS = /[\t .,;:_/|-]+/u;
const CAPITALS = /(?<![^\x00-\x7f]|[A-Za-z\d])(?:\p{Lu}{2,}(?:[\s-]+\p{Lu}{2,})+|\p{Lu}{3,})(?![\p{L}\p{N}])/gu;
// Matches a symbol for a refusal or a death, at the beginning of a word.
const REFUSING_OR_DEATH_SYMBOL = /(?:^|[\t .,;:_/|-])[🚫⛔❌❎✗✘🙅☠💀⚰🪦]/u;
// Matches a name that HTML, Markdown or a combining stroke crosses out: `<s>Ben</s>`, `~~Ben~~`, `B̶e̶n̶`.
const STRUCK_NAME = /^\s*(?:~[^~]+~|~~[^~]+~~|<(s|del|strike)\b[^<>]*>[^<>]*<\/\1>)\s*$|\p{L}[\u0335-\u0338]/iu;
// Matches a mark in place of a name (`delete`), a short word for a death (`Oak (decd)`), and a word for the past (`Oak
// - OLD`, `Oak (ex)`).
const ONLY_MARK =
  /^\s*(?:delete|remove)\s*$|\((?:dec|decd|decsd)\.?\)|\(\s*(?:ex|old|former|formerly|obsolete|defunct|ehem|ehemals|alt|ancien|ancienne|antiguo|antigua|vecchio|vecchia|oud|stary|stara|gammel|gammal)\.?\s*\)\s*$|\s[-–—]\s*(?:ex|old|former|obsolete|defunct|ehem|ehemals|alt|ancien|ancienne)\.?\s*$/iu;
// Matches words that are marks only in capitals.
const MARK_IN_CAPITALS = /^(?:INACTIVE|DELETE|REMOVE|RIP|NEIN)$/u;
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

/** What svc knows about a column of names before it looks for marks beside them. */
interface MarkedNames {
  /** True if names in capitals are rare in the column, so that each opt-out word in capitals counts. */
  readonly countsCapitals: boolean;
  /** True if `X` or `Z` may cross a name out: no other name has a single letter at its beginning or end. */
  readonly countsLetters: boolean;
  /** True if each other name is a single word. Then the `X` of `X Anna` is no initial. */
  readonly areSingleWords: boolean;
  /**
   * True for companies. One may be called `Deleted Scenes`, so at the ends of its name only letters such as `ZZ` are
   * marks.
   */
  readonly isCompany: boolean;
}

const PLAIN_NAMES: MarkedNames = {
  countsCapitals: true,
  countsLetters: false,
  areSingleWords: false,
  isCompany: false,
};

/** True if a name has a mark of an opt-out, such as an opt-out word at its beginning or end. */
export function hasOptOutMark(
  cell: string,
  { countsCapitals, countsLetters, areSingleWords, isCompany }: MarkedNames = PLAIN_NAMES,
): boolean {
  const words = cell.length > LONGEST_NAME ? [] : cell.split(BETWEEN_WORDS).filter((word) => word !== '');
  const ends = Array.from({ length: Math.min(MAX_WORDS, words.length - 1) }, (_, index) => index + 1);
  const parts = ends.flatMap((count) => [words.slice(0, count), words.slice(-count)]);
  return (
    REFUSING_OR_DEATH_SYMBOL.test(cell) ||
    STRUCK_NAME.test(cell) ||
    ONLY_MARK.test(cell) ||
    hasNote(cell) ||
    hasRefusal(cell, isCompany) ||
    (countsLetters && CROSSED_OUT.test(cell)) ||
    (areSingleWords && ONE_CROSSED_OUT.test(cell)) ||
    (!isCompany && (ALWAYS_CROSSED_OUT.test(cell) || RIP_IN_BRACKETS.test(cell))) ||
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

// Matches an `x` or `xx` that crosses a name out. An `X` and a `Z` can be an initial, so each needs two further words,
// or a sign beside it.
const ALWAYS_CROSSED_OUT =
  /^\s*(?:x{1,2}|X{2}|[XZz](?=\s*[:|_*]|\s[-–—]))[\s:|_*–—-]+\p{L}{2}|\p{L}\s(?:x{1,2}|X{2})$/u;
const CROSSED_OUT = /^\s*[XZ]\s+\p{Lu}\p{Ll}{2,}\s+(?:\p{L}+\s+)?\p{Lu}|^\s*\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+\s+X\s*$/u;
const ONE_CROSSED_OUT = /^\s*[XZ]\s+\p{Lu}\p{Ll}{2,}\s*$/u;
const INITIAL = /^\s*(?![XZ])\p{Lu}\.?\s|\s(?!X)\p{Lu}\.?\s*$/u;

/** True for a name with a single letter at its beginning or end: `J Smith`. In its column `X` may be an initial too. */
export function hasInitial(cell: string): boolean {
  return INITIAL.test(cell);
}

const BRACKETED = /[([{*]([^()[\]{}*]{1,40})[)\]}*]/gu;
// Matches a note after a dash, a colon or a bar between blanks, and one in small letters after a comma or a slash.
const AT_END = /\s[-–—:|]\s{1,3}([^()[\]{}*]{1,40})$|[,/;]\s{0,3}(\p{Ll}[^()[\]{}*\p{Lu}]{1,40})$/u;
// Matches a note before a dash, a colon, a bar or an exclamation mark: `NO - Anna Berg`, `Nein! Anna Berg`.
const AT_START = /^\s*(\p{L}[\p{L} ]{1,20}?)(?:!{1,3}|\s?[:|]|\s[-–—])\s{0,3}(?=\p{L})/u;
const PLAIN_NO =
  /^(?:no|nope|nah|nein|nee|non|nie|nej|nei|nao|nem|nix|niet|nicht|ikke|hayir|never|jamais|nunca|nooit|aldrig|aldri|nigdy|mai|stop|stopp|weg|raus|нет|ні|いいえ|否|不|不可|不要|x{1,3}|z{1,3})$/u;
// Matches a word that may be a nickname or a country: `(Non)`, `(Skip)`, `(NO)` beside a company.
const MAY_BE_NAME = /^\p{Lu}\p{Ll}{1,4}$/u;
const NEVER_A_NAME = /^(?:nein|weg|raus|nicht|never|nunca|stopp?)$/u;

// True if a name has a refusal in brackets, after a dash or before one: `Anna Berg (nein)`, `Anna Berg - left`. A name
// of a company may have such words, so there only refusals in brackets and in small letters count.
function hasRefusal(cell: string, isCompany: boolean): boolean {
  const text = cell.length > LONGEST_NAME ? '' : withoutFullWidth(cell).trim();
  const [, afterDash, afterComma] = AT_END.exec(text) ?? [];
  const [, before] = (!isCompany && AT_START.exec(text)) || [];
  const notes = [...[...text.matchAll(BRACKETED)].map(([, inside]) => inside), afterDash, afterComma];
  return (
    notes.some((note) => note !== undefined && !(isCompany && /\p{Lu}/u.test(note)) && refusesBesideName(note)) ||
    (before !== undefined && PLAIN_NO.test(wordsOf(before)))
  );
}

const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_STEP = 0xfee0;

// Full-width letters and signs as ASCII. Other letters stay, such as `⒳`, because `mayHoldNote` does not know them.
function withoutFullWidth(cell: string): string {
  return cell.replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_STEP));
}

function refusesBesideName(note: string): boolean {
  const words = withoutTime(wordsOf(note));
  const isEnd = [isEndedTag, isRefusalInWords, saysLeaving, isBriefEnd].some((ends) => ends(words));
  const mayBeName = MAY_BE_NAME.test(note) && !NEVER_A_NAME.test(words);
  return (
    OPT_OUT_WORDS.other.has(withoutBlanks(words)) ||
    isLeftPhrase(words) ||
    (!mayBeName && (PLAIN_NO.test(wordsOf(note)) || isEnd || refusesInOneWord(words)))
  );
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
  return holdsCapitals(cell) && !hasOptOutMark(cell);
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
