import { expect, test } from 'vitest';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import { csv, readList } from '../support.ts';

const upTo = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, at) => item(at));
const subscribed = { defaultStatus: { '*': 'subscribed' } };
const CODES = 'A B C D E F G H I J'.split(' ');

/** A list that grows with a number, and what its findings say once the number is over the limit. */
interface Growing {
  readonly what: string;
  readonly limit: number;
  readonly files: (count: number) => Readonly<Record<string, string | Buffer>>;
  readonly answers?: Partial<ReadingOptions>;
  readonly check: string;
  /**
   * The text that the finding has while the number is within the limit. `over`: the text once the number is over it.
   */
  readonly within?: RegExp;
  readonly over?: RegExp;
}

const inColumn = (header: string, cells: readonly string[]) => ({
  'list.csv': csv(`Email,${header}`, ...cells.map((cell, at) => `p${at}@x.test,${cell}`)),
});

const LISTS: readonly Growing[] = [
  {
    what: 'columns that may hold a status',
    limit: 10,
    files: (count) =>
      inColumn(
        upTo(count, (at) => `code${at}`).join(','),
        ['A', 'B', 'A'].map((code) => upTo(count, () => code).join(',')),
      ),
    check: 'no_status',
    over: /; and 1 more$/m,
  },
  {
    what: 'values of a column that may hold a status',
    limit: 6,
    files: (count) => inColumn('c7', [...CODES.slice(0, count), 'A']),
    check: 'no_status',
    within: /"A" \(2\), "B" \(1\), .*"F" \(1\)$/m,
    over: /"F" \(1\), 1 more value$/m,
  },
  {
    what: 'characters of a value',
    limit: 60,
    files: (count) => inColumn('flag', ['x'.repeat(count), 'B', 'B']),
    check: 'no_status',
    within: /"x{60}"/,
    over: /"x{60}…"/,
  },
  {
    what: 'values that may be codes',
    limit: 8,
    files: (count) => inColumn('c7', [...CODES.slice(0, count), 'A']),
    answers: subscribed,
    check: 'no_status',
    within: /although this column may say who opted out: "c7"/,
  },
  {
    what: 'characters of a code',
    limit: 3,
    files: (count) => inColumn('c7', ['A', 'B'.repeat(count), 'A']),
    answers: subscribed,
    check: 'no_status',
    within: /although this column may say who opted out: "c7"/,
  },
  {
    what: 'status words in a message',
    limit: 12,
    files: (count) =>
      inColumn(
        'Status',
        upTo(count, (at) => `word${at}`),
      ),
    check: 'unknown_status',
    within: /"word11" \(1\)$/m,
    over: /"word11" \(1\) and 1 more$/m,
  },
  {
    what: 'status words with an answer each',
    limit: 20,
    files: (count) =>
      inColumn(
        'Status',
        upTo(count, (at) => `word${at}`),
      ),
    check: 'unknown_status',
    within: /^--status-map word0=skip .*--status-map word19=skip$/m,
    over: /^--status-map '?\w+:\*=skip'?$/m,
  },
  {
    what: 'status words that are counted apart',
    limit: 1_000,
    files: (count) =>
      inColumn(
        'Status',
        upTo(count, (at) => `word${at}`),
      ),
    check: 'unknown_status',
    over: /"other words" \(1\)$/m,
  },
  {
    what: 'status words to ask about one by one',
    limit: 8,
    files: (count) =>
      inColumn(
        'Status',
        upTo(count, (at) => `word${at}`),
      ),
    check: 'unknown_status',
    within: /^values: 8$/m,
    over: /^values: undefined$/m,
  },
  {
    what: 'tables of one export by name',
    limit: 20,
    files: (count) =>
      Object.fromEntries(
        upTo(count, String).map((name) => [`a.zip/${name}.csv`, csv('Email,Status', `${name}@x.test,odd`)]),
      ),
    check: 'unknown_status',
    within: /^--status-map \S*csv:odd=skip/m,
    over: /^--status-map odd=skip/m,
  },
  {
    what: 'characters of a status word with an answer',
    limit: 80,
    files: (count) => inColumn('Status', ['x'.repeat(count)]),
    check: 'unknown_status',
    within: /^--status-map x{80}=skip$/m,
    over: /^--status-map '?\w+:\*=skip'?$/m,
  },
  {
    what: 'values of a previous status with an answer each',
    limit: 20,
    files: (count) =>
      inColumn(
        'Previous status',
        upTo(count, (at) => `word${at}`),
      ),
    check: 'unknown_status',
    within: /--status-map 'Previous status:word19=skip'/,
    over: /^--status-map 'Previous status:\*=skip'$/m,
  },
  {
    what: 'lists of which one may decide',
    limit: 6,
    files: (count) => ({
      'list.csv': csv(
        `Email,${upTo(count, (at) => `L${at} status`).join(',')}`,
        `a@x.test,unsubscribed,${upTo(count - 1, () => 'subscribed').join(',')}`,
        `b@x.test,${upTo(count, () => 'subscribed').join(',')}`,
        `c@x.test,${upTo(count, () => 'unsubscribed').join(',')}`,
      ),
    }),
    answers: subscribed,
    check: 'unknown_status',
    within: /Only if the audience is for the list "L5 status"/,
  },
  {
    what: 'domains of opted-out people',
    limit: 12,
    files: (count) => ({
      'people.csv': csv('Email,Status', ...upTo(count, (at) => `p@d${at}.test,active`)),
      'unsubscribed.csv': csv('Email', 'gone@x.test', ...upTo(count, (at) => `@d${at}.test`)),
    }),
    answers: { defaultStatus: { 'unsubscribed.csv': 'unsubscribed' } },
    check: 'unknown_status',
    within: /@d11\.test \(1\)$/m,
    over: /@d11\.test \(1\) and 1 more$/m,
  },
  {
    what: 'characters on each side of a wrong letter',
    limit: 40,
    files: (count) => inColumn('Status,City', [`active,${'x'.repeat(count)}Ã©${'y'.repeat(count - 2)}`]),
    check: 'encoding',
    within: /: x{40}Ã©y{38} →/,
    over: /: x{40}Ã©y{38} →/,
  },
];

/** The texts of a finding, one a line: its message, its answers, and the number of values to ask about. */
async function textOf({ files, answers, check }: Growing, count: number): Promise<string> {
  const { message, hint, otherwise = [], values } = (await readList(files(count), answers)).finding(check) ?? {};
  return [message, hint, ...otherwise.flatMap(({ when, flags }) => [when, flags]), `values: ${values?.length}`].join(
    '\n',
  );
}

test.each(LISTS)('a finding with its answers shows at most $limit $what', async (growing) => {
  const { limit, within = /^(?!)/, over = /^(?!)/ } = growing;
  const [least, most] = [await textOf(growing, limit), await textOf(growing, limit + 1)];
  if (growing.within) {
    expect(least).toMatch(within);
  }
  if (growing.over) {
    expect(most).toMatch(over);
  }
  if (within.source !== over.source) {
    expect([over.test(least), within.test(most)], `${least}\n${most}`).toEqual([false, false]);
  }
});
