import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

const SUBSCRIBED = { defaultStatus: { '*': 'subscribed' } };

const list = (header: string) =>
  csv(
    `Name,Email,,${header}`,
    'Ana,ana@x.test,,bo@x.test',
    'Bo,bo@x.test,,di@x.test',
    'Cy,cy@x.test,,',
    'Di,di@x.test,,',
  );

test.each([
  ...['Email (left)', 'Leavers', 'People who left', 'Email gone', 'Ausgetretene', 'Ehemalige', 'Former members'],
  ...['Email (unsubscribed)', 'Abgemeldete', 'Removed', 'Opt-outs', 'Blacklist', 'Do not mail', 'Bounced addresses'],
])('asks about a second list of people below "%s" (C9, C11)', async (header) => {
  const asked = await readList({ 'l.csv': list(header) }, SUBSCRIBED);
  expect(asked.finding('unknown_status')).toMatchObject({
    level: 'stop',
    message: expect.stringContaining(`"${header}": "bo@x.test" (1), "di@x.test" (1)`),
  });
  const answered = await readList({ 'l.csv': list(header) }, { ...SUBSCRIBED, statusMap: { [`${header}:*`]: 'skip' } });
  expect(answered.contacts.map(({ email }) => email)).toEqual(['cy@x.test']);
});

test('asks about a second list that has names beside its addresses (C9)', async () => {
  const text = csv('Name,Email,,Name (left),Email (left)', 'Ana,ana@x.test,,Bo,bo@x.test', 'Bo,bo@x.test,,,');
  expect((await readList({ 'l.csv': text }, SUBSCRIBED)).finding('unknown_status')?.level).toBe('stop');
});

test.each(['Email 2', 'Partner', 'Referred by', 'Backup address'])(
  'does not ask about the addresses below "%s" (C9)',
  async (header) => {
    expect((await readList({ 'l.csv': list(header) }, SUBSCRIBED)).trouble).not.toContain('stop unknown_status');
  },
);

test('does not ask about the address of one colleague in many rows (C9)', async () => {
  const rows = Array.from({ length: 12 }, (_, row) => `p${row}@x.test,agent${row % 2}@x.test`);
  expect((await readList({ 'l.csv': csv('Email,Closed by', ...rows) }, SUBSCRIBED)).contacts).toHaveLength(12);
});
