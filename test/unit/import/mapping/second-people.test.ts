import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

const SUBSCRIBED = { defaultStatus: { '*': 'subscribed' } };

test.each([
  ['a list without a header', csv('ana@x.test,Ana,bo@x.test', 'cy@x.test,Cy,di@x.test'), { map: ['1=email'] }, '3'],
  ['a column "Partner"', csv('Email,Partner', 'ana@x.test,bo@x.test', 'cy@x.test,di@x.test'), {}, 'Partner'],
  [
    'columns "Mom" and "Dad"',
    csv('Mom,Dad', 'ana@x.test,bo@x.test', 'cy@x.test,di@x.test'),
    { map: ['Mom=email'] },
    'Dad',
  ],
])('warns about a column with addresses of other people: %s (L5)', async (_, text, answers, column) => {
  const { contacts, reading } = await readList({ 'list.csv': text }, { ...SUBSCRIBED, ...answers });
  expect(contacts.map(({ email }) => email)).toEqual(['ana@x.test', 'cy@x.test']);
  expect(reading.findings.filter(({ message }) => message.includes('second address'))).toMatchObject([
    {
      check: 'columns',
      level: 'warn',
      message: expect.stringContaining(`the column "${column}" holds a second address in 2 rows`),
      hint: `Only if they agreed to get mail from you, and the status of the row is theirs too, import the list once more with --map ${column}=email`,
      examples: [{ value: 'bo@x.test' }, { value: 'di@x.test' }],
    },
  ]);
});

test.each([
  ['the address of the person again', csv('Email,Login', 'ana@x.test,ANA@x.test', 'bo@x.test,bo@x.test')],
  ['other text', csv('Email,Note', 'ana@x.test,see bo@x.test')],
])('does not warn about a column that holds %s (L5)', async (_, text) => {
  const { reading } = await readList({ 'list.csv': text }, SUBSCRIBED);
  expect(reading.findings.filter(({ message }) => message.includes('second address'))).toEqual([]);
});

test.each(['Kontakt,Referred by', 'Referred by,Kontakt', 'Privat,Betreuer', 'Betreuer,Privat'])(
  'unsubscribes an address when an opt-out row has it twice: %s (C9)',
  async (header) => {
    const rows = ['a@x.test,unsubscribed,b@x.test,b@x.test', 'b@x.test,active,,', 'c@x.test,active,d@x.test,e@x.test'];
    const { contacts } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
    const left = contacts.filter(({ status }) => status === 'unsubscribed').map(({ email }) => email);
    expect(left).toEqual(['a@x.test', 'b@x.test']);
  },
);
