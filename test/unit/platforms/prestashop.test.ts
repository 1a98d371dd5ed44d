import { expect, test } from 'vitest';
import { readList } from '../import/support.ts';

const shop = (header: string, cells: string) =>
  readList({
    'customers.csv': `id_customer,email,newsletter,optin,${header}\n1,ana@x.test,1,0,yes\n2,ben@x.test,1,0,${cells}\n`,
  });

test('stops, or leaves a person out, when a second column Opt-in says no (C10)', async () => {
  const list = await shop('Opt-in', 'no');
  const isAsked = list.finding('unknown_status')?.level === 'stop';
  const emails = list.contacts.map(({ email }) => email);
  expect(isAsked || !emails.includes('ben@x.test')).toBe(true);
});

test('reads consent from the PrestaShop column newsletter, not optin (C10)', async () => {
  const list = await shop('Town', 'Ulm');
  expect(list.contacts.map(({ email }) => email)).toEqual(['ana@x.test', 'ben@x.test']);
});
