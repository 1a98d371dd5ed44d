import { expect, test } from 'vitest';
import { splitShellText } from '../../../../../src/base/lib/text.ts';
import { csv, readList } from '../../support.ts';
import { pasteHints, withFlags } from './paste-hints.ts';

test.each([
  ['Newsletter', 'Student', 'yes', 'no'],
  ['Nyhedsbrev', 'Medlem', 'Ja', 'Nej'],
  ['Consent', 'Member', 'TRUE', 'FALSE'],
])('names the consent column in the hint when a list has %s and %s (C11)', async (consent, other, yes, no) => {
  const rows = [`a@x.test,${yes},${yes}`, `b@x.test,,${yes}`, `c@x.test,${yes},${no}`, `d@x.test,${no},${yes}`];
  const files = { 'list.csv': csv(`Email,${consent},${other}`, ...rows) };
  const { finding } = await readList(files);
  const hint = finding('unknown_status')?.hint ?? '';
  expect(hint).toBe(`--status-map ${consent}:${no}=skip --status-map ${consent}:=skip`);
  // An answer about the other column signs up no person whom the first answer skips.
  const answers = withFlags(
    {},
    splitShellText(`${hint} --map ${other}=status --status-map ${other}:${yes}=subscribed`),
  );
  const { contacts } = await readList(files, answers);
  expect(contacts.filter(({ status }) => status === undefined).map(({ email }) => email)).toEqual(['a@x.test']);
});

test('names the column of an answer for more than twenty words (C11)', async () => {
  const rows = Array.from({ length: 24 }, (_, row) => `p${row}@x.test,word ${row},odd`);
  const { finding } = await readList({ 'list.csv': csv('Email,Status,Consent', ...rows, 'z@x.test,,') });
  expect(finding('unknown_status')?.hint).toContain("--status-map 'Status:*=skip' --status-map Status:=skip");
  expect(finding('unknown_status')?.hint).not.toContain("--status-map '*=skip'");
});

/** Columns in which `weg` is an opt-out, although svc counts it with other cells or not at all. */
const OPT_OUT_COLUMNS: readonly (readonly [header: string, cells: readonly string[]])[] = [
  ['Left on', ['', '2020-01-01']],
  ['Unsubscribed at', ['2020-01-01', '']],
  ['Unsubscribe reason', ['', 'too many emails']],
  ['Abgemeldet am', ['', '01.02.2020']],
  ['Unsubscribe reason', Array.from({ length: 60 }, (_, row) => `text ${row}`)],
];

test.each(OPT_OUT_COLUMNS)('an answer for Status changes no opt-out below %j (C7, C11)', async (header, cells) => {
  const rows = cells.map((cell, row) => `p${row}@x.test,active,${cell}`);
  const files = { 'list.csv': csv(`Email,Status,${header}`, 'a@x.test,weg,', ...rows, 'z@x.test,active,weg') };
  const statesOf = (contacts: readonly { readonly email: string; readonly status?: string }[]) =>
    contacts.filter(({ email }) => email !== 'a@x.test').map(({ email, status }) => [email, status]);
  const before = await readList(files);
  expect(statesOf(before.contacts)).toContainEqual(['z@x.test', 'unsubscribed']);
  const pasted = await pasteHints(files);
  expect(statesOf(pasted?.contacts ?? [])).toEqual(statesOf(before.contacts));
});

test('names no column in an answer when only one is about consent (C11)', async () => {
  const { finding } = await readList({ 'list.csv': csv('Email,Name,Status', 'a@x.test,A,active', 'b@x.test,B,cold') });
  expect(finding('unknown_status')?.hint).toBe('--status-map cold=skip');
});

test.each([
  ['Status', 'Status'],
  ['Status', 'STATUS'],
  ['Consent', 'Consent'],
  ['Notes', 'Notes'],
])('an answer by number counts for only one of the columns %j and %j (C11)', async (one, other) => {
  const rows = ['a@x.test,stop mails maybe,,active', 'b@x.test,,stop mails maybe,active', 'c@x.test,,,active'];
  const files = { 'list.csv': csv(`Email,${one},${other},Mailing status`, ...rows) };
  const asked = (await readList(files)).finding('unknown_status');
  expect(asked?.message).toContain(`"${one}" (column 2)`);
  expect(asked?.message).toContain(`"${other}" (column 3)`);
  const { finding } = await readList(files, { statusMap: { '2:stop mails maybe': 'skip', '2:': 'skip' } });
  expect(finding('unknown_status')?.message).not.toContain('(column 2)');
  expect(finding('unknown_status')?.message).toContain('(column 3)');
  const both = await readList(files, { statusMap: { [`${one}:stop mails maybe`]: 'skip', [`${one}:`]: 'skip' } });
  expect(both.trouble).not.toContain('stop unknown_status');
  const pasted = await pasteHints(files);
  expect(pasted?.contacts.filter(({ status }) => status === undefined)).toEqual([{ email: 'c@x.test' }]);
});

test('an answer for a column does not count in another column (C11)', async () => {
  const rows = ['a@x.test,yes,', 'b@x.test,no,', 'c@x.test,yes,newsletter-no'];
  const { finding } = await readList(
    { 'list.csv': csv('Email,Newsletter,Tags', ...rows) },
    { statusMap: { 'Newsletter:yes': 'subscribed', 'Newsletter:no': 'subscribed' } },
  );
  expect(finding('unknown_status')?.message).toContain('"newsletter-no"');
});

test('names the input in each condition when inputs have equal columns (C11)', async () => {
  const file = csv('Email,Status', 'a@x.test,active', 'b@x.test,cold');
  const { reading } = await readList({ 'one.csv': file, 'two.csv': file.replaceAll('@', '2@') });
  const answers = reading.findings.flatMap(({ when, otherwise = [] }) => [when, ...otherwise.map((one) => one.when)]);
  expect(answers).toContain('Only if the column "Status" is not about mail (two.csv)');
  expect(new Set(answers.filter((one) => one !== undefined)).size).toBe(6);
});

test('offers each column of addresses when the list has no header (C11)', async () => {
  const rows = ['ann@x.test,Ann,boss1@y.test', 'ben@x.test,Ben,boss2@y.test', 'cy@x.test,Cy,boss3@y.test'];
  const { finding } = await readList({ 'list.csv': csv(...rows) }, { map: ['2=first_name'] });
  expect(finding('columns')).toMatchObject({
    level: 'stop',
    hint: '--map 1=email',
    otherwise: [{ when: 'If column 3 holds the address', flags: '--map 3=email' }],
  });
});

test.each([
  ['Plan', 'free', 'Plan: free'],
  ['Paid', 'no', '2: no'],
  ['Paid', 'no', '2:no'],
])('the answer for Status skips no person by column %s with cell %s (C11)', async (column, cell, word) => {
  const files = {
    'list.csv': csv(
      `Email,${column},Status`,
      `a@x.test,${cell},active`,
      `b@x.test,x,${word}`,
      `c@x.test,${cell},active`,
    ),
  };
  const asked = await readList(files);
  const [, answer = ''] = /^--status-map '?(.*?)=skip/.exec(asked.finding('unknown_status')?.hint ?? '') ?? [];
  const list = await readList(files, { statusMap: { [answer]: 'skip' } });

  expect(answer).toBe(`Status:${word}`);
  expect(list.contacts.map(({ email }) => email)).toEqual(['a@x.test', 'c@x.test']);
});
