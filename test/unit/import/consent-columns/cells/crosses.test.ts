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

test.each(HEADERS)('signs up no person with a cross under %s when other rows are blank (C10)', async (header) => {
  for (const cross of CROSSES) {
    expect([cross, await signedUpBy(header, cross)]).toEqual([cross, ['b@x.test', 'c@x.test']]);
  }
});

test('signs up no person with ⛔ or 🚫 when another row says yes (C10)', async () => {
  for (const sign of ['⛔', '🚫']) {
    expect([sign, await signedUpBy('Opted out', sign, 'yes')]).toEqual([sign, ['b@x.test']]);
  }
});

test.each(['✓', 'yes', 'ja', '☑', '1'])(
  'reads a cross as a no when another row of the column says %s (C10)',
  async (yes) => {
    for (const cross of ['✗', '✘', '❌', '❎']) {
      expect([cross, await signedUpBy('Opted out', cross, yes)]).toEqual([cross, ['a@x.test', 'b@x.test']]);
    }
  },
);

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

test.each(DENIED)('asks about a yes that a symbol denies, under %s: %s (C4)', async (header, denied, yes) => {
  const files = { 'list.csv': csv(`Email,${header}`, `a@x.test,${denied}`, `b@x.test,${yes}`) };
  const defaultStatus = { '*': 'subscribed' };
  const asked = (await readList(files, { defaultStatus })).finding('unknown_status');
  expect(asked).toMatchObject({ level: 'stop', hint: `--status-map '${denied}=skip'` });

  const { contacts, trouble } = await readList(files, { defaultStatus, statusMap: { [denied]: 'skip' } });
  expect([contacts.map(({ email }) => email), trouble]).toEqual([['b@x.test'], []]);
});

test.each(['❌ No', '✗ no', '🚫 No'])('reads %s as a no under the header Unsubscribed (C10)', async (no) => {
  const files = { 'list.csv': csv('Email,Unsubscribed', `a@x.test,${no}`, 'b@x.test,✅ Yes') };
  const { contacts } = await readList(files);
  expect(contacts).toEqual([{ email: 'a@x.test' }, { email: 'b@x.test', status: 'unsubscribed' }]);
});

test.each([
  [{ 'Subscribed?': 'subscribed', '❌ Subscribed': 'skip' }, ['b@x.test']],
  [{ '❌ Subscribed': 'skip', 'Subscribed?': 'subscribed' }, ['b@x.test']],
  [{ 'Subscribed?': 'subscribed' }, ['stop unknown_status']],
  [{ '❌\ufe0f  SUBSCRIBED': 'skip', '*': 'subscribed' }, ['b@x.test']],
] as const)('applies the answer for one symbol to no other symbol: %j (C4)', async (statusMap, expected) => {
  const files = { 'list.csv': csv('Email,Status', 'a@x.test,❌ Subscribed', 'b@x.test,Subscribed?') };
  const { contacts, trouble } = await readList(files, { statusMap });
  expect(trouble.length > 0 ? trouble : contacts.map(({ email }) => email)).toEqual(expected);
});

// Headers under which svc must understand each filled cell, and headers of an event.
const ASKING_HEADERS =
  'Unsubscribed|Email opt out|Do not email|Blacklisted|Abgemeldet|Suppressed|Bounced|Subscribed|Opt-in|Unsubscribed at'.split(
    '|',
  );
// The symbols that svc reads as a yes, a no or a missing date.
const KNOWN = '✓✔√☑○◯◎✅\u2212☐∞';
// Matches letters, digits and marks for a blank.
const OTHER_CHARACTERS = /[\p{L}\p{N}\p{Cn}\p{Cf}\p{M}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pc}\s.\u2026]/u;
// All symbols of a few Unicode blocks: ASCII, Latin-1, punctuation, arrows, shapes, dingbats, private use.
const MARKS = [
  ...'/&%@\\:#*!¡§¶·¿\uf0fc\uf0fb\ue000\u0001\u0002',
  ...Array.from({ length: 0x800 }, (_, index) => String.fromCodePoint(0x2020 + index)),
].filter((mark) => !KNOWN.includes(mark) && !OTHER_CHARACTERS.test(mark.normalize('NFKC')));

test.each(ASKING_HEADERS)('never reads a symbol as a blank under %s (C10)', (header) => {
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

// Cells in which a symbol denies a yes. `@` stands for the yes. The rows are: markup, boxes, entities, symbols,
// strokes, years that have passed.
const DENIALS = [
  '<s>@</s>|<del>@</del>|<strike>@</strike>|<span style="text-decoration:line-through">@</span>|<img src="no.png"> @',
  '<input type=checkbox> @|[ ] @|[] @|( ) @|[-] @|（ ） @|@(-)|@ (0)|&#9744; @',
  '&#10008; @|&#x2718; @|&cross; @|&times; @|:no_entry: @',
  '🔴 @|🗑 @|○ @|◯ @|◻ @|▢ @|🟥 @|💀 @|⏸ @|💤 @|🔕 @|📵 @|☠ @|⚠ @|╳ @|† @|@ 🚫|\uf0fb @',
  '--@--|~@~|-@-|//@|@\u0336|@\u0338',
  '@ (2015-2018)|@ (01.01.2015 - 31.12.2018)|@ (-2018)|@ (2015/16)|@ 2015–2018',
].flatMap((row) => row.split('|'));
const AGREEMENTS =
  '<b>@</b>|<p>@</p>|<a href="https://x.test/?a=1">@</a>|@&nbsp;|&#10003; @|@ ✓|✅ @|👍 @|☑ @|🟢 @|● @|✉️ @|⭐ @|❤️ @|🇩🇪 @|@ 🙂|@!|@.|- @|@+|@ (2021-05-20)|@ (20/05/2021)|@ 2021-05-20T10:00:00Z'.split(
    '|',
  );
const YES_BY_HEADER = [
  ['Status', 'subscribed'],
  ['Status', 'active'],
  ['Email status', 'abonniert'],
  ['Newsletter', 'yes'],
  ['Opt-in', 'ja'],
  ['Marketing consent', 'granted'],
] as const;

test.each(YES_BY_HEADER)('asks about a crossed-out or expired yes under %s: %s (C10)', (header, yes) => {
  const table = tableOf([header]);
  const meaning = (form: string) => meaningOf(table, form.replace('@', yes));
  expect(DENIALS.filter((form) => meaning(form) !== 'asked')).toEqual([]);
  expect(AGREEMENTS.filter((form) => !['subscribed', 'agrees'].includes(meaning(form)))).toEqual([]);
});

test.each([
  ['Kit', 'email,status', 'cold'],
  ['Ghost', 'email,subscribed_to_emails', 'true'],
])('asks about a crossed-out or expired yes in a %s list (C4)', async (_, header, yes) => {
  const from = _.toLowerCase();
  const list = async (form: string) => {
    const cell = `"${form.replace('@', yes).replaceAll('"', '""')}"`;
    return readList({ 'list.csv': csv(header, `a@x.test,${yes}`, `b@x.test,${cell}`) }, { from });
  };
  for (const form of DENIALS) {
    const { contacts, trouble } = await list(form);
    expect([form, trouble, contacts.map(({ email }) => email)]).toEqual([form, ['stop unknown_status'], ['a@x.test']]);
  }
});

test.each(['[ ] yes', '🔴 yes', '🗑 yes', '<s>yes</s>', 'yes (2015-2018)'])(
  'does not apply the answer for yes to %s, and offers a skip (C4, C11)',
  async (denied) => {
    const files = { 'list.csv': csv('Email,Newsletter', 'a@x.test,yes', `b@x.test,${denied}`, 'c@x.test,no') };
    const answered = await readList(files, { statusMap: { 'Newsletter:yes': 'subscribed', 'Newsletter:no': 'skip' } });
    expect([answered.contacts.map(({ email }) => email), answered.trouble]).toEqual([
      ['a@x.test'],
      ['stop unknown_status'],
    ]);
    const hint = (await readList(files)).finding('unknown_status')?.hint ?? '';
    expect(hint).toContain(`${denied}=skip`);
  },
);

test.each([
  ['Opt-in', '✓', '○'],
  ['Newsletter', 'yes', '◯'],
  ['Opt-in', '●', '○'],
  ['Subscribed', 'x', ':x:'],
])('under %s, when another row has %s, asks whether %s is a no (C10)', async (header, yes, sign) => {
  const rows = [`a@x.test,${yes}`, `b@x.test,${sign}`];
  const { trouble, contacts } = await readList({ 'list.csv': csv(`Email,${header}`, ...rows) });
  expect([trouble.includes('stop unknown_status'), contacts.some(({ email }) => email === 'b@x.test')]).toEqual([
    true,
    false,
  ]);
});

test('reads a circle as a yes when another row has a cross (C10)', async () => {
  const files = { 'list.csv': csv('Email,Opt-in', 'a@x.test,○', 'b@x.test,×') };
  const { contacts } = await readList(files, { statusMap: { 'Opt-in:×': 'skip' } });
  expect(contacts).toEqual([{ email: 'a@x.test' }]);
});

// In a column with ticks such a symbol is a plain no. Other cells, and a no, show no ticks.
test.each([
  ...['yes', '✓', 'x', '1'].map((beside) => [beside, '-'] as const),
  ...['blue', 'no', '0', ''].map((beside) => [beside, 'refused'] as const),
])('reads a stop symbol beside "%s" in an unrelated column as %s (C10)', (beside, meaning) => {
  const table = tableOf(['Shoe'], { rows: [['red'], [beside]] });
  expect(['⛔', '🚫', '🛑'].map((symbol) => meaningOf(table, symbol))).toEqual([meaning, meaning, meaning]);
});
