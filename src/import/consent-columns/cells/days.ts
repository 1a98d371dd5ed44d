import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { COMPLAINED, NONE, SUPPRESSED, UNSUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import type { CellReading } from '../headers/header-reading.ts';
import { unknownReading } from '../several-columns/combine-readings.ts';
import { readYesNo, skipReading } from '../words/value-words.ts';
import { compileWords } from '../words/word-patterns.ts';

// Matches a date, also after a word such as `on` or `since`. After any other word it does not match, because that word
// counts: `Widerruf 04.05.2021`.
const DATE =
  /^(?:[^\p{L}\d]|(?:on|at|from|since|seit|am|vom|den|le|du|depuis|el|il|em|op|desde|dal|date|datum|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)(?!\p{L})){0,12}\d{1,4}[-./ 年]\s?(?:\d{1,2}|\p{L}{3,10}\.?)[-./ 月,]\s?\d{1,4}|^\p{L}{3,10}\.? \d{1,2},? \d{4}|^\d{8}(?:T|$)|^\d{10}(?:\d{3})?(?:\.\d+)?$|^\d{5}(?:\.\d+)?$/u;

/** True for a date, with or without a time, in the forms that exports write. */
export function isDate(text: string): boolean {
  return DATE.test(text);
}

/** Stands for each date of a column when svc counts the values, because dates are all different. */
export const DATE_VALUE = '(a date)';

// The usual dates of exports: `2024-05-01 10:00:00`, `5/1/2024 10:00 AM`.
const DAY_IN_DIGITS =
  /^(?:\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?|\d\d?\/\d\d?\/\d{4}(?: \d\d?:\d\d(?::\d\d)?(?: [AP]M)?)?)$/;

/**
 * A quick test: true for the usual dates of exports. No table of words has such a date, and a list has many different
 * ones. So looking up each of them would take long.
 */
export function isDayInDigits(text: string): boolean {
  return DAY_IN_DIGITS.test(text);
}

/** True if the first rows have filled cells in this column, and all are dates. */
export function holdsDates(sample: readonly (readonly string[])[], index: number): boolean {
  const filled = sample.map((cells) => (cells[index] ?? '').trim()).filter((cell) => !isEmptyValue(cell));
  return filled.length > 0 && filled.every((cell) => DATE.test(cell) && readYesNo(cell) === undefined);
}

/**
 * The state that a date gives, by the meaning of its column. The date of an event means that the event happened. The
 * date of a sign-up gives no state. svc asks about a date among status words, and under an unclear header.
 */
export function readDateCell(
  text: string,
  { meaning, asksAboutUnknown, filledMeansHappened }: CellReading,
): StatusReading {
  switch (meaning) {
    case 'optedOut':
      return UNSUBSCRIBED;
    case 'suppressed':
      return SUPPRESSED;
    case 'complained':
      return COMPLAINED;
    case 'bounced':
      // The date may be that of a soft bounce, and a suppression can't be undone (C6).
      return skipReading('bounced');
    case 'invalid':
      return skipReading('invalid');
    case 'withheld':
      return skipReading('disabled');
    case 'status':
    case 'either':
      return asksAboutUnknown && !filledMeansHappened ? unknownReading(text) : NONE;
    default:
      return NONE;
  }
}

// Months, seasons, days and parts of a year, with the words that stand before them: `July`, `in summer`, `Ende 2022`.
const MONTHS = [
  'january|jan|february|feb|march|mar|april|apr|may|june|jun|july|jul|august|aug|september|sept?|october|oct|november|nov|december|dec',
  'januar|februar|marz|maerz|mai|juni|juli|oktober|okt|dezember|dez|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre',
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre',
  'janeiro|fevereiro|marco|maio|junho|julho|setembro|outubro|novembro|dezembro|januari|februari|maart|mei|augustus|augusti|desember|kesakuu\\p{L}*|heinakuu\\p{L}*|elokuu\\p{L}*',
  'styczn\\p{L}*|lut\\p{L}*|mar(?:zec|cu|ca)|kwie\\p{L}*|maj\\p{L}?|czerw\\p{L}*|lip(?:iec|cu|ca)|sierp\\p{L}*|wrzes\\p{L}*|pazdz\\p{L}*|listopad\\p{L}*|grud\\p{L}*|leden|unor\\p{L}*|brezn\\p{L}*|dubn\\p{L}*|kvetn\\p{L}*|cervn\\p{L}*|cervenc\\p{L}*|srpn\\p{L}*|zari|rijn\\p{L}*|prosin\\p{L}*',
  'январ\\p{L}|феврал\\p{L}|март\\p{L}?|апрел\\p{L}|ма[яеи]|июн\\p{L}|июл\\p{L}|август\\p{L}?|сентябр\\p{L}|октябр\\p{L}|ноябр\\p{L}|декабр\\p{L}',
].join('|');
const PARTS_OF_YEAR =
  'spring|summer|autumn|fall|winter|christmas|easter|q ?[1-4]|h ?[12]|term|semester|season|years?|months?|weeks?|days?|today|yesterday|recently|ago|already|fruhjahr|fruhling|sommer|herbst|weihnachten|ostern|jahr|jahres|monat|woche|heute|gestern|vor|printemps|ete|automne|hiver|noel|an|annee|mois|semaine|hier|primavera|verano|otono|invierno|ano|mes|semana|ayer|estate|autunno|inverno|anno|mese|settimana|ieri|verao|outono|zomer|herfst|lente|jaar|maand|gisteren|var|sommaren|hosten|varen|vintern|host|ar|manad|vecka|igar|i fjor|fjor|lato|lecie|zima|jesien|roku|rok|году?|летом|осенью|веснои|зимои';
const BEFORE_TIME =
  'in|on|at|since|from|by|to|as of|per|(?:end|start|beginning)(?: of)?(?: the)?|early|mid|late|last|this|next|previous|a|the|im|am|seit|vom|zum|zu|ab|ende|anfang|mitte|letzte[nms]?|vorige[nsm]?|dieses|diesen|le|la|en|au|du|de|depuis|fin|debut|dernier|derniere|cette|cet|el|desde|finales|principios|pasad[oa]|este|esta|dal|dalla|nel|ad|di|fine|inizio|scorso|scorsa|em|no|desde|fim|inicio|passado|op|sinds|eind|begin|vorig|vorige|dit|i|sedan|sen|slutet|borjan|av|forra|siden|fra|slutningen|w|we|od|z|konca|poczatku|v|do|konce|с|в|от|конце|начале|прошлом';
const TIME_AT_END = compileWords(
  `(?: (?:\\d+|${MONTHS}|${PARTS_OF_YEAR}|${BEFORE_TIME})){0,4} (?:\\d+|${MONTHS}|${PARTS_OF_YEAR})$`,
);
const LONGEST_WITH_TIME = 60;

/** Words without a time at their end: `left` for `left in July 2022`. Words that are only a time stay unchanged. */
export function withoutTime(words: string): string {
  return words.length > LONGEST_WITH_TIME ? words : words.replace(TIME_AT_END, '');
}
