import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

const SUBSCRIBED = { defaultStatus: { '*': 'subscribed' } };

/** Headers of lists with addresses in several columns. */
const HEADERS = [
  'Email,Email 2',
  'Email 1,Email 2,Email 3',
  'E-mail 1 - Value,E-mail 2 - Value,E-mail 3 - Value',
  'Work email,Email',
  'Email address - home,Email address - other,Email address - work',
  'City,Email,Private email,Work email',
];

test.each(HEADERS)('offers flags that keep every address of the columns %s (F8)', async (header) => {
  const columns = header.split(',');
  const cells = columns.map((column, at) => (/mail/i.test(column) ? `p${at}@x.test` : 'Ulm'));
  const files = { 'list.csv': csv(header, cells.join(','), cells.join(',').replaceAll('p', 'q')) };
  const read = await readList(files, SUBSCRIBED);
  const hint = read.finding('columns')?.hint ?? '';
  const map = [...hint.matchAll(/--map '([^']+)'|--map (\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

  const sentAsAttributes = await readList(files, { ...SUBSCRIBED, map });

  const [person] = sentAsAttributes.contacts;
  const found = [person?.email, ...Object.values(person?.attributes ?? {})].filter((value) => value?.includes('@'));
  expect(found.sort()).toEqual(cells.filter((cell) => cell.includes('@')).sort());
  expect(sentAsAttributes.finding('columns')).toBe(undefined);
});

test.each([
  ['Email,Name,Email', 'yes,Ana,ana@x.test', 'no,Bo,bo@x.test'],
  ['Email,Email 2', 'ana@x.test,', 'bo@x.test,no'],
  ['E-Mail,Mailadresse', 'ana@x.test,ja', 'bo@x.test,nein'],
])('asks the user about a no in an email column without addresses: %s (C10)', async (...lines) => {
  const { contacts, finding } = await readList({ 'list.csv': csv(...lines) }, SUBSCRIBED);
  expect([contacts.map(({ email }) => email), finding('unknown_status')?.level]).toEqual([['ana@x.test'], 'stop']);
});

test('reads a no in a column of second addresses as "no second address"', async () => {
  const lines = ['Email,Email 2', 'ana@x.test,also@x.test', 'bo@x.test,no'];
  const { contacts } = await readList({ 'list.csv': csv(...lines) }, SUBSCRIBED);
  expect(contacts.map(({ email }) => email)).toEqual(['ana@x.test', 'bo@x.test']);
});
