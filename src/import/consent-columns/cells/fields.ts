import { parseJsonStrictly } from '../../../base/lib/json.ts';
import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { mayBeAboutEmail, namesMailOnly } from '../headers/header-predicates.ts';
import type { CellReading, HeaderReading } from '../headers/header-reading.ts';
import { readHeader } from '../headers/read-header.ts';
import { choosesNothing } from '../sentences/limited-mail.ts';
import {
  combineWords,
  keepsMailAway,
  questionReading,
  toQuestionReading,
} from '../several-columns/combine-readings.ts';
import { wordsOf } from '../words/plain-words.ts';
import { isStateWord, readYesNo, STATE_WORDS, wordLookupKey } from '../words/value-words.ts';

/** The longest cell that is cut into pairs. */
const LONGEST_CELL = 1_000;

// Matches the key of a field: letters, digits, dots, blanks, `_` and `-`, at most 61 characters.
const KEY = String.raw`([\p{L}_][\p{L}\p{N}_ .-]{0,60}?)`;
// Matches `key=value`.
const PAIR = new RegExp(String.raw`^\s*${KEY}\s*=(.*)$`, 'u');
// Matches `label: value`. The colon of a link does not end a label.
const LABELED = new RegExp(String.raw`^\s*${KEY}\s*:(?!\/\/)\s*(\S.*)$`, 'u');
// Matches a key with a short value inside other text: `optin=0`, `"subscribed": false`.
const FIELD_INSIDE_TEXT = new RegExp(
  String.raw`${KEY}["'\s]*[:=：＝]\s*["']?([\p{L}\p{N}+][\p{L}\p{N} '’_-]{0,30}?)["']?\s*(?=$|[;,|&)}\]<\n.!/])`,
  'gu',
);
const LINK = /(?:https?:\/\/|www\.)\S+/giu;

// Matches an array or an object in PHP's format, in which WordPress stores settings: `a:1:{s:10:"newsletter";b:0;}`.
const PHP = /^\s*(?:a|[OC]:\d+:"[^"]*"):\d+:\{/;
// Matches a key and its value in PHP's format: `s:10:"newsletter";b:0;`, `s:5:"lists";a:0:{}`.
const PHP_FIELD = /s:\d+:"([^"]*)";(?:s:\d+:"([^"]*)";|[bid]:(-?[\d.]+);|N;|a:0:\{\})/g;

const JSON_START = /^\s*[[{]/;
/** Matches a cell that may be a JSON object or array, or data in PHP's format. */
export const FIELDS_START = new RegExp(`${JSON_START.source}|${PHP.source}`);

/**
 * The fields of a cell that contains nothing but fields: JSON, PHP data, or pairs such as `city=Rome;optin=0`.
 * Undefined for any other cell.
 */
export function fieldsOf(cell: string): object | undefined {
  return FIELDS_START.test(cell) ? jsonOrPhpFieldsOf(cell) : pairsOf(cell, '=', PAIR);
}

/** The fields of a cell with JSON or PHP data. Undefined for other text. */
export function jsonOrPhpFieldsOf(cell: string): object | undefined {
  if (PHP.test(cell)) {
    const fields = [...cell.matchAll(PHP_FIELD)];
    return fields.map(([, key = '', text, figure]) => ({ [key]: text ?? figure ?? null }));
  }
  try {
    return JSON_START.test(cell) ? (parseJsonStrictly(cell) as object) : undefined;
  } catch {
    return undefined;
  }
}

/** The fields of a cell such as `city: Rome; consent: false`. Undefined for other text. */
export function labeledFieldsOf(cell: string): object | undefined {
  return pairsOf(cell, ':', LABELED);
}

function pairsOf(cell: string, separator: string, form: RegExp): object | undefined {
  if (!cell.includes(separator) || cell.length > LONGEST_CELL) {
    return undefined;
  }
  const pairs = cell.split(/[;,|&\n]/).map((part) => form.exec(part));
  return pairs.every((pair) => pair !== null)
    ? pairs.map(([, key = '', value = '']) => ({ [key]: value.trim() }))
    : undefined;
}

/** The fields with short values inside other text: `Berlin; optin=0`, `prefs "subscribed":false`. */
export function fieldsInsideText(text: string): (readonly [key: string, value: string])[] {
  const found = text.replace(LINK, ' ').matchAll(FIELD_INSIDE_TEXT);
  return [...found].map(([, key = '', value = '']) => [key, value] as const);
}

type ReadValue = (cell: string, column: CellReading) => StatusReading;

/**
 * The state that fields give to a row. Each key is read like a header, and its value like a cell below it. If they say
 * nothing, svc asks about `{"state":"left"}`, and about an empty agreement: `{"consent":null}`, `{"emails":[]}`.
 */
export function stateOfValues(fields: object, column: CellReading, read: ReadValue): StatusReading {
  const state = stateOfValue(fields, column, read);
  const asked = state === NONE ? (endedState(fields) ?? emptyAgreement(fields)) : undefined;
  return asked === undefined ? state : questionReading(asked);
}

function stateOfValue(value: unknown, column: CellReading, read: ReadValue): StatusReading {
  if (value === null) {
    return NONE;
  }
  if (typeof value === 'object') {
    // An item of an array has no key, so the key of the array applies to it.
    const columnUnder = (key: string, item: unknown) =>
      Array.isArray(value)
        ? column
        : refusesMail(key, item, column)
          ? { ...column, ...AGREED_READING }
          : columnOf(key, column);
    return entriesOf(value as object)
      .filter(([key, item]) => !isOfOtherChannel(key, item))
      .map(([key, item]) => stateOfValue(item, columnUnder(key, item), read))
      .reduce(combineWords, NONE);
  }
  const reading = read(String(value), column);
  const status = column.needsConfirmation ? toQuestionReading(reading, String(value)) : reading;
  return status.unknown === '' ? NONE : status;
}

// A word that keeps mail away under the key `state`. The state of an order inside the fields does not count.
function endedState(fields: object): string | undefined {
  const words = Object.entries(fields).flatMap(([key, item]) => (STATE.test(wordsOf(key)) ? [String(item)] : []));
  return words.find((word) => keepsMailAway(STATE_WORDS.get(wordLookupKey(word)) ?? NONE));
}

const STATE = /^(?:state|zustand|estado|etat|stato)$/u;

// The first empty value under a key that asks for agreement. `{"email":null}` does not count: its address is missing.
function emptyAgreement(fields: object): string | undefined {
  const found = entriesOf(fields).map(([key, item]) => {
    const isList = typeof item === 'object' && item !== null;
    const isEmpty = isList ? Object.keys(item).length === 0 : item === null || item === '';
    const isAsked = isEmpty && !isOfOtherChannel(key, item) && asksForAgreement(key, isList);
    const inside = isList && mayBeAboutEmail(key) ? emptyAgreement(item) : undefined;
    return isAsked ? `${key}: ${JSON.stringify(item)}` : inside;
  });
  return found.find((text) => text !== undefined);
}

function asksForAgreement(key: string, isList: boolean): boolean {
  const { meaning, filledMeansHappened } = readHeader(key) ?? {};
  return (meaning === 'agreed' && !filledMeansHappened) || meaning === 'channel' || (isList && namesMailOnly(key));
}

// The keys and values of an object. In `{"name": "newsletter", "value": "0"}`, `newsletter` is the key of the value
// `0`.
function entriesOf(fields: object): readonly (readonly [key: string, value: unknown])[] {
  const entries = Object.entries(fields);
  const name = entries.find(([key, value]) => NAMES_FIELD.test(key) && typeof value === 'string')?.[1];
  return name === undefined ? entries : entries.map(([key, value]) => [HOLDS_VALUE.test(key) ? name : key, value]);
}

const NAMES_FIELD = /^(?:name|key|field|label|title|property|attribute|question|slug)$/i;
const HOLDS_VALUE = /^(?:values?|val|answer|checked|enabled|selected)$/i;

/** True if the fields have a value that may be about email, and no value is a no: `{"reason":"too many"}`. */
export function holdsValues(fields: object): boolean {
  const values = valuesIn(fields);
  return values.length > 0 && values.every((value) => readYesNo(value) !== false);
}

// The values of fields that are not blank and may be about email, also in nested fields.
function valuesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) {
    const text = String(value ?? '').trim();
    return isEmptyValue(text) ? [] : [text];
  }
  return entriesOf(value).flatMap(([key, item]) => (isOfOtherChannel(key, item) ? [] : valuesIn(item)));
}

/** True if a key is the name of a channel: `{"sms":true}`. */
export function namesChannels(fields: object): boolean {
  const keys = [fields].flat().flatMap((field) => Object.keys(Object(field)));
  return keys.some((key) => namesMailOnly(key) || !mayBeAboutEmail(key));
}

// True for a field about another channel: `{"sms":"unsubscribed"}`. False for one with a longer text, which may be
// about email.
function isOfOtherChannel(key: string, item: unknown): boolean {
  const isPlain = typeof item !== 'string' || readYesNo(item) !== undefined || isStateWord(item);
  return isPlain && !mayBeAboutEmail(key);
}

// True for a no to email, as in `{"email":false,"sms":true}`, if the header of the column (`Notes`) says nothing about
// mail.
function refusesMail(key: string, item: unknown, { meaning, asksAboutUnknown }: CellReading): boolean {
  const isOpen = meaning === 'text' || (meaning === 'status' && !asksAboutUnknown);
  const isNo = typeof item !== 'object' && (readYesNo(String(item)) === false || choosesNothing(wordsOf(String(item))));
  return isOpen && isNo && namesMailOnly(key);
}

const AGREED_READING: HeaderReading = { meaning: 'agreed', asksAboutUnknown: false, filledMeansHappened: false };

// How svc reads the value of a key. An unknown key may be about something else, so svc does not ask about its unknown
// values.
function columnOf(key: string, column: CellReading): CellReading {
  const reading = readHeader(key);
  return reading
    ? { ...column, needsConfirmation: undefined, isDirectionUnknown: undefined, ...reading }
    : { ...column, asksAboutUnknown: false };
}
