import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { saysNothing } from '../vocabulary/golden.ts';

// Refusals and crosses beside the name of a person. The status beside them says that the person gets mail.

/** True if the cell says nothing under this header, so that a status beside it decides. */
function isSilent(cell: string, { header = 'Name', others = ['Carl Oak', 'Eve Ash'] } = {}): boolean {
  return saysNothing(header, ...others, cell);
}

const NOTES =
  'nein|no|NO|non|nee|nie|nej|não|nicht|never|jamais|stop|weg|raus|partie|uscita|baja|gone|left|left July|gone since 2022|paused|refused|refusé|declined|no thanks|not interested|x|退会|不要'.split(
    '|',
  );

test.each(['Anna Berg (%)', 'Anna Berg [%]', 'Anna Berg - %', 'Anna Berg – %', '(%) Anna Berg'])(
  'asks about a refusal beside a name in the form %s (C10)',
  (form) => {
    const cells = NOTES.map((note) => form.replace('%', note));
    expect(cells.filter((cell) => isSilent(cell))).toEqual([]);
  },
);

test.each([
  ...['Anna Berg, left', 'Anna Berg / nein', 'Nein! Anna Berg', 'NO - Anna Berg', 'NEIN Anna Berg', '田中花子（不要）'],
  ...['X Anna Berg', 'x Anna Berg', 'XX Anna Berg', 'xx Anna Berg', 'x - Anna Berg', 'X: Anna Berg', 'Anna Berg X'],
  ...['Anna Berg x', 'Z Anna Berg', '[X] Anna Berg', 'Z - Anna Berg'],
])('asks about the mark in %s (C10)', (cell) => {
  expect(isSilent(cell)).toBe(false);
});

test.each([
  ['First name', 'X Anna', 'Carl'],
  ['Vorname', 'Anna (nein)', 'Carl'],
  ['Last name', 'Berg - left', 'Oak'],
  ['Company', 'Berg AG (nein)', 'Oak Ltd'],
  ['Company', 'Berg AG - no', 'Oak Ltd'],
])('asks about a mark under %s: %s (C10)', (header, cell, other) => {
  expect(isSilent(cell, { header, others: [other] })).toBe(false);
});

test.each([
  ...['X Æ', 'X Æ A-12', 'Malcolm X', 'X. Anna Berg', 'Anna X. Berg', 'Xavier Berg', 'Zoe Berg', 'Z. Berg', 'X Li'],
  ...['Anna Ek (née Berg)', 'Anna Ek (nee Berg)', 'Anna Ek (nee Dec)', 'Anna Ek - née Berg', 'Anna Ek (Née)'],
  ...['Maximilian Ek (Max)', 'Robert Ek (Skip)', 'Nona Ek (Non)', 'Mai Berg (Mai)', 'Kim No', 'No Kim', 'Nie Anna'],
  ...[
    'Anna Berg (she/her)',
    'Anna Berg - Oak',
    'Berg (Oslo, NO)',
    'Anna Berg (FR)',
    'Anna Berg (PhD)',
    'Anna Berg, MD',
  ],
  ...['Berg, Anna', 'anna berg, oak', 'Anna Berg/Oak', 'Jean-Paul Ek', 'Anna Berg (Sales)', 'Anna: Berg'],
])('asks nothing about the name %s (C10)', (cell) => {
  expect(isSilent(cell)).toBe(true);
});

test.each([
  ['Name', 'X Anna Berg', 'J Carl Oak'],
  ['Name', 'Anna Berg X', 'Carl Oak T'],
  ['First name', 'X Anna', 'J Carl'],
  ['Company', 'X Rental Ltd', 'Oak Ltd'],
  ['Company', 'Gone Fishing', 'Oak Ltd'],
  ['Company', 'Berg (NO)', 'Oak Ltd'],
  ['Company', 'Out - Door', 'Oak Ltd'],
])('takes a letter or a word for a part of the name under %s: %s (C10)', (header, cell, other) => {
  expect(isSilent(cell, { header, others: [other] })).toBe(true);
});

test('finds marks beside names in late rows by their bytes (C10)', async () => {
  // svc reads each cell of a column if its first rows have a mark, so these have none.
  const first = Array.from({ length: 200 }, (_, at) => `q${at}@x.test,active,Carl Oak`);
  const marked = [
    'X Anna Berg',
    'Anna Berg (nein)',
    'Anna Berg - left',
    'Anna Berg X',
    '"Anna Berg, left"',
    'Ana（no）',
  ];
  const rows = [...marked, 'Anna Berg', '"Berg, Anna"', 'Xavier Ek'].map((name, at) => `p${at}@x.test,active,${name}`);
  const { contacts, finding } = await readList({ 'list.csv': csv('Email,Status,Name', ...first, ...rows) });
  expect(contacts.slice(first.length).map(({ email }) => email)).toEqual(['p6@x.test', 'p7@x.test', 'p8@x.test']);
  // Only the survey reads bytes, so its finding shows what the quick tests of bytes saw.
  expect(finding('unknown_status')?.total).toBe(marked.length);
});
