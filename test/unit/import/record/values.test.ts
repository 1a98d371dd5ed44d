import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from '../../../../src/import/csv/quoting.ts';
import { stepOf } from '../../../support/sweep.ts';
import { csv, readList } from '../support.ts';

const subscribed = { defaultStatus: { '*': 'subscribed' } };
const contactsOf = async (text: string, map: readonly string[] = []) =>
  (await readList({ 'list.csv': text }, { ...subscribed, map })).contacts;

test('trims field values, and sends no field for a blank cell (F1)', async () => {
  const blank = fc.string({ unit: fc.constantFrom(' ', '\t', '\u00a0', '\u3000', '\n'), maxLength: 3 });
  const value = fc.constantFrom('', '007', 'a b', 'Ana', '1e5', '- x -');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(blank, value, blank), { minLength: 4, maxLength: 4 }), async (cells) => {
      const file = (written: readonly string[]) =>
        csv('Email,First Name,Last Name,City,Plan', csvLine(['a@x.test', ...written], ','), 'b@x.test,,,,');
      const padded = await contactsOf(file(cells.map((parts) => parts.join(''))));
      expect(padded).toEqual(await contactsOf(file(cells.map(([, text]) => text))));
    }),
    { numRuns: 200 / stepOf(4) },
  );
});

test.each([
  ['Name,Surname', 'Mary Ann,Elm', { first_name: 'Mary Ann', last_name: 'Elm' }],
  ['Name,Last name', 'Mary Ann,Elm', { first_name: 'Mary Ann', last_name: 'Elm' }],
  ['Nachname,Name', 'Elm,Mary Ann', { first_name: 'Mary Ann', last_name: 'Elm' }],
  ['Name,Nom', 'Mary Ann,Elm', { first_name: 'Mary Ann', last_name: 'Elm' }],
  ['Name,Vorname', 'Elm,Mary Ann', { first_name: 'Mary Ann', last_name: 'Elm' }],
  ['Nom,Prénom', 'Elm,Mary Ann', { first_name: 'Mary Ann', last_name: 'Elm' }],
  [
    'First Name,Surname,Name',
    'Mary Ann,Elm,M. A. Elm',
    { first_name: 'Mary Ann', last_name: 'Elm', attributes: { name: 'M. A. Elm' } },
  ],
  ['Name', 'Mary Ann Elm', { attributes: { name: 'Mary Ann Elm' } }],
])("keeps every part of a person's name from the columns %s: %s (F1)", async (header, row, fields) => {
  expect(await contactsOf(csv(`Email,${header}`, `a@x.test,${row}`))).toEqual([{ email: 'a@x.test', ...fields }]);
});

test.each([
  ['Mary Ann Elm,,Elm', { first_name: 'Mary Ann', last_name: 'Elm' }],
  ['Mary Ann,,Elm', { first_name: 'Mary Ann', last_name: 'Elm' }],
  ['Mary Ann Elm,Mary Ann,', { first_name: 'Mary Ann', last_name: 'Elm' }],
  ['Mary Ann Elm,Mary Ann,Elm', { first_name: 'Mary Ann', last_name: 'Elm' }],
  ['Mary Ann Elm,,', { first_name: 'Mary', last_name: 'Ann Elm' }],
])('fills the missing first or last name from the full name: %s (F1)', async (row, fields) => {
  const text = csv('Email,Full,First Name,Last Name', `a@x.test,${row}`);
  expect(await contactsOf(text, ['Full=name'])).toEqual([{ email: 'a@x.test', ...fields }]);
});

test('offers to split a full name into first and last name', async () => {
  const list = await readList(
    { 'list.csv': csv('Email,Full Name', 'b@x.test,Bo', 'a@x.test,Mary Ann Elm') },
    subscribed,
  );
  expect(list.finding('columns')).toMatchObject({
    level: 'warn',
    message:
      'list.csv: "Full Name" is sent as it is, not as first and last name. As a name, "Mary Ann Elm" would be first name "Mary", last name "Ann Elm"',
    hint: "--map 'Full Name=name'",
  });
});

test.each([
  ['"VIP","Blog, weekly"', 'VIP; Blog, weekly'],
  ['"VIP"', 'VIP'],
  ['"VIP" , "a ""b"""', 'VIP; a "b"'],
  ['VIP,Blog', 'VIP,Blog'],
  ['"VIP" and more', '"VIP" and more'],
  ['"VIP",', '"VIP",'],
  ['"VIP', '"VIP'],
])('sends the Mailchimp tags %s as %s (F1)', async (tags, sent) => {
  const header = 'Email Address,MEMBER_RATING,LEID,EUID,TAGS';
  const text = csv(header, csvLine(['a@x.test', '', '1', 'a', tags], ','));
  expect((await contactsOf(text))[0]?.attributes).toEqual({ tags: sent });
});

test.each(['#', ' ', '', '-'])('warns that a column with the header %j is not sent (F3)', async (name) => {
  const list = await readList({ 'list.csv': csv(`${name},Email`, '1,a@x.test', '2,b@x.test') }, subscribed);
  expect([list.contacts, list.trouble]).toEqual([
    [{ email: 'a@x.test' }, { email: 'b@x.test' }],
    ['warn attribute_key'],
  ]);
});
