import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { mergeDuplicates } from '../../../../src/import/dedupe/merge-duplicates.ts';
import { openPeopleTables, type StagedRow } from '../../../../src/runs/people/people.ts';

/** A row of ana@example.com with these fields. */
function rowOf(line: number, more: Partial<StagedRow> = {}, fields: object = {}): StagedRow {
  return {
    ...{ email: 'ana@example.com', source: 0, line, state: 'subscribed', optOutDate: undefined },
    payload: JSON.stringify({ fields }),
    ...more,
  };
}

async function merge(rows: readonly StagedRow[], duplicates: 'merge' | 'reject' = 'merge') {
  const people = openPeopleTables(new DatabaseSync(':memory:'));
  people.addRows(rows);
  const counts = await mergeDuplicates(people, {
    duplicates,
    signal: new AbortController().signal,
    onCollision: () => undefined,
    onMention: () => undefined,
  });
  return { people, counts };
}

test('merges 150,000 rows of one address: the most restrictive state wins (C7)', async () => {
  // More values than one function call can take as arguments.
  const total = 150_000;
  const rows = Array.from({ length: total }, (_, at) => rowOf(at + 2, {}, { first_name: `Ana ${at}` }));
  rows[total - 7] = rowOf(total - 5, { state: 'unsubscribed', optOutDate: '2024-01-01T00:00:00.000Z' });

  const { people, counts } = await merge(rows);

  expect(people.person('ana@example.com')).toMatchObject({
    ...{ line: 2, state: 'unsubscribed', optOutDate: '2024-01-01T00:00:00.000Z' },
    payload: JSON.stringify({ fields: { first_name: `Ana ${total - 1}` } }),
  });
  expect(counts.merged).toBe(total - 1);
  expect([...people.mergedRows()].slice(0, 5)).toEqual(
    [3, 4, 5, 6, 7].map((line) => ({ source: 0, line, mergedInto: { source: 0, line: 2 } })),
  );
}, 60_000);

test.each([999, 1_000, 1_001, 1_002, 2_500])('merges %i rows of one address as it merges two (C7)', async (size) => {
  const others = [rowOf(1, { email: 'aaa@example.com' }), rowOf(1, { email: 'zoe@example.com', state: 'bounced' })];
  const rows = Array.from({ length: size }, (_, at) => rowOf(at + 2, at === 3 ? { state: 'complained' } : {}));

  const merged = await merge([...others, ...rows]);
  const refused = await merge([...others, ...rows], 'reject');

  expect(merged.people.person('ana@example.com')).toMatchObject({ line: 2, reason: 'complained' });
  expect([merged.counts.merged, refused.counts.merged]).toEqual([size - 1, 0]);
  expect(Object.fromEntries(refused.counts.rejected)).toEqual({ duplicate_email: size - 1 });
  expect(Object.fromEntries(merged.counts.states)).toEqual({ subscribed: 1, complained: 1, bounced: 1 });
});
