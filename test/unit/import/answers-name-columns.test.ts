import { expect, test } from 'vitest';
import { splitShellText } from '../../../src/base/lib/text.ts';
import { withFlags } from './paste-hints.ts';
import { csv, readList } from './support.ts';

test.each([
  ['Newsletter', 'Student', 'yes', 'no'],
  ['Nyhedsbrev', 'Medlem', 'Ja', 'Nej'],
  ['Consent', 'Member', 'TRUE', 'FALSE'],
])('names the column of an answer when svc offers %s and %s (C11)', async (consent, other, yes, no) => {
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
