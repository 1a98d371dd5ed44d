import { expect, test } from 'vitest';
import type { Table } from '../../../../src/import/mapping/table.ts';
import { addToCacheKey, createStateCache, NO_CACHE_KEY } from '../../../../src/import/record/state-cache.ts';
import { NONE } from '../../../../src/platforms/lib/status-words.ts';

/** A table whose rows have their second cell as their state. `calls` counts how often its rule was asked. */
function tableOfWords(width: number) {
  const calls = { count: 0 };
  const stateOf = ([, word = '']: readonly string[]) => {
    calls.count++;
    return word === '' ? NONE : { state: 'none' as const, unknown: word };
  };
  return { calls, table: { width, stateOf, blankStatus: NONE } as unknown as Table };
}

test('distinguishes rows by their cells when they have one cache key (C10)', () => {
  const { table, calls } = tableOfWords(2);
  const stateOf = createStateCache(table);
  const words = ['left', 'lift', '', 'left', 'left', ''];
  expect(words.map((word) => stateOf(['', word], 7).statusReading.unknown ?? '')).toEqual(words);
  expect(calls.count).toBe(5);
});

test.each([
  {
    given: 'a row with a text that has no key',
    width: 2,
    key: addToCacheKey(addToCacheKey(0, 0, undefined), 1, 'left'),
  },
  { given: 'a table of very many columns', width: 100_000, key: 7 },
])('does not cache the state for $given', ({ width, key }) => {
  const { table, calls } = tableOfWords(width);
  const stateOf = createStateCache(table);
  stateOf(['', 'left'], key);
  stateOf(['', 'left'], key);
  expect(calls.count).toBe(2);
  expect(addToCacheKey(NO_CACHE_KEY, 1, 'left')).toBe(NO_CACHE_KEY);
});
