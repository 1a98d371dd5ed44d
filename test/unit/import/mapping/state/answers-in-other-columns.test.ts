import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const SUBSCRIBED = { '*': 'subscribed' };
const MAIN = csv('Email,Status', 'a@x.test,subscribed', 'b@x.test,subscribed');

test.each([
  ['Address', 'Deceased', { 'left.csv:Address:*': 'subscribed' }],
  ['Address', 'Deceased', { 'left.csv:Address:Deceased': 'skip' }],
  ['Owner email', 'o@y.test', { 'Owner email:*': 'subscribed' }],
  ['Kennung', 'B', { 'Kennung:B': 'unsubscribed' }],
])('asks for the status of an input when only column %s is answered (C4)', async (column, cell, statusMap) => {
  const files = { 'left.csv': csv(`Email,${column}`, 'a@x.test,', `b@x.test,${cell}`), 'main.csv': MAIN };
  const { finding } = await readList(files, { statusMap });

  expect([finding('no_status')?.level, finding('no_status')?.hint]).toEqual([
    'stop',
    '--default-status left.csv=unsubscribed',
  ]);
});

test.each([
  ['Points', '15', ['1.5', '-15', '1 5']],
  ['Joined', '2020-11-2', ['2020-1-12']],
  ['Kennung', 'A', ['A+', 'A-']],
  ['Plan', 'Pro', ['Pro+', 'Pro*', '#pro', 'Pro!', 'pro/', '€ pro', '¡pro', '(pro)', 'p/r/o']],
  ['Email', 'ab@x.test', ['a.b@x.test']],
])('an answer changes only the people with exactly its text, in %s: %s (C10)', async (column, text, others) => {
  const isAddress = column === 'Email';
  const rows = [text, ...others].map((cell, at) => (isAddress ? cell : `p${at}@x.test,${cell}`));
  const header = isAddress ? 'Email' : `Email,${column}`;
  const list = await readList(
    { 'list.csv': csv(header, ...rows) },
    { defaultStatus: SUBSCRIBED, statusMap: { [`${column}:${text}`]: 'suppressed' } },
  );

  expect(list.suppressions.unsubscribed).toEqual([isAddress ? text : 'p0@x.test']);
  expect(list.contacts.length).toBe(others.length);
});

test.each([
  ['Kennung', 'x:B', 'Kennung:x:B'],
  ['Last seen', '2020-01-02 10:30', 'Last seen:2020-01-02 10:30'],
  ['Kennung: neu', 'B', 'Kennung: neu:B'],
  ['Mark', '#', 'mark:#'],
  ['Mark', '-1', 'mark:-1'],
  ['Mark', '', 'mark:'],
  ['Group', 'Opt Out of Nothing', 'Group:opt-out of nothing'],
  ['Group', '„Süd-West“.', 'Group:sud west'],
  ['Group', "St. John's", 'Group:st johns'],
])('opts people out when column %s has %j and the answer is for %s (C10)', async (column, cell, answer) => {
  const list = await readList(
    { 'list.csv': csv(`Email,City,${column}`, 'a@x.test,Rome,A', `b@x.test,Rome,${cell}`) },
    { defaultStatus: SUBSCRIBED, statusMap: { [answer]: 'unsubscribed' } },
  );

  expect(list.contacts.map(({ status }) => status)).toEqual([undefined, 'unsubscribed']);
});

test('counts a person as skipped when an answer skips their address (C10)', async () => {
  const { contacts, reading } = await readList(
    { 'list.csv': csv('Email,City', 'a@x.test,Rome', 'b@x.test,Rome') },
    { defaultStatus: SUBSCRIBED, statusMap: { 'Email:b@x.test': 'skip' } },
  );

  expect([contacts.map(({ email }) => email), reading.rows.skipped]).toEqual([['a@x.test'], { by_request: 1 }]);
});

test.each([
  ['City', 'Bonn', 'opted out'],
  ['Company', 'Oak', 'unsubscribed'],
  ['Unsubscribed', 'no', 'yes'],
])('warns of an opt-out under %s when another word is answered (C10)', async (column, ordinary, cell) => {
  const others = Array.from({ length: 20 }, (_, index) => `p${index}@x.test,subscribed,${ordinary}`);
  const files = { 'list.csv': csv(`Email,Status,${column}`, ...others, `b@x.test,subscribed,${cell}`) };
  const { finding } = await readList(files, { statusMap: { other: 'skip' } });

  expect(finding('unknown_status')?.message).toContain(`subscribed by "Status" and not by "${column}"`);
});
