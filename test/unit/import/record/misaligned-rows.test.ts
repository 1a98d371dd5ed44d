import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

const DEFAULT = { defaultStatus: { '*': 'subscribed' } };

test.each([
  ['Email,Name,City,Newsletter', 'bo@x.test,Berg, Bo,Rome,no', 'bo@x.test,Bo,Rome,yes'],
  ['Email,Name,City,Weekly', 'bo@x.test,Berg, Bo,Rome,nein', 'bo@x.test,Bo,Rome,'],
  ['Email,Name,City,Notes', 'bo@x.test,Berg, Bo,Rome,unsubscribed', 'bo@x.test,Bo,Rome,'],
])('does not subscribe a person whose overlong row holds a no: %s (C9)', async (header, cut, row) => {
  const list = await readList({ 'list.csv': csv(header, 'ana@x.test,Ana,Rome,', cut, row) }, DEFAULT);
  expect(list.contacts.map(({ email }) => email)).not.toContain('bo@x.test');
  expect(list.reading.rows.rejected).toBe(1);
});

test('sends the valid row of a person when another of their rows is too long', async () => {
  const rows = ['ana@x.test,Ana,Rome', 'bo@x.test,Berg, Bo,Rome', 'bo@x.test,Bo,Rome'];
  const list = await readList({ 'list.csv': csv('Email,Name,City', ...rows) }, DEFAULT);
  expect(list.contacts.map(({ email }) => email)).toEqual(['ana@x.test', 'bo@x.test']);
});

test('asks the user about a yes under the wrong header in a short row (C10)', async () => {
  const rows = ['ana@x.test,Ana,Rome,no', 'bo@x.test,Bo,yes'];
  const list = await readList({ 'list.csv': csv('Email,Name,City,Unsubscribed', ...rows) }, DEFAULT);
  expect(list.finding('unknown_status')).toMatchObject({
    level: 'stop',
    message: expect.stringContaining('short rows (column "City"): "yes" (1)'),
  });
});

test.each([
  ['yes=skip', []],
  ['City:yes=skip', []],
  ['City:*=skip', []],
  ['*=skip', []],
  ['City:yes=unsubscribed', ['bo@x.test unsubscribed']],
  ['City:*=subscribed', ['bo@x.test subscribed']],
])('accepts --status-map %s for a yes in the wrong column (C10, C11)', async (answer, others) => {
  const rows = ['ana@x.test,Ana,Rome,no', 'bo@x.test,Bo,yes'];
  const cut = answer.lastIndexOf('=');
  const statusMap = { [answer.slice(0, cut)]: answer.slice(cut + 1) };
  const files = { 'list.csv': csv('Email,Name,City,Unsubscribed', ...rows) };
  const { contacts, finding } = await readList(files, { ...DEFAULT, statusMap });
  expect(finding('unknown_status')).toBeUndefined();
  expect(contacts.map(({ email, status = 'subscribed' }) => `${email} ${status}`)).toEqual([
    'ana@x.test subscribed',
    ...others,
  ]);
});

test.each(['yes', '*'])('asks about a misplaced yes despite --status-map %s=subscribed (C10)', async (word) => {
  const rows = ['ana@x.test,Ana,Rome,no', 'bo@x.test,Bo,yes'];
  const files = { 'list.csv': csv('Email,Name,City,Unsubscribed', ...rows) };
  const { finding } = await readList(files, { ...DEFAULT, statusMap: { [word]: 'subscribed' } });
  expect(finding('unknown_status')?.level).toBe('stop');
});

test.each([
  ['Email,Name,VIP,Unsubscribed', 'ana@x.test,Ana,yes,no', 'bo@x.test,Bo,yes'],
  ['Email,Name,City,Unsubscribed', 'ana@x.test,Ana,Rome,no', 'bo@x.test,Bo,Oslo'],
  ['Email,Name,City,Phone', 'ana@x.test,Ana,Rome,1', 'bo@x.test,Bo,no'],
])('does not ask about a short row when no cell looks misplaced: %s', async (...lines) => {
  const list = await readList({ 'list.csv': csv(...lines) }, DEFAULT);
  expect([list.finding('unknown_status'), list.contacts.length]).toEqual([undefined, 2]);
});

test('says that the unknown status is in the last cell of a short row (C10)', async () => {
  const rows = ['ana@x.test,Ana,Oslo,yes', 'bo@x.test,Bo,no'];
  const { finding } = await readList({ 'list.csv': csv('Email,Name,Town,Newsletter', ...rows) });
  expect(finding('unknown_status')).toMatchObject({
    message: 'list.csv: unknown status values in the last cell of short rows (column "Town"): "no" (1)',
    otherwise: [
      {
        when: expect.stringContaining('the last cells of these short rows'),
        flags: '--status-map Town:no=subscribed',
      },
    ],
  });
});
