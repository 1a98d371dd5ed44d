import { expect, test } from 'vitest';
import { csv, type ReadList, readList } from '../support.ts';

const DEFAULT = { defaultStatus: { '*': 'subscribed' } };

test.each([
  ['Liste', 'Newsletter', 'Abgemeldet'],
  ['', 'Members', 'Unsubscribed'],
  ['Section', 'A', 'Opted out'],
  ['Gruppe', 'Kunden', 'nicht mehr anschreiben'],
])('asks the user about blanks below an opt-out label in column %j (C10)', async (header, first, left) => {
  const people = [`${first},ana@x.test`, ',al@x.test', `${left},bo@x.test`, ',ben@x.test', ',bea@x.test'];
  const file = { 'list.csv': csv(`${header},Email`, ...people) };
  const list = await readList(file, { ...DEFAULT, statusMap: { 'nicht mehr anschreiben': 'unsubscribed' } });
  expect(stops(list)).toMatchObject([
    { check: 'ragged_rows', total: 2, hint: expect.stringContaining('Fill each blank'), examples: [{ line: 5 }, {}] },
  ]);
  expect(stops(await readList(file, { ...DEFAULT, allowJoinedFiles: true }))).toEqual([]);
});

test.each([
  ['a column of notes', 'Notes', ['met in Rome,ana@x.test', 'unsubscribed,bo@x.test', ',al@x.test']],
  ['a column whose first cell is blank', 'Tag', [',ana@x.test', 'unsubscribed,bo@x.test', ',al@x.test']],
  ['a column of repeated words', 'Tag', ['vip,ana@x.test', 'vip,bo@x.test', 'unsubscribed,ben@x.test', ',al@x.test']],
])('does not ask the user about blanks below an opt-out word in %s (C10)', async (_, header, rows) => {
  expect(stops(await readList({ 'list.csv': csv(`${header},Email`, ...rows) }, DEFAULT))).toEqual([]);
});

test.each(['″', 'ditto', 'dto.', 'siehe oben', 'same as above', '〃'])(
  'asks the user about the note %s, which means "as in the row above" (C10)',
  async (ditto) => {
    const rows = ['ana@x.test,met in Rome', 'bo@x.test,unsubscribed', `ben@x.test,${ditto}`];
    const list = await readList({ 'list.csv': csv('Email,Notes', ...rows) }, DEFAULT);
    expect(stops(list).map(({ check }) => check)).toEqual(['unknown_status']);
  },
);

function stops({ reading }: ReadList) {
  return reading.findings.filter(({ level }) => level === 'stop');
}
