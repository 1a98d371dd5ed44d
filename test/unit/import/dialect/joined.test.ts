import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { isOtherHeader } from '../../../../src/import/dialect/header-row.ts';
import { csv, type ReadList, readList } from '../support.ts';
import { withFlags } from '../survey/checks/paste-hints.ts';

const HEADER = 'Email,First Name,Last Name,Lead Source,Status';
const FIRST = 'ana@x.test,Ana,Alb,Phone,active';

test.each([
  ',No,,Mail,active',
  ',Geen,Email,,active',
  ',Bo,Email,Newsletter,active',
  'none,Bo,Berg,Email,active',
  ',Bo,Email,555,active',
  ',,Email,Newsletter,active',
  'phone,Bo,Berg,Phone,active',
  'Phone,,,,active',
  'Address,Bo,Berg,Newsletter,active',
])('rejects the row %s, which has one header word, without a stop', async (row) => {
  const list = await readList({ 'list.csv': csv(HEADER, FIRST, row) });
  expect([list.trouble, list.reading.rows.rejected]).toEqual([[], 1]);
});

test.each([
  'Email,City,Status',
  'E-Mail,Vorname,Nachname',
  'Nachname,E-Mail,Vorname',
  'Correo,Teléfono,Ciudad,País,Estado',
  'email,favourite_colour,shoe_size',
  'EMAIL,SHOE_SIZE',
])('stops at a second header %s, until --allow-joined-files is given', async (row) => {
  const file = { 'list.csv': csv(HEADER, FIRST, row, 'ben@x.test,Bo,Berg,Fair,active') };
  const [stop] = stops(await readList(file));
  expect([stop?.check, stop?.total]).toEqual(['ragged_rows', 1]);
  expect([stop?.hint, stop?.when]).toEqual([
    '--allow-joined-files',
    expect.stringContaining('Give the two files one by one'),
  ]);
  const lifted = await readList(file, { allowJoinedFiles: true });
  expect(stops(lifted)).toEqual([]);
  expect([lifted.contacts.map(({ email }) => email), lifted.reading.rows.rejected]).toEqual([['ana@x.test'], 2]);
});

test.each([
  ['Email,Status', 'ana@x.test,active', 'Email,Opt-out'],
  ['Email,Status', 'ana@x.test,active', 'E-Mail,Do not mail'],
  ['Email,Subscribed', 'ana@x.test,yes', 'Email,Bounced'],
  ['Correo,Estado', 'ana@x.test,activo', 'Correo,Baja'],
  ['Email,Name,Status', 'ana@x.test,Ana,active', 'Email,Opted out,Reason'],
  ['Email,Newsletter', 'ana@x.test,yes', 'Address,Unsubscribed'],
  ['Email,Newsletter', 'ana@x.test,yes', 'Adresse,Abgemeldet'],
])('stops at a second consent header: header %s, row %s, second %s (C10)', async (header, row, second) => {
  const list = await readList({ 'list.csv': csv(header, row, second, 'ben@x.test,1,') });
  const [stop] = stops(list).filter(({ message }) => message.includes('names of other columns'));
  expect([stop?.check, stop?.when]).toEqual(['ragged_rows', expect.stringContaining('reject it and 1 row below it')]);
});

test.each(['Email,Opt-out,,', 'Email,,,Unsubscribed', 'Opt-out,Email,,', 'E-Mail,Name,,Do not mail'])(
  'stops at a second header with columns at other positions: %s (C10)',
  async (second) => {
    const header = 'First Name,Last Name,E-mail address,Status';
    const list = await readList({ 'list.csv': csv(header, 'Ana,Alb,ana@x.test,active', second, 'ana@x.test,1,,') });
    expect([stops(list).map(({ check }) => check), list.contacts]).toEqual([['ragged_rows'], []]);
  },
);

// The columns of the second header, and a row below them that names a person of the first table.
const BELOW = [
  ...[['Email,Opt-out', 'ana@x.test,1'] as const, ['Email,Unsubscribed', 'ana@x.test,yes'] as const],
  ...[['Email,Name,Bounced', 'ana@x.test,Ana,yes'] as const, ['Name,Email', 'active,ana@x.test'] as const],
  ...[['Email,Opted out,', 'ana@x.test,active,'] as const, ['Email,Phone,Left', 'ana@x.test,,active'] as const],
];

test.each(BELOW)('--allow-joined-files signs up no person below the header %s (C9)', async (second, row) => {
  const rows = ['ana@x.test,active,Ulm', 'ben@x.test,active,Bonn', second, row, row.replace('ana', 'cleo')];
  for (const header of ['Email,Status,City', 'Email,Status,Town']) {
    const list = await readList({ 'list.csv': csv(header, ...rows) }, { allowJoinedFiles: true });
    expect(stops(list)).toEqual([]);
    // Ana stands above and below. svc can't know what the row below says about her.
    expect(list.contacts.map(({ email }) => email)).toEqual(['ben@x.test']);
    expect(list.reading.rejections?.find(({ reason }) => reason === 'below_other_header')?.total).toBe(2);
  }
});

test('stops at a row in one quoted cell, until --allow-joined-files is given', async () => {
  const file = { 'list.csv': csv('Email,Name,Status', 'ana@x.test,Ana,active', '"ben@x.test,Bo,unsubscribed"') };
  expect(stops(await readList(file)).map(({ check }) => check)).toEqual(['ragged_rows']);
  const lifted = await readList(file, { allowJoinedFiles: true });
  expect([lifted.contacts.map(({ email }) => email), lifted.reading.rows.rejected]).toEqual([['ana@x.test'], 1]);
});

test('writes no contact for an opt-out below a second header (C9)', async () => {
  const file = {
    'list.csv': csv('Email,Name,City', 'ana@x.test,Ana,Ulm', 'E-Mail,Status,City', 'bo@x.test,unsubscribed,Bonn'),
  };
  const options = { allowJoinedFiles: true, defaultStatus: { '*': 'subscribed' } };
  const { contacts } = await readList(file, options);
  expect(contacts.map(({ email, status }) => [email, status])).toEqual([['ana@x.test', undefined]]);
});

test.each([
  ...['Unsubscribed:,,,,', ',--- OPTED OUT ---,,,', ',,Abgemeldet,,', 'Bounced contacts,,,,', 'FORMER MEMBERS,,,,'],
  ...['Ex-Mitglieder,,,,', 'Anciens membres,,,,', 'Oud-leden,,,,', ',Tidligere medlemmer,,,'],
  ...['OPTED OUT,OPTED OUT,OPTED OUT,OPTED OUT,OPTED OUT', 'Status:,Unsubscribed,,,', 'Abgemeldet,,seit 2020,,'],
  ...['Not interested,,,,', 'Unsubscribed Email,First Name,Last Name,,Status', '*** DO NOT MAIL ***,,,,'],
])('stops at the row %s, which may head a group of opted-out people (C10)', async (heading) => {
  const file = { 'list.csv': csv(HEADER, FIRST, heading, 'bo@x.test,Bo,Berg,Fair,active') };
  const [stop] = stops(await readList(file));
  expect([stop?.check, stop?.total, stop?.hint]).toEqual([
    'ragged_rows',
    1,
    'Move the people who left to a file whose name says their state',
  ]);
  expect(stops(await readList(file, { allowJoinedFiles: true }))).toHaveLength(1);
  expect(stops(await readList(file, withFlags({}, splitShellText(stop?.otherwise?.[0]?.flags ?? ''))))).toEqual([]);
});

test.each(['no email,,,,', 'Unsubscribed:,,,,', ',--- OPTED OUT ---,,,', 'kein Newsletter,,,,'])(
  'does not stop at the row %s when no person is below it (C10)',
  async (last) => {
    for (const rows of [[last], [last, 'Total: 1,,,,', last]]) {
      const list = await readList({ 'list.csv': csv(HEADER, FIRST, ...rows) });
      expect([stops(list), list.contacts.length, list.reading.rows]).toMatchObject([
        [],
        1,
        { read: rows.length + 1, rejected: rows.length },
      ]);
    }
  },
);

test('shows each opt-out heading with a person below it, and no other (C10)', async () => {
  const rows = ['Unsubscribed:,,,,', 'no email,,,,', 'bo@x.test,Bo,Berg,Fair,active', 'Opted out,,,,'];
  const found = stops(await readList({ 'list.csv': csv(HEADER, FIRST, ...rows) }));
  expect(found.map(({ total, examples }) => [total, examples?.map(({ line }) => line)])).toEqual([
    [1, [3]],
    [1, [4]],
  ]);
});

test.each([
  ...['* = no mail,,,,', '¹ abgemeldet,,,,', '(1) wants no newsletter,,,,', 'K,= kein Newsletter,,,', 'red = left,,,,'],
  ...['Legend: 1 = subscriber; 2 = left,,,,', 'Red rows are unsubscribed,,,,', '* Members with a star: no mail,,,,'],
])('stops at the row %s, a legend for a mark of opted-out people (C10)', async (legend) => {
  const file = { 'list.csv': csv(HEADER, FIRST, 'bo@x.test,Bo*,Berg,Fair,active', legend) };
  const [stop, ...others] = stops(await readList(file));
  expect([others, stop?.check, stop?.total]).toEqual([[], 'ragged_rows', 1]);
  expect(stop?.hint).toContain('Move the people with the mark');
  expect(stops(await readList(file, { allowJoinedFiles: true }))).toHaveLength(1);
  expect(stops(await readList(file, withFlags({}, splitShellText(stop?.otherwise?.[0]?.flags ?? ''))))).toEqual([]);
});

test.each([
  ...[
    'Total: 2,,,,',
    '*** End of report ***,,,,',
    '* required,,,,',
    '- duplicates removed,,,,',
    '© 2024 Example Ltd,,,,',
  ],
  ...['Unsubscribed: 0,,,,', 'Note: exported 2024 by Kim,,,,', ',Dot,,,unsubscribed', 'n/a,Dot,,,unsubscribed'],
])('does not treat the last row %s as a legend', async (last) => {
  expect(stops(await readList({ 'list.csv': csv(HEADER, FIRST, last) }))).toEqual([]);
});

function stops({ reading }: ReadList) {
  return reading.findings.filter(({ level }) => level === 'stop');
}

/** Rows below the header `Email,First Name,Status`. A second header has two column names, one for an address. */
test.each<[boolean, string[]]>([
  [true, ['Email', 'City', 'Status']],
  [true, ['First Name', 'Email', 'Status']],
  [false, ['Email', 'First Name', 'Status']],
  [false, [' EMAIL', 'first_name', 'status ']],
  [false, ['Email']],
  [false, ['City', 'Status']],
  [false, ['Email', 'Rome']],
  [false, ['Email', 'email']],
  [false, ['Email', 'City', 'ana@x.test']],
  [false, ['Email', 'City', 'x ana@x.test']],
  [true, ['active', 'ana@x.test', 'Email', 'City', 'Status']],
  [false, ['Email', 'City', 'Status', 'ana@x.test']],
  [true, ['Email', 'City', 'x'.repeat(60)]],
  [false, ['Email', 'City', 'x'.repeat(61)]],
  [false, ['Email', 'City', '42']],
  [false, ['Email', 'City', ' €5 ']],
  [true, ['Email', 'City', 'Line 2']],
  [true, ['Email', 'created_at']],
  [true, ['Email', 'cityName']],
  [true, ['Email', 'CITY_NAME']],
  [false, ['Email', 'CityName!']],
])('says whether a row is a second header: %s for %j (C9)', (expected, cells) => {
  expect(isOtherHeader({ header: ['Email', 'First Name', 'Status'] }, cells)).toBe(expected);
});
