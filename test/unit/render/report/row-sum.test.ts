import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowSum } from '../../../../src/render/report/row-sum.ts';

test.each([
  { rows: { read: 0 }, text: '0 rows read' },
  { rows: { read: 1, created: 1, failed: 0 }, text: '1 row read = 1 created' },
  {
    rows: { read: 12, unknown: 1, already_suppressed: 2, created: 9 },
    text: '12 rows read = 9 created + 2 already suppressed + 1 unknown',
  },
  { rows: { read: 1000, created: 998 }, text: '1,000 rows read = 998 created (does not add up: 2 missing)' },
  { rows: { read: 1, created: 3 }, text: '1 row read = 3 created (does not add up: 2 too many)' },
  { rows: { read: 1, '\u001b[2J': 1 }, text: '1 row read = 1 \\u001b[2J' },
])('the report writes the number of rows as a sum of outcomes: $text', ({ rows, text }) => {
  expect(rowSum(rows, { dryRun: false })).toBe(text);
});

test('the summands shown always add up to the rows read', () => {
  const outcomes = fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), fc.nat(1e6));
  fc.assert(
    fc.property(outcomes, ({ read: _, ...counted }) => {
      const read = Object.values(counted).reduce((sum, count) => sum + count, 0);
      const [total = 0, ...summands] = (rowSum({ ...counted, read }, { dryRun: false }).match(/\d[\d,]*/g) ?? []).map(
        (number) => Number(number.replaceAll(',', '')),
      );
      expect(summands.reduce((sum, count) => sum + count, 0)).toBe(total);
    }),
  );
});
