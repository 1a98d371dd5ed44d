import { readHeader } from '../headers/read-header.ts';
import { keepsMailAway } from '../several-columns/combine-readings.ts';
import { mentionsEnd } from '../words/end-words.ts';
import { asksToStop, isUnwilling } from '../words/phrases.ts';
import { isStateWord, readYesNo, STATE_WORDS, wordLookupKey } from '../words/value-words.ts';
import { plainWordsOf } from './compounds.ts';
import { stateInText } from './sentences.ts';

/** True for a row that is a heading above people who opted out: `Unsubscribed:`, `--- OPTED OUT ---`. */
export function isOptOutHeading(cells: readonly string[], header: readonly string[]): boolean {
  const heading = headingIn(cells, header);
  return (
    heading !== undefined &&
    !heading.includes('@') &&
    isAboutOptOut(heading) &&
    !isOwnStatus(heading, { cells, header })
  );
}

// True for a status word in a status column that is not the first column: `7,,unsubscribed`. The row is then no
// heading, but about a person without an address.
function isOwnStatus(heading: string, { cells, header }: { cells: readonly string[]; header: readonly string[] }) {
  const index = cells.findIndex((cell) => cell.trim() === heading);
  return (
    index > 0 &&
    readHeader(header[index] ?? '')?.meaning === 'status' &&
    STATE_WORDS.has(wordLookupKey(heading)) &&
    !heading.endsWith(':')
  );
}

// Matches a label before the name of the whole list: `Report name: Opted-out contacts`, `Filter: unsubscribed`.
const LIST_LABEL =
  /^(?:report|(?:mailing |distribution )?list|verteiler(?:liste)?|filters?|view|segment|query|source|selection|saved search|bericht|berichtsname|liste|ansicht|auswahl|rapport|vue|filtre|informe|lista|filtro|vista|rapporto|elenco)(?: ?name)?\s*[:=]/iu;

/** True for a row that names the whole list as one of opted-out people: `Report name: Opted-out contacts`. */
export function namesOptOutList(cells: readonly string[]): boolean {
  const text = cells.map((cell) => cell.trim()).find((cell) => cell !== '') ?? '';
  return LIST_LABEL.test(text) && !text.includes('@') && isAboutOptOut(text.replace(LIST_LABEL, '').trim());
}

// Matches the first word of a row of totals: `Subtotal`, `Grand Total:`, `Zwischensumme`, `Count: 3`.
const TOTAL =
  /^(?:sub-?\s?total|(?:grand )?total|count|sum|zwischensumme|teilergebnis|gesamt|summe|anzahl|sous-?\s?total|suma|subtotale?|totale|totaal|subtotaal|recuento|conteggio|aantal|total geral|итого|всего|合計|小計|总计|小计)(?!\p{L})/iu;

/**
 * True for a row of totals below a group or at the end of a report: `Subtotal,,3`. Its other cells are numbers, blanks,
 * or words for totals too.
 */
export function namesTotal(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const [first = '', ...others] = filled;
  return TOTAL.test(first) && others.every((cell) => !/\p{L}/u.test(cell) || TOTAL.test(cell));
}

// The text of a row that has only one text, in one cell or repeated in several. A label before it (`Status:`), a year
// after it (`since 2020`) and repeated headers of other columns do not count. Undefined for other rows.
function headingIn(cells: readonly string[], header: readonly string[]): string | undefined {
  const texts = cells.map((cell) => cell.trim());
  const otherTexts = texts.filter((text, index) => text !== header[index]?.trim());
  const [first, second, ...others] = new Set((otherTexts.some(isText) ? otherTexts : texts).filter(isText));
  if (first === undefined || second === undefined) {
    return first;
  }
  const isLabel = first.endsWith(':') || readHeader(first)?.meaning === 'status';
  return others.length > 0 ? undefined : isLabel ? second : ENDS_WITH_YEAR.test(second) ? first : undefined;
}

function isText(cell: string): boolean {
  return /\p{L}/u.test(cell);
}

const ENDS_WITH_YEAR = /^.{0,15}(?<!\d)(?:19|20)\d\d$/u;

function isAboutOptOut(text: string): boolean {
  if (text.length > LONGEST_HEADING) {
    return false;
  }
  const bare = text.trim().replace(NUMBER_BESIDE, '').trim();
  return [text, ...(bare === text || bare === '' ? [] : [bare])].some(
    (one) =>
      isEnding(one) ||
      FORMER_PEOPLE.test(plainWordsOf(one)) ||
      LEFT_GROUP.test(plainWordsOf(one)) ||
      isShortEnd(plainWordsOf(one)),
  );
}

// Matches a year or a number before or after the words of a heading: `2023 leavers`, `Gone (12)`.
const NUMBER_BESIDE = /^[([]?\d{1,4}[)\].:]?\s{1,5}|(?<![:=\s])\s{1,5}[-–]?\s{0,5}[([]?\d{1,4}[)\]]?\s{0,5}:?$/gu;
// Matches a group of people who left, in words that say little elsewhere: `No longer with us`, `Leavers`.
const LEFT_GROUP =
  /^(?:(?:all |the )?leavers|no longer (?:with us|members?|here)|not with us any ?more|nicht mehr (?:dabei|bei uns|mitglied)|plus (?:avec nous|membres?)|ya no (?:estan|son socios)|niet meer (?:bij ons|lid))$/u;

function isEnding(text: string): boolean {
  const state = STATE_WORDS.get(wordLookupKey(text));
  return state === undefined
    ? isStateWord(text) || asksToStop(text) || stateInText(text, 'status') !== undefined
    : keepsMailAway(state);
}

// A longer text is no heading. Its words would also take long to compare.
const LONGEST_HEADING = 300;
const MAX_WORDS = 3;

// True for at most three words about an end: `Removed below`, `Left in 2023`. Words about an address do not count.
function isShortEnd(words: string): boolean {
  return words.split(' ').length <= MAX_WORDS && (mentionsEnd(words) || isUnwilling(words)) && !ADDRESS.test(words);
}

const ADDRESS = /mail|adress|address|direcci|indirizz|contact|kontakt/u;

// Matches a heading of former people: `Former members`, `Ex-Mitglieder`.
const FORMER_PEOPLE =
  /^(?:former|past|ex|ehemalig\w*|anciens?|anciennes?|antigu[oa]s|antig[oa]s|oud|byli|tidigare|tidligere|entiset) ?(?:members?|subscribers?|contacts?|mitglied\w*|abonn\w*|membres?|socios?|soci|leden|medlem\w*|kontakt\w*)$/u;

// Matches a mark or a code and its meaning: `* = no mail`, `K = kein Newsletter`.
const MARK_EQUALS_MEANING = /^[^=]{1,20}=\s*(\S.*)$/u;
// Matches an explanation after `(1)`, `[x]`, `*`, `†` or `¹`, or after a code and a colon: `(1) wants no newsletter`.
const SYMBOL_WITH_MEANING =
  /^(?:[([{]\S{1,3}[)\]}]|[*\u2020\u2021\u00a7°~^]{1,3}(?!.*\*$)|[\u00b9\u00b2\u00b3\u2070-\u2079]|\S{1,2}\s*:)\s*[:–-]?\s*(\S.*)$/u;
// Matches a color or a style and its meaning: `Red: unsubscribed`. In CSV the colors are lost, so svc must ask.
const STYLE_WITH_MEANING =
  /^(?:red|rot|rouge|rojo|rosso|rood|yellow|gelb|gr[ae]y|grau|gris|orange|green|gr\u00fcn|vert|blue|blau|black|schwarz|pink|bold|fett|italics?|kursiv|durchgestrichen|struck|strike|crossed|barr\u00e9|tachad)(?:e[dmnrs]?|[aos]|[ao]s|es)?(?!\p{L})\S*[\s:]+(\S.*)$/iu;
const BEFORE_LEGEND = /^\s*(?:legende?|leyenda|legenda|key|notes?|nb|hinweis|anmerkung|zeichenerkl\S+)\s*:\s*/iu;
const BETWEEN_LEGENDS = /[;|\n]|, ?(?=[^,=]{1,12}=)/u;
const LONGEST_LEGEND = 300;

/**
 * True for a row that explains a mark of opted-out people: `* = no mail`, `(1) wants no newsletter`. svc can't know
 * which people have the mark, so it asks.
 */
export function explainsOptOutMark(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const text = filled.join(' ');
  return (
    (filled.length === 2 && cells[1]?.trim() === filled[1] && isCode(filled[0]) && isAboutOptOut(filled[1] ?? '')) ||
    (text.length <= LONGEST_LEGEND &&
      !text.includes('@') &&
      text.replace(BEFORE_LEGEND, '').split(BETWEEN_LEGENDS).some(isLegend))
  );
}

// True for a code in the first cell: `3`, `U`. Its meaning stands in the next cell: `3,unsubscribed`.
function isCode(cell = ''): boolean {
  return /^[\p{L}\p{N}*\u2020]{1,2}$/u.test(cell);
}

function isLegend(clause: string): boolean {
  const text = clause.trim();
  const meaning = MARK_EQUALS_MEANING.exec(text)?.[1];
  const otherMeanings = [SYMBOL_WITH_MEANING, STYLE_WITH_MEANING]
    .map((form) => form.exec(text)?.[1])
    .filter((captured) => captured !== undefined);
  return (
    (meaning !== undefined && (isAboutOptOut(meaning) || readYesNo(meaning) === false)) ||
    otherMeanings.some(isAboutOptOut)
  );
}
