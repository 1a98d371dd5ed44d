import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

/** The meaning of the status cell, in words: `asked`, or the state of the person. */
async function read(cell: string, header = 'Status', name = 'list.csv') {
  const quoted = `"${cell.replaceAll('"', '""')}"`;
  const list = csv(`Email,${header}`, `ana@x.test,${quoted}`, 'ben@x.test,subscribed', 'cy@x.test,subscribed');
  const { contacts, trouble } = await readList({ [name]: list });
  const ana = contacts.find(({ email }) => email === 'ana@x.test');
  return trouble.includes('stop unknown_status') ? 'asked' : ana && (ana.status ?? 'subscribed');
}

test.each(['subscribed', 'active', 'opted in', 'yes', 'abonniert', 'inscrit'])(
  'asks about a mark beside %s (C4, C10)',
  async (yes) => {
    const cells = [
      '%*',
      '*%',
      '% *',
      '%**',
      '%＊',
      '%※',
      '% #',
      '%^',
      '%~',
      '%§',
      '%†',
      '%?',
      '(%)',
      '[%]',
      '{%}',
      '（%）',
    ];
    const known = await Promise.all(cells.map(async (cell) => [cell, await read(cell.replace('%', yes))]));
    expect(known).toEqual(cells.map((cell) => [cell, 'asked']));
  },
);

test.each([
  'subscribed',
  'Subscribed.',
  'subscribed (2021)',
  '✓ subscribed',
  'subscribed!',
  '1 - subscribed',
  '"subscribed"',
])('reads %s as subscribed', async (cell) => {
  expect(await read(cell)).toBe('subscribed');
});

test.each(['unsubscribed*', '(unsubscribed)', '[unsubscribed]', '*unsubscribed', 'unsubscribed #', '(opted out)'])(
  'reads %s as unsubscribed (C10)',
  async (cell) => {
    expect(await read(cell)).toBe('unsubscribed');
  },
);

test('does not apply an answer for a marked status to the plain status (C4)', async () => {
  const list = csv('Email,Status', 'ana@x.test,subscribed*', 'ben@x.test,subscribed', 'cy@x.test,(subscribed)');
  const statusMap = { 'Status:subscribed*': 'unsubscribed', '(subscribed)': 'skip' } as const;
  const { contacts, trouble } = await readList({ 'list.csv': list }, { statusMap });
  expect([trouble, contacts.map(({ email, status }) => [email, status])]).toEqual([
    [],
    [
      ['ana@x.test', 'unsubscribed'],
      ['ben@x.test', undefined],
    ],
  ]);
});
