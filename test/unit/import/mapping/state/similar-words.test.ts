import { expect, test } from 'vitest';
import { EXIT, type SvcError } from '../../../../../src/base/lib/errors.ts';
import { shellWord } from '../../../../../src/base/lib/text.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { csv, readList } from '../../support.ts';

/** Words that differ in punctuation only. svc asks about each of them, so each has its own answer. */
const SIMILAR = [
  ['A', 'A+', 'A-', 'a*', '(a)'],
  ['10', '1.0', '1,0', '1-0', '+10'],
  ['Pro', 'Pro+', 'Pro*', '#pro', 'Pro-', '-Pro', 'Pro −', 'Pro –'],
  ['2020-11-2', '2020-1-12'],
  ['x1', 'x-1', 'x 1'],
  ['C', 'C#', 'C++'],
  ['ハード', 'バード', 'パート', 'バート'],
  ['สมัคร', 'สมัครา', 'สมั่คร'],
  ['हिंदी', 'हदि', 'हदी'],
  ['A+:x', 'A-:x', 'A:x'],
  ['1.0:30', '10:30', '-10:30'],
  ['Plan: free', 'Plan+: free', 'Plan: free+'],
];
const HEADERS = ['Status', 'Newsletter', 'Group', 'Kennung', 'Email permission', 'Reason'];
const STATES = ['unsubscribed', 'subscribed'] as const;
// Each header meets a half of the words, and each list of words meets three headers.
const CASES = HEADERS.flatMap((header, nth) =>
  everyNth([...SIMILAR.keys()], 2, nth).map((index) => [header, SIMILAR[index] as readonly string[], index] as const),
);

test.each(CASES)('applies each answer to one word when %s has the words %j (C1, C4)', async (header, words, nth) => {
  const rows = words.map((word, index) => `p${index}@x.test,"${word}"`);
  for (const optedOutIndex of words.keys()) {
    for (const answered of everyNth([words, words.toReversed()], 2, optedOutIndex + Math.floor(nth / 2))) {
      const statusMap = Object.fromEntries(
        answered.map((word) => [`${header}:${word}`, STATES[word === words[optedOutIndex] ? 0 : 1]]),
      );
      const { contacts } = await readList(
        { 'list.csv': csv(`Email,${header}`, ...rows) },
        { defaultStatus: { '*': 'subscribed' }, statusMap },
      );

      expect(contacts.map(({ status }) => status)).toEqual(
        words.map((_, index) => (index === optedOutIndex ? 'unsubscribed' : undefined)),
      );
    }
  }
});

test.each([
  { 'Status:Free': 'unsubscribed', 'Status:free': 'subscribed' },
  { free: 'subscribed', FREE: 'skip' },
  { 'Status:Über': 'skip', 'status:uber': 'subscribed' },
  { 'list.csv:Status:opt-in': 'skip', 'list.csv:Status:Opt In': 'subscribed' },
  { '@Example.org': 'skip', '@example.org': 'subscribed' },
  { 'Newsletter:': 'subscribed', 'newsletter:': 'skip' },
  { 'Status:free': 'subscribed', '2:free': 'unsubscribed' },
  { '2:free': 'subscribed', 'status:Free': 'unsubscribed' },
  { 'list.csv:3:': 'skip', 'list.csv:Newsletter:': 'subscribed' },
  { 'Status?:Plan: free': 'skip', 'status:plan:Free': 'subscribed' },
])('refuses the answers %j when they give one word two states (C4)', async (statusMap) => {
  const files = { 'list.csv': csv('Email,Status,Newsletter', 'a@x.test,free,yes', 'b@x.test,Free,') };
  const refusal = await readList(files, { statusMap }).then(
    () => undefined,
    (error: SvcError) => error,
  );
  const dropped = Object.keys(statusMap).find((word) => statusMap[word as never] === 'subscribed');

  expect([refusal?.code, refusal?.exit]).toEqual(['contradicting_answers', EXIT.usage]);
  expect(refusal?.hint?.split('\n')[1]).toBe(`without --status-map ${shellWord(`${dropped}=subscribed`)}`);
});

test.each(['Status', 'Kennung'])('signs up no person by the answer for a similar word in %s (C1)', async (header) => {
  const files = { 'list.csv': csv(`Email,${header}`, 'a@x.test,A+:x', 'b@x.test,A-:x', 'c@x.test,a+ : X') };
  const statusMap = { [`${header}:A+:x`]: 'subscribed', [`${header}:A-:x`]: 'skip' };
  const { contacts } = await readList(files, { map: [`${header}=status`], statusMap });
  const asked = await readList(files, { map: [`${header}=status`], statusMap: { 'A+:x': 'subscribed' } });

  expect(contacts.map(({ email }) => email)).toEqual(['a@x.test', 'c@x.test']);
  expect(asked.trouble).toContain('stop unknown_status');
});

test('applies 2:free before Status:free when two headers are Status (C11)', async () => {
  const files = { 'list.csv': csv('Email,Status,Status', 'a@x.test,free,active', 'b@x.test,active,free') };
  const { contacts } = await readList(files, { statusMap: { 'Status:free': 'subscribed', '2:free': 'unsubscribed' } });

  expect(contacts.map(({ status }) => status)).toEqual(['unsubscribed', undefined]);
});

test('accepts two answers for one word when both give the same state', async () => {
  const files = { 'list.csv': csv('Email,Status', 'a@x.test,free', 'b@x.test,Free') };
  const { contacts } = await readList(files, { statusMap: { free: 'unsubscribed', Free: 'Unsubscribed' } });

  expect(contacts.map(({ status }) => status)).toEqual(['unsubscribed', 'unsubscribed']);
});
