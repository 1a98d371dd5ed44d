import { expect, test } from 'vitest';
import { csv, readList } from '../import/support.ts';

const shop = (header: string, cells: string, answers: Parameters<typeof readList>[1] = {}) => {
  const rows = ['1,ana@x.test,1,0,yes', `2,ben@x.test,1,0,${cells}`];
  return readList({ 'customers.csv': csv(`id_customer,email,newsletter,optin,${header}`, ...rows) }, answers);
};

test('asks about the word no in a second column named Opt-in (C10)', async () => {
  const list = await shop('Opt-in', 'no');
  expect([list.trouble, list.contacts]).toEqual([['stop unknown_status'], []]);
  expect(list.finding('unknown_status')?.message).toContain('column "Opt-in" (column 5): "no" (1)');
  const answered = await shop('Opt-in', 'no', { map: ['optin=ignore'], statusMap: { '5:no': 'skip' } });
  expect([answered.trouble, answered.contacts]).toEqual([[], [{ email: 'ana@x.test' }]]);
});

test('reads consent from the PrestaShop column newsletter, not optin (C10)', async () => {
  const list = await shop('Town', 'Ulm');
  expect(list.contacts.map(({ email }) => email)).toEqual(['ana@x.test', 'ben@x.test']);
});
