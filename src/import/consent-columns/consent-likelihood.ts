import { isNoTime } from '../../platforms/lib/blank-cells.ts';
import type { TableShape } from '../../platforms/lib/platform.ts';
import { rankOf, type StatusReading } from '../../platforms/lib/states.ts';
import { DATE_VALUE, isDate } from './cells/days.ts';
import { beginsWithRefusal } from './cells/sentences.ts';
import type { RecognizedTable } from './column-meaning.ts';
import { type ConsentColumn, possibleConsentColumns } from './find-consent-columns.ts';
import { mayNameMailings } from './headers/contrary-headers.ts';
import { namesConfirmation } from './headers/date-headers.ts';
import { MEANINGS_OF_AGREEMENT } from './headers/header-reading.ts';
import { ADDRESS_PART_WORDS, FREQUENCY_WORDS, ORDINARY_WORDS } from './headers/header-words.ts';
import { readHeader } from './headers/read-header.ts';
import { keepsMailAway } from './several-columns/combine-readings.ts';
import { asksToStop } from './words/phrases.ts';
import { withoutBlanks, wordsOf } from './words/plain-words.ts';
import { OTHER_STATUS_WORDS, STATUS_HEADER } from './words/status-headers.ts';
import { isBusinessWord, isStateWord, readYesNo, STATE_WORDS, wordLookupKey } from './words/value-words.ts';

/**
 * A column in which svc found no consent. `beside` has the headers of the whole table, `values` the different values of
 * the column.
 */
interface ColumnWithoutConsent {
  readonly header: string;
  readonly beside: readonly string[];
  readonly values: readonly string[];
  readonly hasBlanks: boolean;
}

/**
 * How likely it is that a column is about consent.
 * - 3: its header is about consent, or its values are answers, refusals or a tick.
 * - 2: its values are short codes, colors, or dates and blanks.
 * - 1: its values are words that svc does not know.
 * - 0: it is about something else.
 */
export function consentLikelihood({ header, beside, values, hasBlanks }: ColumnWithoutConsent): 0 | 1 | 2 | 3 {
  if (values.some(valueKeepsMailAway) || refusesByLevel(header, values)) {
    return 3;
  }
  if (areColorCategories(header, values)) {
    return 2;
  }
  const isVaried = values.length > 1 || hasBlanks;
  const areAnswers = values.every((value) => readYesNo(value) !== undefined);
  const denies = areAnswers && values.some((value) => readYesNo(value) === false);
  if (!isVaried || values.every(isBusinessWord) || isUsualColumn({ header, beside, denies })) {
    return 0;
  }
  const [only = ''] = values.length === 1 ? values : [];
  if (values.includes(DATE_VALUE) && values.every((value) => value === DATE_VALUE || isNoTime(value))) {
    // A date under `Confirmed` is the day of a sign-up, so it is no sign of an opt-out.
    return MEANINGS_OF_AGREEMENT.has(readHeader(header)?.meaning ?? 'text') ? 0 : 2;
  }
  if (readHeader(header) !== undefined || areAnswers || values.some(beginsWithRefusal) || isLabel(only, header)) {
    return 3;
  }
  if (values.length > 1 && values.every((value) => COLORS.test(wordsOf(value)))) {
    return 2;
  }
  if (values.every(isMeasure)) {
    return values.length <= MAX_CODES && values.every((value) => /^-?\d$/.test(value)) ? 2 : 0;
  }
  return values.length <= MAX_CODES && values.every((value) => value.length <= LONGEST_CODE) ? 2 : 1;
}

// True if the values are levels of mail and one of them means no mail: `always` and `never` under `email_level`.
function refusesByLevel(header: string, values: readonly string[]): boolean {
  const isLevel = (value: string) => NO_LEVEL.test(value) || readYesNo(value) !== undefined || LEVEL.test(value);
  const denies = (value: string) =>
    NO_LEVEL.test(value) || (readYesNo(value) === false && !DELIVERY.test(wordsOf(header)));
  return values.length > 1 && maySetMail(header) && values.every(isLevel) && values.some(denies);
}

// True for a header about mail or its delivery. False for a country or a language, because `no` also stands for Norway.
function maySetMail(header: string): boolean {
  const words = wordsOf(header);
  return DELIVERY.test(words) || (mayNameMailings(header) && !ADDRESS_PART_WORDS.test(words) && !LANGUAGE.test(words));
}

const DELIVERY = /^(?:mail |list )?delivery(?: mode| type| option| setting| frequency)?$/u;
const LANGUAGE = /lang|locale|sprache|idioma|lingua|taal|sprak/u;
const NO_LEVEL = /^\s*(?:none|never|off|no ?mail|nie|jamais|nunca|mai|nooit|aus)\s*$/iu;
const LEVEL = new RegExp(`^\\d$|${FREQUENCY_WORDS.source}`, 'iu');

const MAX_CODES = 8;
const LONGEST_CODE = 3;

function valueKeepsMailAway(value: string): boolean {
  const state = STATE_WORDS.get(wordLookupKey(value));
  return state ? keepsMailAway(state) : isStateWord(value) || asksToStop(value);
}

// Matches a color, because some lists mark opted-out people with a color: `red`.
const COLORS =
  /^(?:(?:light|dark|hell|dunkel) ?)?(?:red|green|yellow|orange|amber|gr[ae]y|black|white|rot|grun|gelb|grau|schwarz|weiss|rouge|vert|jaune|gris|noir|rojo|verde|amarillo|negro|rosso|giallo|grigio|nero|vermelho|amarelo|cinza|rood|groen|geel|grijs|zwart|czerwony|zielony|zolty|szary|rod|gron|gul|gra)$/u;

// True for a category with the name of a color, as Outlook writes it in a header or a cell: `Red category`.
function areColorCategories(header: string, values: readonly string[]): boolean {
  return [header, ...values].some((text) => text.split(/[;,]/).some((part) => COLOR_CATEGORY.test(wordsOf(part))));
}

const COLOR_CATEGORY = new RegExp(
  `^(?:${COLORS.source.slice(1, -1)} (?:category|kategorie|flag)|(?:categorie|categoria) ${COLORS.source.slice(1, -1)})$`,
  'u',
);

// True for a number, a date, an address or a link. Only a number of one digit can be the code of a status.
function isMeasure(value: string): boolean {
  return /^[\p{Sc}\s]*[-+]?\d[\d\s.,:/%+TZ-]*\p{Sc}?$/u.test(value) || /^\S+@\S+$|^https?:/.test(value);
}

// True for a text that an export writes for a ticked box: a symbol, the header of the column, or a sentence.
function isLabel(value: string, header: string): boolean {
  const words = wordsOf(value);
  return (
    value !== '' &&
    (value.length === 1 || words.split(' ').length > 3 || withoutBlanks(wordsOf(header)).includes(withoutBlanks(words)))
  );
}

interface Ordinary extends Pick<ColumnWithoutConsent, 'header' | 'beside'> {
  /**
   * True if all values are answers and one is a no. Such a column has answers, even if its header sounds like that of
   * notes.
   */
  readonly denies: boolean;
}

/**
 * With a default status svc warns only about columns of at least this likelihood. Less likely columns usually have
 * ordinary words, such as the plan of a customer.
 */
export const LIKELY_CONSENT = 2;

/**
 * True if svc should count the values of a column, because they may be about consent. Counting takes time in each row.
 * So the result is false for ordinary headers, such as names and places. The result is also false if the first values
 * are unlikely to be about consent. svc finds an opt-out word in such a column in any case.
 */
function mayHoldConsent({ header, sample }: TableShape, index: number): boolean {
  const name = header[index] ?? '';
  const words = wordsOf(name);
  const isCounted = OTHER_STATUS_WORDS.test(words) || STATUS_HEADER.test(words) || maySetMail(name);
  const isColor = areColorCategories(
    name,
    sample.map((row) => row[index] ?? ''),
  );
  if (readHeader(name) === undefined && isOrdinary(name) && !isCounted && !isColor) {
    return false;
  }
  const cells = new Set(sample.map((row) => (row[index] ?? '').trim()));
  const hasBlanks = cells.delete('');
  const values = [...new Set([...cells].map((cell) => (isDate(cell) ? DATE_VALUE : cell)))];
  const isOpen = values.length === 0 || (values.length === 1 && values[0] !== DATE_VALUE);
  return isOpen || consentLikelihood({ header: name, beside: header, values, hasBlanks }) >= LIKELY_CONSENT;
}

// True for a header about something else. False for a header about a confirmation, which can have an ordinary word too:
// `DOI timestamp`.
function isOrdinary(header: string): boolean {
  return ORDINARY_WORDS.test(wordsOf(header)) && !namesConfirmation(header);
}

function isUsualColumn({ header, beside, denies }: Ordinary): boolean {
  const words = wordsOf(header);
  const reading = readHeader(header);
  if (reading?.meaning === 'status') {
    return (
      /^(?:state|estado|stato|etat)$/u.test(words) && beside.some((other) => ADDRESS_PART_WORDS.test(wordsOf(other)))
    );
  }
  return (
    (reading?.meaning === 'text' && !denies) ||
    reading?.filledMeansHappened === true ||
    (reading === undefined && isOrdinary(header) && !STATUS_HEADER.test(words))
  );
}

/**
 * The indexes of columns that may contain a status. Without a default status svc asks about them. With the default
 * `pending`, `subscribed` or `skip` svc only warns, and ordinary columns are left out. With a stricter default the
 * result is empty.
 */
export function statusCandidates(
  table: RecognizedTable,
  consentColumns: readonly ConsentColumn[],
  { state }: StatusReading,
): readonly number[] {
  const all = possibleConsentColumns(table, consentColumns);
  if (state === 'none') {
    return all;
  }
  return rankOf(state) < rankOf('pending') ? [] : all.filter((index) => mayHoldConsent(table.shape, index));
}
