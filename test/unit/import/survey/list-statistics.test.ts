import { expect, test } from 'vitest';
import { STATE_WORDS } from '../../../../src/import/consent-columns/words/value-words.ts';
import { addExampleOf, type ExamplesByText, moveExamples } from '../../../../src/import/survey/statistics/examples.ts';
import {
  collectNotes,
  countValues,
  createNoteValues,
  createValueCounts,
  notesWithoutConsent,
  valuesInColumn,
} from '../../../../src/import/survey/statistics/value-counts.ts';
import { createWorld } from '../../../support/world.ts';
import { tableOf } from '../consent-columns/vocabulary/golden.ts';
import { readList } from '../support.ts';

const DRY = ['--dry-run', '--json', '--yes'];

test('counts people by mail domain, and sign-ups and opt-outs by month', async () => {
  const world = await createWorld();
  const list = world.file(
    'list.csv',
    [
      'Email,Status,Created At,Unsubscribed At',
      'ann@example.com,subscribed,2024-01-05,',
      'bob@example.com,unsubscribed,2024/02/05,2024-03-01',
      'cy@EXAMPLE.org,unsubscribed,5 Feb 2024,2024-03-09T10:00:00Z',
      'dee@example.com,bounced,2024-02-07,2024-04-01',
      'no address,subscribed,2024-02-07,',
    ].join('\n'),
  );
  const { json } = await world.svc(['migrate', list, ...DRY]);
  expect(json.list).toEqual({
    domains: [
      { domain: 'example.com', rows: 3 },
      { domain: 'example.org', rows: 1 },
    ],
    other_domains: 0,
    signed_up: { '2024-01': 1, '2024-02': 2 },
    opted_out: { '2024-03': 2 },
  });
});

test('reports the ten largest mail domains, and counts the others', async () => {
  const world = await createWorld();
  const single = Array.from({ length: 21_000 }, (_, index) => `ann@d${index}.example.com,subscribed`);
  const many = Array.from({ length: 500 }, (_, index) => `person${index}@example.net,subscribed`);
  const rows = [...single.slice(0, 20_500), ...many, ...single.slice(20_500)];
  const list = world.file('list.csv', ['Email,Status', ...rows].join('\n'));
  const { json } = await world.svc(['migrate', list, ...DRY]);
  const { domains, other_domains: others } = json.list;
  expect(domains[0]).toEqual({ domain: 'example.net', rows: 500 });
  expect(domains).toHaveLength(10);
  const named = domains.reduce((sum: number, { rows: count }: { rows: number }) => sum + count, 0);
  expect(named + others).toBe(21_500);
});

test('counts every row when a status column has 2,500 unknown words (C4)', async () => {
  const rows = Array.from({ length: 2_500 }, (_, row) => `p${row}@x.test,mot ${row}`);
  const { reading } = await readList({ 'list.csv': `Email,Status\n${rows.join('\n')}\n` });
  expect([reading.contacts, reading.rows]).toEqual([
    0,
    expect.objectContaining({ read: 2_500, skipped: { unknown_status: 2_500 } }),
  ]);
});

test.each([
  [0, 0, []],
  [2, 0, ['b0', 'b1']],
  [2, 2, ['a0', 'a1', 'b0', 'b1']],
  [6, 0, ['b0', 'b1', 'b2', 'b3', 'b4']],
  [4, 3, ['a0', 'a1', 'a2', 'b0', 'b1']],
  [3, 5, ['a0', 'a1', 'a2', 'a3', 'a4']],
  [7, 7, ['a0', 'a1', 'a2', 'a3', 'a4']],
])('adds %i examples to %i earlier ones, counts all and shows five', (moved, earlier, shown) => {
  const fill = (name: string, count: number) => {
    const byText: ExamplesByText = new Map();
    Array.from({ length: count }, (_, at) => addExampleOf(byText, 'Left', () => ({ file: `${name}${at}`, line: 1 })));
    return byText;
  };
  const [into, from] = [fill('a', earlier), fill('b', moved)];
  moveExamples(from, into);
  const { total = 0, shown: examples = [] } = into.get('Left') ?? {};
  expect([total, examples.map(({ file }) => file)]).toEqual([moved + earlier, shown]);
  expect(from.size).toBe(0);
});

/** The values that are counted in a column `Status` with these cells, and how many rows count as other values. */
function counted(cells: readonly string[]) {
  const counts = createValueCounts(tableOf(['Status']));
  cells.forEach((cell) => countValues(counts, ['ana@example.com', cell], 'none'));
  const values = valuesInColumn(counts, 1);
  return {
    own: values.filter(({ value }) => value !== '…').length,
    other: values.find(({ value }) => value === '…')?.rows,
  };
}

const unknownWords = (count: number) => Array.from({ length: count }, (_, index) => `word ${index}x`);

test.each([
  [49, 49, undefined],
  [50, 50, undefined],
  [51, 50, 1],
  [60, 50, 10],
])('counts at most fifty of %i values one by one', (count, own, other) => {
  expect(counted([...unknownWords(count), 'word 0x'])).toEqual({ own, other });
});

test('counts each known status word beyond fifty values, up to a thousand', () => {
  const words = [...STATE_WORDS.keys()].slice(0, 1_000);
  expect(counted([...unknownWords(50), ...words.slice(0, 900), 'word 99x'])).toEqual({ own: 950, other: 1 });
  expect(counted([...unknownWords(50), ...words.slice(0, 949)])).toEqual({ own: 999, other: undefined });
  expect(counted([...unknownWords(50), ...words.slice(0, 951)])).toEqual({ own: 1_000, other: 1 });
});

test('counts two values as one when their first 200 characters are equal', () => {
  const long = 'a'.repeat(200);
  expect(counted([`${long}b`, `${long}c`, long])).toEqual({ own: 1, other: undefined });
  expect(counted([long, long.slice(1)])).toEqual({ own: 2, other: undefined });
});

test.each([
  [999, 999],
  [1_000, 1_000],
  [1_001, 1_000],
])('collects at most a thousand of %i notes', (count, values) => {
  const { consentColumns } = tableOf(['Notes']);
  const notes = createNoteValues({ consentColumns });
  unknownWords(count).forEach((cell) => collectNotes(notes, ['ana@example.com', cell]));
  expect(notesWithoutConsent(notes, { consentColumns })).toEqual([{ index: 1, values }]);
});
