import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

test.each([
  ['Previous status', 'unsubscribed'],
  ['old_status', 'bounced'],
  ['Status (before)', 'hard bounce'],
  ['Vorheriger Status', 'abgemeldet'],
  ['Alter Status', 'gesperrt'],
  ['Ancien statut', 'désabonné'],
  ['Estado anterior', 'baja'],
  ['Stato precedente', 'disiscritto'],
  ['Poprzedni status', 'wypisany'],
  ['Предыдущий статус', 'отписан'],
  ['旧ステータス', '退会'],
  ['Former subscription status', 'whatever'],
])('asks the user about an active person with %s: %s (C10)', async (header, word) => {
  const rows = csv(`Email,Status,${header}`, `ana@x.test,active,${word}`, 'bo@x.test,active,active');
  const asked = await readList({ 'list.csv': rows });
  expect([asked.contacts.map(({ email }) => email), asked.suppressions]).toEqual([['bo@x.test'], {}]);
  expect(asked.finding('unknown_status')).toMatchObject({
    level: 'stop',
    hint: expect.stringContaining(`${header}:${word}=skip`),
    when: 'This skips 1 row',
    otherwise: [{ flags: expect.stringContaining(`${header}=ignore`) }],
    total: 1,
  });
  const skipped = await readList({ 'list.csv': rows }, { statusMap: { [`${header}:${word}`]: 'skip' } });
  expect([skipped.trouble, skipped.contacts.length]).toEqual([[], 1]);
  const ignored = await readList(
    { 'list.csv': rows },
    { map: [`${header}=ignore`], statusMap: { [`${header}:*`]: 'subscribed' } },
  );
  expect([ignored.trouble, ignored.contacts.length]).toEqual([[], 2]);
});

test('does not ask the user about the old status of opted-out people (C10)', async () => {
  const rows = csv('Email,Status,Previous status', 'ana@x.test,unsubscribed,bounced', 'bo@x.test,active,');
  const { trouble, contacts } = await readList({ 'list.csv': rows });
  expect([trouble, contacts.map(({ status }) => status)]).toEqual([[], ['unsubscribed', undefined]]);
});

test('offers to skip people when a list has only a previous status (C10, C11)', async () => {
  const rows = csv('Email,Previous status', 'ana@x.test,active', 'bo@x.test,unsubscribed');
  const { contacts, finding } = await readList({ 'list.csv': rows });
  expect([contacts, finding('no_status')]).toMatchObject([[], { hint: '--default-status skip' }]);
});

test('asks the user about the role "nonmember" in a Mailman export (C10)', async () => {
  const rows = csv('address,role', 'ana@x.test,member', 'bo@x.test,nonmember', 'cy@x.test,owner');
  const { finding } = await readList({ 'members.csv': rows }, { defaultStatus: { '*': 'subscribed' } });
  expect(finding('unknown_status')).toMatchObject({ hint: '--status-map nonmember=skip', total: 1 });
  const price = csv('Email,Ticket,Status', 'ana@x.test,Non-member,active');
  expect((await readList({ 'list.csv': price })).trouble).toEqual([]);
});
