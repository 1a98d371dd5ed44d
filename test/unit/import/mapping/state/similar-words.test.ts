import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

/** Words that differ in signs only. svc asks about each of them, so each has its own answer. */
const SIMILAR = [
  ['A', 'A+', 'A-', 'a*', '(a)'],
  ['10', '1.0', '1,0', '1-0', '+10'],
  ['Pro', 'Pro+', 'Pro*', '#pro'],
  ['2020-11-2', '2020-1-12'],
  ['x1', 'x-1', 'x 1'],
  ['C', 'C#', 'C++'],
];
const HEADERS = ['Status', 'Newsletter', 'Group', 'Kennung', 'Email permission', 'Reason'];
const STATES = ['unsubscribed', 'subscribed'] as const;
const CASES = HEADERS.flatMap((header) => SIMILAR.map((words) => [header, words] as const));

test.each(CASES)('applies each answer to its own word when %s has %j (C1, C4)', async (header, words) => {
  const rows = words.map((word, index) => `p${index}@x.test,"${word}"`);
  for (const leaver of words.keys()) {
    for (const answered of [words, words.toReversed()]) {
      const statusMap = Object.fromEntries(
        answered.map((word) => [`${header}:${word}`, STATES[word === words[leaver] ? 0 : 1]]),
      );
      const { contacts } = await readList(
        { 'list.csv': csv(`Email,${header}`, ...rows) },
        { defaultStatus: { '*': 'subscribed' }, statusMap },
      );

      expect(contacts.map(({ status }) => status)).toEqual(
        words.map((_, index) => (index === leaver ? 'unsubscribed' : undefined)),
      );
    }
  }
});
