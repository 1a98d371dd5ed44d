import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const KNOWN = [
  ['HARD_BOUNCE', 'bounced'],
  ['SPAM_COMPLAINT', 'complained'],
  ['USER_SUPPRESSED', 'unsubscribed'],
] as const;

const FORMS = [
  (word: string, known: string) => `["${word}","${known}"]`,
  (word: string, known: string) => `["${known}","${word}"]`,
  (word: string, known: string) => `${word};${known}`,
];

const CASES = KNOWN.flatMap(([known, reason]) => FORMS.map((formOf) => [formOf('NEW_REASON', known), reason] as const));

test.each(CASES)('suppresses for the known word in %s when the other gets an answer (C7)', async (cell, reason) => {
  const rows = ['sub@x.test,SUBSCRIBED,', `two@x.test,SUBSCRIBED,"${cell.replaceAll('"', '""')}"`];
  const files = { 'list.csv': csv('Email,Email Marketing Consent,Email Suppressions', ...rows) };

  const list = await readList(files, { statusMap: { NEW_REASON: 'subscribed' } });

  expect([list.contacts.filter(({ email }) => email === 'two@x.test'), list.suppressions]).toEqual([
    [],
    { [reason]: ['two@x.test'] },
  ]);
});
