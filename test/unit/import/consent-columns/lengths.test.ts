import { expect, test } from 'vitest';
import { meaningOf, tableOf } from './vocabulary/golden.ts';

/**
 * A search of a long text takes long, and a long text is seldom an answer. So svc searches texts up to a size, in
 * characters or words. The tables name each size, and the meaning of a text within it and of one that is larger by one.
 */

/** The text, filled up to this many characters. */
const filled = (length: number, begin: string, end = '') => begin.padEnd(length - end.length, 'q') + end;
/** The two parts with this many characters in all, and blanks between them. */
const spread = (length: number, begin: string, end: string) => begin.padEnd(length - end.length) + end;
/** The words, filled up to this many words. */
const worded = (count: number, begin: string) =>
  [...begin.split(' '), ...Array<string>(count).fill('qb')].slice(0, count).join(' ');

const MISSPELLED = ['unsubscribedd', 'unsub scribedd', 'unsub scri bedd', 'un sub scri bedd'];

type Size = readonly [header: string, most: number, text: (size: number) => string, within: string, over: string];

const CELLS: readonly Size[] = [
  ['City', 200, (size) => filled(size, 'unsubscribed, '), 'unsubscribed', '-'],
  ['City', 40, (size) => filled(size, 'Unsubscribed '), 'unsubscribed', 'refused'],
  ['City', 20_000, (size) => filled(size, '{"a":"', '","status":"unsubscribed"}'), 'unsubscribed', '-'],
  ['City', 400, (size) => filled(size, '[q] optin=0; '), 'refused', '-'],
  ['City', 5, (size) => spread(size, '', '🚫'), 'refused', '-'],
  ['Title', 6, (size) => worded(size, 'not interested'), 'refused', '-'],
  ['Title', 6, (size) => worded(size, 'newsletter cancelled'), 'refused', '-'],
  ['Last Name', 80, (size) => filled(size, 'Deceased '), 'refused', '-'],
  ['Notes', 16, (size) => spread(size, '', 'ditto'), 'refused', '-'],
  ['Notes', 20, (size) => filled(size, 'unsbuscribed '), 'refused', '-'],
  ['Notes', 60, (size) => filled(size, 'left qb qc qd. '), 'refused', '-'],
  ['Notes', 60, (size) => spread(size, 'sms', 'opt-out'), '-', 'unsubscribed'],
  ['Notes', 60, (size) => spread(size, 'post', 'opt-out'), 'refused', 'unsubscribed'],
  ['Notes', 300, (size) => filled(size, 'please remove me from the list '), 'unsubscribed', 'refused'],
  ['Notes', 100_000, (size) => filled(size, 'q', ' never wants mail'), 'refused', '-'],
  ['Notes', 1_000, (size) => filled(size, 'a=', ';optin=0'), 'refused', '-'],
  ['Notes', 1_000, (size) => filled(size, 'a: ', '; consent: false'), 'refused', '-'],
  ['Notes', 5, (size) => worded(size, 'left'), 'refused', '-'],
  ['Notes', 3, (size) => `${worded(size, 'left')}. ${filled(60, 'q')}`, 'refused', '-'],
  ['Tags', 3, (size) => worded(size, 'left'), 'refused', '-'],
  ['Tags', 6, (size) => worded(size, 'unsbuscribed'), 'refused', '-'],
  ['Tags', 3, (size) => MISSPELLED[size - 1] ?? '', 'refused', '-'],
  ['Gartenfreunde newsletter', 7, (size) => 'gartenfreunde'.slice(0, size), '-', 'agrees'],
  ['Newsletter', 20, (size) => spread(size, 'per', 'Telefon'), 'asked', '-'],
  ['Newsletter', 40, (size) => filled(size, 'unsbuscribed '), 'asked', '-'],
  ['Newsletter', 80, (size) => filled(size, 'no thanks '), 'asked', 'refused'],
  ['Status', 80, (size) => filled(size, 'unsubscribed on '), 'unsubscribed', 'asked'],
  ['Status', 400, (size) => spread(size, 'unsubscribed', ';bounced'), 'bounced', 'asked'],
  ['Reason', 80, (size) => filled(size, 'unsubscribed on '), 'suppressed', 'unsubscribed'],
];

test.each(CELLS)(
  'reads a cell under %s fully up to %i characters or words (C10)',
  (header, most, text, within, over) => {
    const table = tableOf([header]);
    const texts = [most - 1, most, most + 1].map(text);
    expect(texts.map((cell) => meaningOf(table, cell))).toEqual([within, within, over]);
  },
);

const HEADERS: readonly Size[] = [
  ['yes', 4, (size) => worded(size, 'Out'), 'refused', '-'],
  ['yes', 4, (size) => worded(size, 'Taken off'), 'refused', '-'],
  ['yes', 5, (size) => worded(size, 'Newsletter consent denied'), 'unsubscribed', 'asked'],
  ['yes', 9, (size) => worded(size, 'Newsletter stop'), 'asked', 'agrees'],
  ['yes', 10_000, (size) => spread(size, 'Unsubscribed', 'q'), 'unsubscribed', 'asked'],
  ['yes', 60, (size) => filled(size, 'Newsletter gew\ufffdnscht '), 'asked', 'agrees'],
  ['active', 2, (size) => `newsletteranmeldung${'qzw'.slice(0, size)} status`, 'subscribed', 'asked'],
  ['yes', 5, (size) => 'last remote smtp error y n'.split(' ').slice(-size).join(' '), 'skipped bounced', '-'],
];

test.each(HEADERS)(
  'reads the header above the cell %s fully up to a size of %i (C10)',
  (cell, most, text, within, over) => {
    const headers = [most - 1, most, most + 1].map(text);
    expect(headers.map((header) => meaningOf(tableOf([header]), cell))).toEqual([within, within, over]);
  },
);
