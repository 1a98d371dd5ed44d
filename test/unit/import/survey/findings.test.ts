import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGolden } from '../../../support/golden.ts';
import { csv, readList } from '../support.ts';

const seven = (row: (index: number) => string) => Array.from({ length: 7 }, (_, index) => row(index));

/** The content of a finding about rows: their places, at most five, and their number. */
interface Place {
  readonly check: string;
  readonly column: string | undefined;
  readonly lines: readonly number[];
  readonly total: number;
}

const FIRST = [2, 3, 4, 5, 6];
const subscribed = { '*': 'subscribed' };

const CASES: readonly (readonly [claim: string, text: string | Buffer, place: Place, defaults?: typeof subscribed])[] =
  [
    [
      'two columns of one key',
      csv('Email,City,city', ...seven((i) => `p${i}@x.test,A,B${i}`)),
      { check: 'attribute_collision', column: 'City', lines: FIRST, total: 7 },
      subscribed,
    ],
    [
      'two columns of one key, with one value for each person',
      csv('Email,City,city', 'p@x.test,A,A'),
      { check: 'attribute_collision', column: 'City', lines: [1, 1], total: 2 },
      subscribed,
    ],
    [
      'a key that is taken',
      csv('Email,First Name,first_name', ...seven((i) => `p${i}@x.test,A,B${i}`)),
      { check: 'attribute_reserved', column: 'first_name', lines: FIRST, total: 7 },
      subscribed,
    ],
    [
      'a header without a key',
      csv('Email,Город', ...seven((i) => `p${i}@x.test,A`)),
      { check: 'attribute_key', column: 'Город', lines: FIRST, total: 7 },
      subscribed,
    ],
    [
      'unknown status words: each is shown once before any is shown twice',
      csv('Email,Status', ...seven((i) => `p${i}@x.test,${['whatever', 'away'][Number(i > 3)]}`)),
      { check: 'unknown_status', column: 'Status', lines: [2, 6, 3, 7, 4], total: 7 },
    ],
    [
      'a list without any state',
      csv('Email,City', ...seven((i) => `p${i}@x.test,A`)),
      { check: 'no_status', column: 'Email', lines: FIRST, total: 7 },
    ],
    [
      'a state column that is blank',
      csv('Email,Status', ...seven((i) => `p${i}@x.test,`)),
      { check: 'no_status', column: 'Status', lines: FIRST, total: 7 },
    ],
    [
      'dates that can be read two ways',
      csv('Email,Status,Unsubscribed At', ...seven((i) => `p${i}@x.test,unsubscribed,0${i + 1}/08/2024`)),
      { check: 'ambiguous_dates', column: 'Unsubscribed At', lines: FIRST, total: 7 },
    ],
    [
      'dates that are not readable',
      csv('Email,Status,Unsubscribed At', ...seven((i) => `p${i}@x.test,unsubscribed,2024-02-3${i}`)),
      { check: 'ambiguous_dates', column: 'Unsubscribed At', lines: FIRST, total: 7 },
    ],
    [
      'short rows: the first column that is missing',
      csv('Email,City,Status', ...seven((i) => `p${i}@x.test`)),
      { check: 'ragged_rows', column: 'City', lines: FIRST, total: 7 },
      subscribed,
    ],
    [
      'long rows: the number of the column that has no name',
      csv('Email,Status', ...seven((i) => `p${i}@x.test,active,more`)),
      { check: 'ragged_rows', column: '3', lines: FIRST, total: 7 },
    ],
    [
      'active people of a platform who also have an opt-out date',
      csv(
        'Subscriber,Status,Groups,Subscribed,Unsubscribed',
        ...seven((i) => `p${i}@x.test,active,,,2024-01-0${i + 1}`),
      ),
      { check: 'unknown_status', column: 'Unsubscribed', lines: FIRST, total: 7 },
    ],
    [
      'a state that a platform reads from a column of its own',
      csv('address,tags,created_at', 'a@x.test,*,', ...seven((i) => `p${i}@x.test,,`)),
      { check: 'unknown_status', column: 'tags', lines: [3, 4, 5, 6, 7], total: 7 },
    ],
    [
      'repeated addresses',
      csv('Email,Status', ...seven(() => 'p@x.test,active')),
      { check: 'duplicates', column: 'Email', lines: [3, 4, 5, 6, 7], total: 6 },
    ],
    [
      'an encoding that was guessed',
      Buffer.from(csv('Email,Status,Ville', ...seven((i) => `p${i}@x.test,active,"Orléans, Nord"`)), 'latin1'),
      { check: 'encoding', column: 'Ville', lines: FIRST, total: 7 },
    ],
    [
      'text that was encoded twice',
      csv('Email,Status,Ville', ...seven((i) => `p${i}@x.test,active,OrlÃ©ans`)),
      { check: 'encoding', column: 'Ville', lines: FIRST, total: 7 },
    ],
    [
      'an encoding that can be read in two ways',
      Buffer.from(csv('Email,Status,Ville', 'p@x.test,active,Orl\x8eans'), 'latin1'),
      { check: 'encoding', column: 'Ville', lines: [2], total: 1 },
    ],
    [
      'two columns of addresses, shown with the line of the header',
      `sep=,\n${csv('Email,Recipient,Status', 'a@x.test,b@x.test,active')}`,
      { check: 'columns', column: 'Email', lines: [2, 2], total: 2 },
    ],
    [
      'no column of addresses',
      csv('Foo,Bar,Baz', 'a,b,c'),
      { check: 'columns', column: 'Foo', lines: [1, 1, 1], total: 3 },
      subscribed,
    ],
    [
      'two columns that hold addresses, and no header that says so',
      csv('Privat,Firma,City', 'p@x.test,f@x.test,Bonn'),
      { check: 'columns', column: 'Privat', lines: [1, 1, 1], total: 3 },
      subscribed,
    ],
  ];

test.each(CASES.map(([claim, text, place, defaults = {}]) => ({ claim, text, place, defaults })))(
  'names file, column, lines and total in a finding: $claim',
  async ({ text, place, defaults }) => {
    const { check, column, lines, total } = place;
    const list = await readList({ 'list.csv': text }, { defaultStatus: defaults });
    const finding = list.finding(check);
    expect({
      files: [...new Set(finding?.examples?.map(({ file }) => file))],
      column: finding?.examples?.[0]?.column,
      lines: finding?.examples?.map(({ line }) => line),
      total: finding?.total,
    }).toEqual({ files: ['list.csv'], column, lines, total });
  },
);

test('lists every rejected row as an example with its column', async () => {
  const list = await readList({
    'list.csv': csv('Email,City,Status', 'x,A,active', '"a@x.test"z,A,active', 'b@x.test,A,active,more', ',A,active'),
  });
  expect(list.reading.rejections?.map(({ reason, total, examples }) => [reason, total, ...examples])).toEqual([
    ['invalid_email', 1, { file: 'list.csv', line: 2, column: 'Email', value: 'x: no @' }],
    ['text_after_closing_quote', 1, { file: 'list.csv', line: 3, column: 'Email', value: 'z' }],
    [
      'too_many_fields',
      1,
      { file: 'list.csv', line: 4, column: '4', value: '4 cells, but the header has 3; a cell without a header: more' },
    ],
    ['missing_email', 1, { file: 'list.csv', line: 5, column: 'Email', value: 'no address' }],
  ]);
});

const golden = openGolden(join(import.meta.dirname, 'findings.txt'));

test.each(CASES.map(([claim, text, , defaults = {}]) => ({ claim, text, defaults })))(
  'names the stop or warning, and the flags that change it: $claim',
  async ({ claim, text, defaults }) => {
    const list = await readList({ 'list.csv': text }, { defaultStatus: defaults });
    const findings = list.reading.findings.filter(({ level }) => level === 'stop' || level === 'warn');
    for (const { level, hint, check } of findings) {
      // No flag helps with a file without addresses.
      const wanted =
        claim === 'no column of addresses' ? /^Nothing can be read from this file: give one/ : /--[a-z]{2,}/;
      expect(level === 'warn' || wanted.test(hint ?? ''), check).toBe(true);
    }
    golden.check(
      claim,
      findings.flatMap(({ level, check, message, hint = '', otherwise = [] }) => [
        `${level} ${check}: ${message}`,
        ...hint.split('\n').flatMap((line) => (line === '' ? [] : [`  ${line}`])),
        ...otherwise.map(({ when, flags }) => `  otherwise, ${when}: ${flags}`),
      ]),
    );
  },
);
