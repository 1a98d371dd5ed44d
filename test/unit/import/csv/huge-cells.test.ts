import { describe, expect, test } from 'vitest';
import { SvcError } from '../../../../src/base/lib/errors.ts';
import { everyNth } from '../../../support/sweep.ts';
import { readList } from '../support.ts';
import { PLAIN, rowsOf, sourceOf } from '../tables-in-memory.ts';

// A step that takes quadratic time needs minutes for this length, so the test meets its time limit.
const LENGTH = 60_000;

const UNITS = ['a', 'ж', '1', '#', '(', '/', '\n', 'a,', 'a@x.test;', 'newsletter ', '- '];

/** Lists with the text in each kind of cell. */
const LISTS: readonly (readonly [place: string, list: (text: string) => string])[] = [
  ['a header', (text) => `Email,"Opt out ${text}"\nana@x.test,yes\n`],
  ['the only line', (text) => `Email,Name ${text.replaceAll(/[\n,]/g, ' ')}`],
  ['a line above the header', (text) => `"${text}"\nEmail,Status\nana@x.test,active\n`],
  ['an address', (text) => `Email,Status\n"ana@x.test ${text}",active\n`],
  ['a status', (text) => `Email,Status\nana@x.test,"${text}"\nben@x.test,active\n`],
  ['a note', (text) => `Email,Status,Notes\nana@x.test,active,"${text}"\nben@x.test,active,b\n`],
  ['a tag', (text) => `Email,Status,Tags\nana@x.test,active,"${text}"\nben@x.test,active,b\n`],
  ['a name', (text) => `Email,Status,Last Name\nana@x.test,active,"${text}"\nben@x.test,active,b\n`],
  ['a consent', (text) => `Email,Newsletter\nana@x.test,"${text}"\nben@x.test,yes\n`],
  ['a last row', (text) => `Email,Status\nana@x.test,active\n"${text}"\n`],
];

describe('a cell with 60,000 letters', () => {
  test.each(LISTS.map((one, nth) => [...one, nth] as const))(
    'reads a cell of 60,000 letters without much work: %s (D4)',
    async (_, list, nth) => {
      for (const unit of everyNth(UNITS, 5, nth)) {
        const text = unit.repeat(Math.ceil(LENGTH / unit.length));
        const end = await readList({ 'list.csv': list(text) }).then(
          ({ reading }) => reading.rows.read <= 3,
          (error: unknown) => error instanceof SvcError,
        );
        expect([unit, end]).toEqual([unit, true]);
      }
    },
  );
});

test('reads rows with long cells after a row of 9 MiB', async () => {
  const mebibyte = 1024 * 1024;
  const [longest, long] = ['x'.repeat(9 * mebibyte), 'y\n'.repeat(mebibyte / 2)];
  const rows = await rowsOf(sourceOf(`a,${longest}\n${`b,"${long}"\n`.repeat(9)}`), PLAIN);
  const sizes = rows.map(({ cells }) => cells.map(({ length }) => length));
  expect(sizes).toEqual([[1, 9 * mebibyte], ...Array(9).fill([1, mebibyte])]);
});
