import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

/** Finds the people whom a list signs up, and whether svc asks about the value. */
async function read(header: string, ...rows: readonly string[]) {
  const { contacts, finding } = await readList({ 'list.csv': csv(header, ...rows) });
  return { signedUp: contacts.length, asks: finding('unknown_status')?.level === 'stop' };
}

const PAIRS = [
  ...['meta_key,meta_value', 'Key,Value', 'Setting,Value', 'Field,Value', 'Name,Value', 'Attribute,Attribute value'],
  ...['Variable,Val', 'Type,Value', 'Feld,Wert', 'Option,Option value', 'Property,Value', 'Question,Answer'],
];

test.each(PAIRS)('asks about the values of the fields in the columns %s (C10)', async (pair) => {
  for (const field of ['subscribed', 'opted_in', 'newsletter_optin', 'unsubscribed', 'newsletter']) {
    for (const [yes, no] of [
      ['1', '0'],
      ['true', 'false'],
      ['yes', 'no'],
    ] as const) {
      const rows = [`a@x.test,${field},${yes}`, `b@x.test,${field},${no}`];
      const alone = await read(`Email,${pair}`, ...rows);
      expect([field, yes, alone]).toEqual([field, yes, { signedUp: 0, asks: true }]);
      const beside = await read(`Status,Email,${pair}`, ...rows.map((row) => `active,${row}`));
      expect([field, yes, beside]).toEqual([field, yes, { signedUp: 0, asks: true }]);
    }
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
