import { expect, test } from 'vitest';
import { type ReadingOptions, readAnswers } from '../../../../../src/import/mapping/reading-answers.ts';
import type { TableSource } from '../../../../../src/import/source/source.ts';
import { buildTable } from '../../../../../src/import/tables/build-table.ts';
import { wordFor } from '../../consent-columns/vocabulary/golden.ts';
import { NO_ANSWERS, sourcesOf } from '../../support.ts';
import { PLAIN } from '../../tables-in-memory.ts';

/**
 * The status of a row, for all combinations of cells in up to three columns. The order below is written from C4, C7 and
 * C10, and never taken from the program.
 */

/**
 * The order within one row, from the first that decides. An unknown word always is a question. A refusal is a question,
 * unless another column keeps mail away. A blank leaves the decision to other columns.
 */
const IN_A_ROW = [
  ...['asked', 'complained', 'bounced', 'suppressed', 'unsubscribed', 'pending', 'skipped no_consent', 'skip inactive'],
  ...['refused', 'subscribed', 'blank', 'agrees', '-'],
];

function firstOf(order: readonly string[], states: readonly string[]): string {
  return order.find((state) => states.includes(state)) ?? 'missing in the order';
}

type Cell = readonly [cell: string, state: string];

const STATUS: readonly Cell[] = [
  ['subscribed', 'subscribed'],
  ['unsubscribed', 'unsubscribed'],
  ['complained', 'complained'],
  ['hard bounce', 'bounced'],
  ['suppressed', 'suppressed'],
  ['pending', 'pending'],
  ['xyzzy', 'asked'],
  ['', 'blank'],
];
// A skip with a reason. It is as restrictive as an unconfirmed address. The first of two gives the reason.
const NO_CONSENT: Cell = ['never subscribed', 'skipped no_consent'];
const LIST_STATUS: readonly Cell[] = [
  ['subscribed', 'subscribed'],
  ['unsubscribed', 'unsubscribed'],
  ['unconfirmed', 'pending'],
  ['bounced', 'bounced'],
  ['inactive', 'skip inactive'],
  ['xyzzy', 'asked'],
];
const LEFT: readonly Cell[] = [
  ['yes', 'unsubscribed'],
  ['2021-03-04', 'unsubscribed'],
  ['xyzzy', 'asked'],
  ['', '-'],
];
const CONFIRMED: readonly Cell[] = [
  ['yes', 'agrees'],
  ['no', 'pending'],
  ['', '-'],
];
const CONSENT: readonly Cell[] = [
  ['yes', 'agrees'],
  ['no', 'refused'],
  ['', 'blank'],
];
const NOTES: readonly Cell[] = [
  ['please remove me from the list', 'unsubscribed'],
  ['not interested', 'refused'],
  ['likes dogs', '-'],
];
const CITY: readonly Cell[] = [
  ['Bonn', '-'],
  ['unsubscribed', 'unsubscribed'],
  ['never subscribed', 'skipped no_consent'],
];
// If --map names the status column, status columns of a platform may only keep mail away.
const RESTRICTING = LIST_STATUS.map(([cell, state]): Cell => [cell, state === 'subscribed' ? '-' : state]);

const TABLES: readonly (readonly [
  what: string,
  columns: Readonly<Record<string, readonly Cell[]>>,
  map: readonly string[],
])[] = [
  ['one column', { Status: [...STATUS, NO_CONSENT] }, []],
  ['two columns', { Status: STATUS, 'Mail status': STATUS }, []],
  ['three columns', { Status: STATUS, 'Mail status': STATUS, 'Contact status': STATUS }, []],
  ['a status, an opt-out and a confirmation', { Status: STATUS, Unsubscribed: LEFT, Confirmed: CONFIRMED }, []],
  ['an opt-out column before the status column', { 'Left the list': LEFT, Status: STATUS }, []],
  ['a consent column before two status columns', { Consent: CONSENT, Status: STATUS, 'Mail status': STATUS }, []],
  ['a consent column after two status columns', { Status: STATUS, 'Mail status': STATUS, Consent: CONSENT }, []],
  ['notes, a consent column and a status column', { Notes: NOTES, Consent: CONSENT, Status: STATUS }, []],
  ['a city, a status column and notes', { City: CITY, Status: STATUS.slice(0, -1), Notes: NOTES }, []],
  ['two columns that the user maps', { One: STATUS, Two: STATUS }, ['One=status', 'Two=status']],
  ['a mapped column and a recognized one', { One: STATUS, Status: STATUS }, ['One=status']],
  ['two columns of a platform', { 'List status': LIST_STATUS, 'Global status': LIST_STATUS }, []],
  [
    'two columns of a platform and a further one',
    { 'List status': LIST_STATUS, 'Global status': LIST_STATUS, Unsubscribed: LEFT },
    [],
  ],
  [
    'a mapped column beside two of a platform',
    { 'List status': RESTRICTING, 'Global status': RESTRICTING, One: STATUS },
    ['One=status'],
  ],
];

test.each(TABLES)('uses the most restrictive status of %s (C4, C7, C10, C12)', (_, columns, map) => {
  const headers = Object.keys(columns);
  const stateOf = stateRule(headers, { map });
  const rows = Object.values(columns).reduce<readonly (readonly Cell[])[]>(
    (done, own) => done.flatMap((row) => own.map((cell): readonly Cell[] => [...row, cell])),
    [[]],
  );
  const read = rows.map((row) => `${row.map(([cell]) => cell).join(', ')}: ${stateOf(row.map(([cell]) => cell))}`);
  const must = rows.map((row) => {
    const states = row.map(([, state]) => state);
    return `${row.map(([cell]) => cell).join(', ')}: ${firstOf(IN_A_ROW, states)}`;
  });
  expect(read).toEqual(must);
});

type AnsweredRow = readonly [
  columns: string,
  statusMap: Readonly<Record<string, string>>,
  cells: string,
  state: string,
];

const HUBSPOT = 'Unsubscribed from all email,Opted out of email: News';
const KLAVIYO = 'Email Suppressions,Email Marketing Consent';

// The effect of --status-map answers on a row. A word answered with `skip` is as restrictive as an unconfirmed address.
const ANSWERED: readonly AnsweredRow[] = [
  ['Status', { xyzzy: 'subscribed' }, 'xyzzy', 'subscribed'],
  ['Status', { xyzzy: 'subscribed' }, 'plugh', 'asked'],
  ['Status', { xyzzy: 'subscribed' }, 'unsubscribed', 'unsubscribed'],
  ['Status', { xyzzy: 'unsubscribed' }, 'XYZZY', 'unsubscribed'],
  ['Status', { xyzzy: 'bounced' }, 'xyzzy', 'bounced'],
  ['Status', { xyzzy: 'complained' }, 'xyzzy', 'complained'],
  ['Status', { xyzzy: 'suppressed' }, 'xyzzy', 'suppressed'],
  ['Status', { xyzzy: 'pending' }, 'xyzzy', 'pending'],
  ['Status', { xyzzy: 'skip' }, 'xyzzy', 'skipped by_request'],
  ['Status', { unsubscribed: 'subscribed' }, 'unsubscribed', 'subscribed'],
  ['Status', { subscribed: 'unsubscribed' }, 'subscribed', 'unsubscribed'],
  ['Status', { '*': 'unsubscribed' }, 'xyzzy', 'unsubscribed'],
  ['Status', { '*': 'unsubscribed' }, 'subscribed', 'subscribed'],
  ['Status', { '*': 'skip', xyzzy: 'subscribed' }, 'plugh', 'skipped by_request'],
  ['Status', { '*': 'skip', xyzzy: 'subscribed' }, 'xyzzy', 'subscribed'],
  ['Status', { 'Status:xyzzy': 'unsubscribed' }, 'xyzzy', 'unsubscribed'],
  ['Status,Mail status', { 'Status:xyzzy': 'subscribed' }, 'xyzzy,xyzzy', 'asked'],
  ['Status,Mail status', { xyzzy: 'subscribed' }, 'xyzzy,unsubscribed', 'unsubscribed'],
  ['Status,Mail status', { xyzzy: 'skip' }, 'xyzzy,subscribed', 'skipped by_request'],
  ['Status,Mail status', { xyzzy: 'skip' }, 'subscribed,xyzzy', 'skipped by_request'],
  ['Status,Mail status', { xyzzy: 'subscribed' }, 'xyzzy,plugh', 'asked'],
  ['Consent', { no: 'unsubscribed' }, 'no', 'unsubscribed'],
  ['Consent', { 'Consent:no': 'unsubscribed' }, 'no', 'unsubscribed'],
  ['Consent,Unsubscribed', { no: 'unsubscribed' }, 'yes,no', 'subscribed'],
  ['Notes', { 'Notes:*': 'subscribed' }, 'not interested', '-'],
  ['Notes', { 'not interested': 'subscribed' }, 'not interested', '-'],
  ['Notes', { 'not interested': 'unsubscribed' }, 'not interested', 'unsubscribed'],
  ['Notes', { 'Notes:*': 'unsubscribed' }, 'not interested', 'unsubscribed'],
  ['Notes', { 'Notes:*': 'unsubscribed' }, 'likes dogs', '-'],
  ['List status,Global status', { xyzzy: 'unsubscribed' }, 'xyzzy,subscribed', 'unsubscribed'],
  ['List status,Global status', { xyzzy: 'subscribed' }, 'xyzzy,unsubscribed', 'unsubscribed'],
  ['List status,Global status', { '*': 'skip' }, 'subscribed,xyzzy', 'skipped by_request'],
  ['List status,Global status', { '*': 'skip' }, 'subscribed,subscribed', 'subscribed'],
  ['List status,Global status', { xyzzy: 'subscribed' }, 'unsubscribed,xyzzy', 'unsubscribed'],
  ['List status,Global status', { xyzzy: 'subscribed' }, 'xyzzy,bounced', 'bounced'],
  ['List status,Global status', { xyzzy: 'subscribed' }, 'xyzzy,plugh', 'asked'],
  ['List status,Global status', { xyzzy: 'subscribed', plugh: 'unsubscribed' }, 'xyzzy,plugh', 'unsubscribed'],
  ['List status,Global status', { xyzzy: 'subscribed' }, 'xyzzy,xyzzy', 'subscribed'],
  ['List status,Global status', { xyzzy: 'subscribed' }, 'xyzzy,', 'subscribed'],
  ['List status,Global status', { '*': 'subscribed' }, 'xyzzy,unsubscribed', 'unsubscribed'],
  [HUBSPOT, { xyzzy: 'subscribed' }, 'xyzzy,true', 'unsubscribed'],
  [HUBSPOT, { xyzzy: 'subscribed' }, 'xyzzy,false', 'subscribed'],
  [HUBSPOT, { xyzzy: 'unsubscribed' }, 'xyzzy,false', 'unsubscribed'],
  [KLAVIYO, { NEW: 'subscribed' }, 'NEW,UNSUBSCRIBED', 'unsubscribed'],
  [KLAVIYO, { NEW: 'subscribed' }, '["NEW";"SPAM_COMPLAINT"],SUBSCRIBED', 'complained'],
  [KLAVIYO, { NEW: 'subscribed' }, 'NEW,SUBSCRIBED', 'subscribed'],
  [KLAVIYO, { NEW: 'subscribed' }, 'NEW,NEVER_SUBSCRIBED', 'skip no_consent'],
  ['City,Status', { unsubscribed: 'subscribed' }, 'unsubscribed,subscribed', 'subscribed'],
];

test.each(ANSWERED)(
  'reads columns %s with --status-map %j: %j is %s (C4, C7, C10)',
  (columns, statusMap, cells, state) => {
    expect(stateRule(columns.split(','), { statusMap })(cells.split(','))).toBe(state);
  },
);

function stateRule(headers: readonly string[], answers: Partial<ReadingOptions>): (cells: readonly string[]) => string {
  const options = { ...NO_ANSWERS, ...answers };
  const [source] = sourcesOf({ 'list.csv': '' });
  const header = ['Email', ...headers];
  const dialect = { ...PLAIN, headerLine: 1, header };
  const start = { source: source as TableSource, dialect, sample: [header.map(() => '')] };
  const table = buildTable(start, options, readAnswers(options));
  return (cells) => wordFor(table.stateOf(['ana@example.com', ...cells], ''));
}
