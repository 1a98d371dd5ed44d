import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

const HEADERS =
  'Opted out|Opt-out|Unsubscribed|Abgemeldet|No newsletter|Bounced|Hard bounce|Left|Blacklist|Do not mail|Complained|Newsletter abbestellt|Désinscrit|Baja|Spam|Gesperrt|Deleted|Deceased|Unconfirmed|Invalid email|Mail error'.split(
    '|',
  );
const CROSSES = '✗|✘|❌|❎|⛔|🚫|❌\ufe0f'.split('|');

/** The people of a list whom svc signs up: Ana has this cell, Ben a blank one, and Cem the third. */
async function signedUpBy(header: string, cell: string, third = ''): Promise<string[]> {
  const rows = [`a@x.test,active,${cell}`, 'b@x.test,active,', `c@x.test,active,${third}`];
  const { contacts } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
  return contacts.filter(({ status }) => status !== 'unsubscribed').map(({ email }) => email);
}

test.each(HEADERS)('signs up no person with a cross beside blanks under %s (C10)', async (header) => {
  for (const cross of CROSSES) {
    expect([cross, await signedUpBy(header, cross)]).toEqual([cross, ['b@x.test', 'c@x.test']]);
  }
});

test('signs up no person with a refusing sign, also beside a yes (C10)', async () => {
  for (const sign of ['⛔', '🚫']) {
    expect([sign, await signedUpBy('Opted out', sign, 'yes')]).toEqual([sign, ['b@x.test']]);
  }
});

test.each(['✓', 'yes', 'ja', '☑', '1'])('reads a cross beside %s as a no (C10)', async (yes) => {
  for (const cross of ['✗', '✘', '❌', '❎']) {
    expect([cross, await signedUpBy('Opted out', cross, yes)]).toEqual([cross, ['a@x.test', 'b@x.test']]);
  }
});

const DENIED = [
  ['Status', '🚫 Subscribed', 'Subscribed'],
  ['Status', '❌ Active', '✅ Active'],
  ['Status', '✗ active', '✓ active'],
  ['Status', '!subscribed', 'subscribed'],
  ['Status', '≠ active', 'active'],
  ['Status', '~~active~~', 'active'],
  ['Status', 'Subscribed ⛔', 'Subscribed'],
  ['Email status', 'subscribed?', 'subscribed'],
  ['Newsletter', '❌ yes', 'yes'],
  ['Opt-in', '~~yes~~', 'yes'],
  ['Einwilligung', 'ja?', 'ja'],
] as const;

test.each(DENIED)('asks about a yes that a sign denies, under %s: %s (C4)', async (header, denied, yes) => {
  const files = { 'list.csv': csv(`Email,${header}`, `a@x.test,${denied}`, `b@x.test,${yes}`) };
  const defaultStatus = { '*': 'subscribed' };
  const asked = (await readList(files, { defaultStatus })).finding('unknown_status');
  expect(asked).toMatchObject({ level: 'stop', hint: `--status-map '${denied}=skip'` });

  const { contacts, trouble } = await readList(files, { defaultStatus, statusMap: { [denied]: 'skip' } });
  expect([contacts.map(({ email }) => email), trouble]).toEqual([['b@x.test'], []]);
});

test.each(['❌ No', '✗ no', '🚫 No'])('reads %s as a no, also under an opt-out (C10)', async (no) => {
  const files = { 'list.csv': csv('Email,Unsubscribed', `a@x.test,${no}`, 'b@x.test,✅ Yes') };
  const { contacts } = await readList(files);
  expect(contacts).toEqual([{ email: 'a@x.test' }, { email: 'b@x.test', status: 'unsubscribed' }]);
});

test.each([
  [{ 'Subscribed?': 'subscribed', '❌ Subscribed': 'skip' }, ['b@x.test']],
  [{ '❌ Subscribed': 'skip', 'Subscribed?': 'subscribed' }, ['b@x.test']],
  [{ 'Subscribed?': 'subscribed' }, ['stop unknown_status']],
  [{ '❌\ufe0f  SUBSCRIBED': 'skip', '*': 'subscribed' }, ['b@x.test']],
] as const)('takes the answer for one sign for no other sign: %j (C4)', async (statusMap, expected) => {
  const files = { 'list.csv': csv('Email,Status', 'a@x.test,❌ Subscribed', 'b@x.test,Subscribed?') };
  const { contacts, trouble } = await readList(files, { statusMap });
  expect(trouble.length > 0 ? trouble : contacts.map(({ email }) => email)).toEqual(expected);
});

// Headers under which svc must understand each filled cell, and headers of an event.
const ASKING_HEADERS =
  'Unsubscribed|Email opt out|Do not email|Blacklisted|Abgemeldet|Suppressed|Bounced|Subscribed|Opt-in|Unsubscribed at'.split(
    '|',
  );
// The signs that svc reads as a yes, a no or a missing date.
const KNOWN = '✓✔√☑○◯◎✅\u2212☐∞';
// Matches letters, digits and marks for a blank.
const OTHER_CHARACTERS = /[\p{L}\p{N}\p{Cn}\p{Cf}\p{M}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pc}\s.\u2026]/u;
// All signs of a few blocks: ASCII, Latin-1, punctuation, arrows, shapes, dingbats, private use.
const MARKS = [
  ...'/&%@\\:#*!¡§¶·¿\uf0fc\uf0fb\ue000\u0001\u0002',
  ...Array.from({ length: 0x800 }, (_, index) => String.fromCodePoint(0x2020 + index)),
].filter((mark) => !KNOWN.includes(mark) && !OTHER_CHARACTERS.test(mark.normalize('NFKC')));

test.each(ASKING_HEADERS)('never reads a sign as a blank under %s (C10)', (header) => {
  const table = tableOf([header]);
  const silent = MARKS.filter((mark) => ['blank', '-'].includes(meaningOf(table, mark)));
  expect([MARKS.length > 1000, silent]).toEqual([true, []]);
});

test('reads the bytes of a BIT column as yes and no (C10)', async () => {
  const rows = ['a@x.test,active,\u0000', 'b@x.test,active,\u0001', 'c@x.test,active,\u0000'];
  const { contacts } = await readList({ 'list.csv': csv('Email,Status,Unsubscribed', ...rows) });
  expect(contacts).toEqual([
    { email: 'a@x.test' },
    { email: 'b@x.test', status: 'unsubscribed' },
    { email: 'c@x.test' },
  ]);
});
