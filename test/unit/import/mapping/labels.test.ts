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
  expect(stops(await readList(file, { ...DEFAULT, allowBlanks: [header || '1'] }))).toEqual([]);
});

test.each([
  ['Status,Liste,Email', ['active,News,', 'active,Abgemeldet,', 'active,,']],
  ['Email,Status,Segment', [',active,Kunden', ',active,Unsubscribed', ',active,']],
  ['Email,Name,Status,Zielgruppe,Groupe', [',A,active,x,Membres', ',B,active,x,désabonnés', ',C,active,x,']],
  ['Category,Email,Status', ['A,,active', 'Opted out,,active', ',,active']],
  ['Email,Status,Audience', [',active,News', ',active,', ',active,Unsubscribed', ',active,']],
  ['Email,Mail status,Status', [',active,subscribed', ',active,unsubscribed', ',active,']],
])('asks the user about blanks below an opt-out in the columns %s (C10)', async (header, rows) => {
  const at = header.split(',').indexOf('Email');
  const lines = rows.map((row, index) => row.split(',').with(at, `p${index}@x.test`).join(','));
  expect(stops(await readList({ 'list.csv': csv(header, ...lines) }))).toMatchObject([
    { check: 'ragged_rows', total: 1, examples: [{ line: rows.length + 1 }] },
  ]);
});

test.each([
  ['Email,Status,Notes', [',active,met in Rome', ',active,unsubscribed', ',active,']],
  ['Email,Status,Tags', [',active,vip', ',active,unsubscribed', ',active,']],
  ['Email,Status,List', [',active,News', ',active,News', ',active,Unsubscribed', ',active,']],
  ['Email,Status,List', [',active,', ',active,News', ',active,Unsubscribed', ',active,']],
  ['Email,Status,List', [',active,News', ',active,Unsubscribed', ',active,News', ',active,']],
  ['Email,Status,City', [',active,Rome', ',active,Left', ',active,']],
])('does not take the blanks of %s for merged cells (C10)', async (header, rows) => {
  const at = header.split(',').indexOf('Email');
  const lines = rows.map((row, index) => row.split(',').with(at, `p${index}@x.test`).join(','));
  const found = stops(await readList({ 'list.csv': csv(header, ...lines) }));
  expect(found.filter(({ check }) => check === 'ragged_rows')).toEqual([]);
});

test.each([
  ['a column of notes', 'Notes', ['met in Rome,ana@x.test', 'unsubscribed,bo@x.test', ',al@x.test']],
  ['a column whose first cell is blank', 'Tag', [',ana@x.test', 'unsubscribed,bo@x.test', ',al@x.test']],
  ['a column of repeated words', 'Tag', ['vip,ana@x.test', 'vip,bo@x.test', 'unsubscribed,ben@x.test', ',al@x.test']],
])('does not ask the user about blanks below an opt-out word in %s (C10)', async (_, header, rows) => {
  expect(stops(await readList({ 'list.csv': csv(`${header},Email`, ...rows) }, DEFAULT))).toEqual([]);
});

const DITTO = ['″', 'ditto', 'dito', 'dto.', 's.o.', 's. o.', 'siehe oben', 'wie oben', 'same as above', 'as above'];
const MORE_DITTO = ['same', 'Same', 'idem', 'ebd.', 'ebenda', 'ibid.', 'do.', '〃', '"', "''", '-"-'];

test.each([...DITTO, ...MORE_DITTO])(
  'asks the user about the note %s, which means "as in the row above" (C10)',
  async (ditto) => {
    const rows = ['ana@x.test,met in Rome', 'bo@x.test,unsubscribed', `ben@x.test,"${ditto.replaceAll('"', '""')}"`];
    const list = await readList({ 'list.csv': csv('Email,Notes', ...rows) }, DEFAULT);
    expect(stops(list).map(({ check }) => check)).toEqual(['unknown_status']);
  },
);

function stops({ reading }: ReadList) {
  return reading.findings.filter(({ level }) => level === 'stop');
}
