import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { plainWord, textKey } from '../../../../src/import/mapping/answers/answer-keys.ts';
import { answersForHeader, createAnswerLookup } from '../../../../src/import/mapping/answers/answer-lookup.ts';
import { parsePairs } from '../../../../src/import/mapping/answers/answer-pairs.ts';
import { statusMapFlag, wordInColumn } from '../../../../src/import/mapping/column-names.ts';
import { answersForInput } from '../../../../src/import/mapping/reading-answers.ts';
import { csv, NO_ANSWERS, readList } from '../support.ts';

const HEADER = ['Email', 'Status', 'Note', 'Status:10', '3', 'Plan'];
// Words that mean something else in an answer, or may be mistaken for it.
const WORDS = [
  ...['', '*', ' * ', '＊', '\\*', '\\\\*', '\\', '\\N', '**', '* *', '*=', ':*', 'left:*', '\\:*', '\\10:30'],
  ...[
    '10:30',
    '30',
    '3:left',
    '2:no',
    'left',
    ' left ',
    'a=b',
    '=skip',
    'x=subscribed',
    'Status',
    'Note',
    'Plan: free',
  ],
  ...['@example.org', '\\@example.org', 'list.csv', 'list.csv:left', "it's", '-x', '$HOME', '`id`', '"', '↑', 'ja'],
];
const anyWord = fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'grapheme' }), fc.string());

/** What the printed answers say when they are typed. */
function typed(flag: string) {
  const words = splitShellText(flag).map((word) => word.replace(/^--status-map=?/, ''));
  const statusMap = parsePairs(
    '--status-map',
    '<word=state>',
    words.filter((word) => word !== ''),
  );
  const source = { path: 'list.csv', name: 'list.csv', entry: undefined };
  const named = answersForInput({ ...NO_ANSWERS, statusMap }, source, (name) => Number(name === 'list.csv'));
  return answersForHeader(named, HEADER);
}

test('applies a printed answer only to its word in its column (C11)', () => {
  const property = fc.property(
    fc.constantFrom(...HEADER.keys()),
    anyWord,
    fc.array(anyWord, { maxLength: 5 }),
    fc.constantFrom(undefined, 'list.csv'),
    (index, word, others, answeredAs) => {
      const answers = typed(statusMapFlag({ answeredAs }, wordInColumn(HEADER, index, word), 'subscribed'));
      for (const column of HEADER.keys()) {
        const lookup = createAnswerLookup(answers, column);
        for (const other of [...WORDS, ...others, word]) {
          const { forWord, forColumn, forAnyWord } = lookup(other);
          const isMeant = column === index && textKey(other) === textKey(word);
          expect([forWord?.state, forColumn, forAnyWord]).toEqual([
            isMeant ? 'subscribed' : undefined,
            undefined,
            undefined,
          ]);
        }
      }
      expect(answers.domains.size).toBe(0);
    },
  );
  fc.assert(property, { numRuns: 500 });
});

test('applies an answer without a column only to its word, never to a domain', () => {
  const property = fc.property(anyWord, (word) => {
    const answers = typed(statusMapFlag({}, plainWord(word, false), 'subscribed'));

    expect([...answers.states.anywhere.keys()]).toEqual([textKey(word)]);
    expect([answers.states.inColumn.size, answers.unknownWordAnswer, answers.domains.size]).toEqual([0, undefined, 0]);
  });
  fc.assert(property, { numRuns: 500 });
});

test.each([
  ['Status', "--status-map '\\*=skip'"],
  ['Unsubscribed', "--status-map '\\*=skip'"],
])('offers an answer for only the cell "*" when column %s has it (C11)', async (header, hint) => {
  const first = await readList({ 'list.csv': csv(`Email,${header}`, 'a@x.test,*', 'b@x.test,subscribed') });
  const next = await readList(
    { 'list.csv': csv(`Email,${header}`, 'a@x.test,*', 'b@x.test,hat sich beschwert', 'c@x.test,\\*') },
    { statusMap: { [`${header}:\\*`]: 'subscribed' } },
  );

  expect(first.finding('unknown_status')?.hint).toContain(hint);
  expect(next.contacts.map(({ email }) => email)).toEqual(['a@x.test']);
  expect(next.finding('unknown_status')).toMatchObject({ level: 'stop', total: 2 });
});

test('does not warn about a typed \\* when a cell has the star', async () => {
  const files = { 'list.csv': csv('Email,Status,Plan', 'a@x.test,subscribed,*', 'b@x.test,*,Pro') };
  const list = await readList(files, { statusMap: { 'Plan:\\*': 'unsubscribed', '\\*': 'skip' } });

  expect(list.finding('unknown_status')).toBeUndefined();
  expect(list.contacts.map(({ status }) => status)).not.toContain('subscribed');
});

test.each([
  ['colons', ':'],
  ['backslashes', '\\'],
])('writes an answer about a cell of 100,000 %s without delay (D4)', (_, sign) => {
  const cell = sign.repeat(100_000);
  const answer = wordInColumn(['Email', 'Status'], 1, `${cell}left`);
  expect(answer.length).toBeLessThan(cell.length + 20);
});
