import { expect, test } from 'vitest';
import { everyNth } from '../../../../support/sweep.ts';
import { csv, readList } from '../../support.ts';

/** Finds the people whom a list signs up, and whether svc asks about the value. */
async function read(header: string, ...rows: readonly string[]) {
  const { contacts, finding } = await readList({ 'list.csv': csv(header, ...rows) });
  return { signedUp: contacts.length, asks: finding('unknown_status')?.level === 'stop' };
}

const PAIRS = [
  ...['meta_key,meta_value', 'Key,Value', 'Setting,Value', 'Field,Value', 'Name,Value', 'Attribute,Attribute value'],
  ...['Variable,Val', 'Type,Value', 'Feld,Wert', 'Option,Option value', 'Property,Value', 'Question,Answer'],
];

const ANSWERS = [
  ['1', '0'],
  ['true', 'false'],
  ['yes', 'no'],
] as const;
const FIELDS = ['subscribed', 'opted_in', 'newsletter_optin', 'unsubscribed', 'newsletter'].flatMap((field) =>
  ANSWERS.map(([yes, no]) => ({ field, yes, no })),
);

// Each pair of headers meets each field or most of them, with one of the kinds of answers.
test.each(PAIRS)('asks about consent fields whose name and value stand in %s (C10)', async (pair) => {
  for (const { field, yes, no } of everyNth(FIELDS, 4, PAIRS.indexOf(pair))) {
    const rows = [`a@x.test,${field},${yes}`, `b@x.test,${field},${no}`];
    const alone = await read(`Email,${pair}`, ...rows);
    expect([field, yes, alone]).toEqual([field, yes, { signedUp: 0, asks: true }]);
    const beside = await read(`Status,Email,${pair}`, ...rows.map((row) => `active,${row}`));
    expect([field, yes, beside]).toEqual([field, yes, { signedUp: 0, asks: true }]);
  }
});

test.each([
  ['Email,Status,Key,Value', 'active,city,1', 'active,shoe size,0'],
  ['Email,Status,Name,Value', 'active,Ann Miller,1', 'active,Ben Lee,0'],
  ['Email,Status,Type,Value', 'active,Customer,1', 'active,Student,0'],
  ['Email,Status,Newsletter type,Score', 'active,newsletter,1', 'active,newsletter,0'],
  ['Email,Status,Key,Value', 'active,newsletter,weekly', 'active,newsletter,monthly'],
  ['Email,Status,Plan,Value', 'active,pro,1', 'active,free,0'],
])('does not ask about the values of other columns: %s (C10)', async (header, first, second) => {
  expect(await read(header, `a@x.test,${first}`, `b@x.test,${second}`)).toEqual({ signedUp: 2, asks: false });
});

const HEADERS_FOR_NO = ['Yes,No', 'Ja,Nein', 'Oui,Non', 'Sì,No', 'Ja,Nee', 'Tak,Nie', 'Y,N'];
const TICKS = [
  ['1', '0'],
  ['TRUE', 'FALSE'],
  ['true', 'false'],
  ['x', ''],
  ['1', ''],
  ['Yes', 'No'],
] as const;

test.each(HEADERS_FOR_NO)('asks about a tick under the header for no, the second of %s (C10)', async (pair) => {
  for (const [tick, none] of TICKS) {
    const rows = [`a@x.test,A,active,${tick},${none}`, `b@x.test,B,active,${none},${tick}`];
    const found = await readList({ 'list.csv': csv(`Email,Name,Status,${pair}`, ...rows) });
    const mailed = found.contacts.map(({ email }) => email);
    expect([tick, mailed.includes('b@x.test')]).toEqual([tick, false]);
    expect([tick, found.finding('unknown_status')?.level]).toEqual([tick, 'stop']);
  }
});

test('asks when cells under Ja and Nein hold the words of their headers (C10)', async () => {
  const found = await read('Email,Status,Ja,Nein', 'a@x.test,active,Ja,', 'b@x.test,active,,Nein');
  expect(found).toMatchObject({ asks: true });
});

test('asks about TRUE under No without a column Yes (C10)', async () => {
  const found = await read('Email,Status,No', 'a@x.test,active,FALSE', 'b@x.test,active,TRUE');
  expect(found).toEqual({ signedUp: 1, asks: true });
});

test.each([
  ['No,Email,Status', '1,a@x.test,active', '0,b@x.test,active'],
  ['No,Email,Status', '1,a@x.test,active', '2,b@x.test,active'],
  ['No,Email,Status,Yes votes', '1,a@x.test,active,1', '0,b@x.test,active,0'],
  ['No,Email,Status,Yes', '1,a@x.test,active,1', '2,b@x.test,active,1'],
  ['Email,Status,Yes,No', 'a@x.test,active,1,0', 'b@x.test,active,1,0'],
])('does not ask about the column No when it means no refusal: %s (C10)', async (header, first, second) => {
  expect(await read(header, first, second)).toEqual({ signedUp: 2, asks: false });
});
