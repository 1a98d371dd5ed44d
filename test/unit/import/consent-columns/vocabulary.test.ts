import { expect, test } from 'vitest';
import { consentLikelihood } from '../../../../src/import/consent-columns/consent-likelihood.ts';
import { OPT_OUT_WORDS } from '../../../../src/import/consent-columns/other-columns/opt-out-words.ts';
import { mayEndAccount } from '../../../../src/import/consent-columns/other-columns/words-below-headers.ts';
import { isOptOutListName } from '../../../../src/import/consent-columns/words/opt-out-lists.ts';
import {
  ANSWER_WORDS,
  CLEAR_WORDS,
  INACTIVE_WORDS,
  STATE_WORDS,
  wordLookupKey,
} from '../../../../src/import/consent-columns/words/value-words.ts';
import { compileWords } from '../../../../src/import/consent-columns/words/word-patterns.ts';
import { hasDoubtfulName, stateByName } from '../../../../src/import/mapping/state/default-status.ts';
import { isUsualHeader } from '../../../../src/platforms/lib/headers.ts';
import { PENDING } from '../../../../src/platforms/lib/status-words.ts';
import { differing, goldenLines, meaningOf, tableOf } from './vocabulary/golden.ts';

/**
 * Compares every word that svc knows with text files, which people review. Each line has a word and its meaning. A word
 * that is lost, changed or misspelled in the source fails here. A new word needs a new line.
 */

const HEADED = [
  ['status-words.txt', 900, ['Status', 'Unsubscribed', 'Consent', 'Shoe']],
  ['notes.txt', 1000, ['Notes', 'Tags', 'Consent', 'Reason', 'Preferred channel']],
  [
    ...(['further-words.txt', 1500] as const),
    ['Status', 'Unsubscribed', 'Consent', 'Newsletter', 'Notes', 'Tags', 'Shoe', 'Surname', 'Order status'],
  ],
] as const;

test.each(HEADED)('reads each word of %s with the meaning in that file (C4, C6, C10, S2)', (file, fewest, headers) => {
  const tables = headers.map((header) => tableOf([header]));
  const lines = goldenLines(file).map(({ cells }) => cells);
  const read = lines.map(([word = '', ...rest]) => [
    word,
    ...tables.map((table) => meaningOf(table, word)),
    ...rest.slice(tables.length),
  ]);
  expect(lines.length).toBeGreaterThan(fewest);
  expect(differing(read, lines)).toEqual([]);
});

test('the text files have a line for each word of the word tables (C4, C10)', () => {
  const lines = HEADED.flatMap(([file]) => goldenLines(file));
  const words = new Set(lines.map(({ cells: [word = ''] }) => wordLookupKey(word)));
  // `UNFINISHED` joins each word for a confirmation with each word for missing. Single examples of them are enough.
  const states = [...STATE_WORDS, ...CLEAR_WORDS].flatMap(([word, state]) => (state === PENDING ? [] : [word]));
  const known = new Set([...states, ...ANSWER_WORDS, ...INACTIVE_WORDS, ...OPT_OUT_WORDS.other]);
  expect(known.size).toBeGreaterThan(2_400);
  expect([...known].filter((word) => !words.has(word))).toEqual([]);
});

test.each([
  ['status-words.txt', 5],
  ['further-words.txt', 10],
])('recognizes a status column "State" by each status word of %s (C10)', (file, last) => {
  const lines = goldenLines(file).map(({ cells }) => [cells[0] ?? '', cells[last] ?? '']);
  const read = lines.map(([word = '']) => [word, showsStatus(word) ? 'word' : '-']);
  expect(differing(read, lines)).toEqual([]);
});

/** True if this word makes `State` a status column, in which svc asks about each unknown word. */
function showsStatus(word: string): boolean {
  const table = tableOf(['State'], { rows: [['unsubscribed'], [word], ['xyzzy'], ['plugh']] });
  return meaningOf(table, 'xyzzy') === 'asked';
}

/** Whether svc still knows a word of a pattern, by the beginning of the heading in pattern-words.txt. */
const KNOWN: readonly (readonly [heading: string, fewest: number, isKnown: (word: string) => boolean])[] = [
  ['Neutral words', 600, (word) => meaningOf(tableOf([`${word} status`]), 'active') === 'subscribed'],
  ['Names of opt-out lists', 230, isOptOutListName],
  ['Words beside', 70, (word) => isOptOutListName(`${word} bounces`) && isOptOutListName(`bounces ${word}`)],
  ['Ends of accounts', 40, (word) => mayEndAccount(word, 'account status')],
];

test.each(KNOWN)('knows each word of pattern-words.txt: %s (C10)', (heading, fewest, isKnown) => {
  const lines = goldenLines('pattern-words.txt').filter((line) => line.heading.startsWith(heading));
  const words = lines.map(({ cells: [word = ''] }) => word);
  expect(words.length).toBeGreaterThan(fewest);
  expect(words.filter((word) => !isKnown(word))).toEqual([]);
  expect(['xyzzy', 'plugh', 'gardening'].filter(isKnown)).toEqual([]);
});

const CELLS = [
  ...['yes', 'no', '', '2021-03-04', 'removed', 'blocked', 'xyzzy', '3'],
  ...['please remove me from the list', 'newsletter', 'post'],
];

test('reads cells under each known header as headers.txt says (C10, C12)', () => {
  const lines = goldenLines('headers.txt').map(({ heading, cells: [header = ''] }) => [header, heading]);
  const read = lines.map(([header = '']) => {
    const table = tableOf([header]);
    return [header, CELLS.map((cell) => meaningOf(table, cell)).join(' | ')];
  });
  expect(lines.length).toBeGreaterThan(1400);
  expect(differing(read, lines)).toEqual([]);
});

test('reads cells under 25 headers as cells.txt says (C4, C6, C10, C12, S2)', () => {
  const golden = goldenLines('cells.txt');
  const tables = golden[0]?.heading.split(' | ').map((header) => tableOf([header])) ?? [];
  const lines = golden.map(({ cells }) => cells);
  const read = lines.map(([cell = '']) => [cell, ...tables.map((table) => meaningOf(table, cell))]);
  expect([tables.length, lines.length > 140]).toEqual([25, true]);
  expect(differing(read, lines)).toEqual([]);
});

test('reads each yes and no in platform columns as yes-no.txt says (C4)', () => {
  const left = tableOf(['Unsubscribed from all email'], { from: 'hubspot' });
  const agreed = tableOf(['subscribed_to_emails'], { from: 'ghost' });
  const lines = goldenLines('yes-no.txt').map(({ cells }) => cells);
  const read = lines.map(([word = '']) => [word, meaningOf(left, word), meaningOf(agreed, word)]);
  expect(differing(read, lines)).toEqual([]);
});

test('reads the status from a file name as file-names.txt says (C10)', () => {
  const lines = goldenLines('file-names.txt').map(({ cells }) => cells);
  const read = lines.map(([name = '']) => [name, stateByName({ path: name, entry: undefined, name }) ?? '-']);
  expect(differing(read, lines)).toEqual([]);
  const decomposed = lines.map(([name = '', state = '']) => [name.normalize('NFD'), state]);
  expect(
    differing(
      decomposed.map(([name = '']) => [name, stateByName({ path: name, entry: undefined, name }) ?? '-']),
      decomposed,
    ),
  ).toEqual([]);
});

test('reads each doubtful file name as doubtful-names.txt says (C4)', () => {
  const lines = goldenLines('doubtful-names.txt').map(({ cells }) => cells);
  const read = lines.map(([name = '']) => {
    const source = { path: name, entry: undefined, name };
    return [name, stateByName(source) ?? (hasDoubtfulName(source) ? 'asked' : '-')];
  });
  expect(lines.length).toBeGreaterThan(370);
  expect(differing(read, lines)).toEqual([]);
});

test('reads each header of a name or address as fields.txt says (F3, F8)', () => {
  const lines = goldenLines('fields.txt').map(({ heading, cells }) => [heading, ...cells]);
  const read = lines.map(([heading = '', header = '', other = '']) => [heading, ...fieldOf(heading, header, other)]);
  expect(lines.length).toBeGreaterThan(190);
  expect(differing(read, lines)).toEqual([]);
});

function fieldOf(heading: string, header: string, other: string): readonly string[] {
  switch (heading) {
    case 'in place of "Email"':
      return [header, tableOf([header], { address: 'Zz' }).columnIndexes.email === 1 ? 'address' : '-'];
    case 'beside "Email"':
      return [header, target([header], 0)];
    case 'beside "Email" and "Surname"':
      return [header, target([header, 'Surname'], 0)];
    default:
      return [header, other, target([header, other], 0), target([header, other], 1)];
  }
}

function target(headers: readonly string[], at: number): string {
  const table = tableOf(headers);
  const column = table.columns[at + 1];
  if (column?.kind !== 'attribute') {
    return column?.kind ?? '-';
  }
  return table.fullName?.index === at + 1 ? 'full name' : `attributes.${column.key}`;
}

test('recognizes each usual column name of a list of people (C9)', () => {
  const words = goldenLines('usual-headers.txt').map(({ cells: [word = ''] }) => word);
  expect(words.length).toBeGreaterThan(130);
  expect(words.filter((word) => !isUsualHeader(word))).toEqual([]);
  expect(['Ana', 'Bonn', 'xyzzy', '42'].filter(isUsualHeader)).toEqual([]);
});

test('recognizes each column name of an address or a name as usual (C9)', () => {
  const lines = goldenLines('fields.txt').filter(({ cells }) =>
    /^(?:address|first_name|last_name)$/.test(cells[1] ?? ''),
  );
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.map(({ cells: [word = ''] }) => word).filter((word) => !isUsualHeader(word))).toEqual([]);
});

test('offers no column of not-offered.txt as the status (C11)', () => {
  const offered = goldenLines('not-offered.txt').filter(({ heading, cells: [text = ''] }) =>
    heading.startsWith('Headers') ? isOffered(text, ['aa', 'bb']) : isOffered('Shoe', [text, 'lead']),
  );
  expect(offered.map(({ cells }) => cells)).toEqual([]);
  expect([isOffered('Shoe', ['aa', 'bb']), isOffered('City', ['unsubscribed', 'bb'])]).toEqual([true, true]);
});

test.each([
  ['email_level', 'always|never', 3],
  ['email_level', 'daily|weekly', 3],
  ['Delivery', '1|never', 3],
  ['Delivery mode', 'daily|off', 3],
  ['Delivery', 'weekly|no', 0],
  ['Country', 'daily|off', 0],
])('says how likely a column %s with %s is about consent: %i (C11)', (header, values, likelihood) => {
  expect(consentLikelihood({ header, beside: [], values: values.split('|'), hasBlanks: false })).toBe(likelihood);
});

function isOffered(header: string, values: readonly string[]): boolean {
  return consentLikelihood({ header, beside: [], values, hasBlanks: false }) > 0;
}

test.each([
  ['\\p{L}', 'ж', true],
  ['\\p{L}', '7', false],
  ['^\\p{L}+$', 'de list', false],
  ['[\\p{L}-]', '-', true],
  ['^[\\p{L}x]$', '7', false],
  ['\\p{N}', '٣', true],
])('says whether the compiled pattern %s matches "%s": %s (C10)', (source, words, matches) => {
  expect(compileWords(source).test(words)).toBe(matches);
});
