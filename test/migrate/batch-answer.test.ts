import { expect, test } from 'vitest';
import { readBatchAnswer } from '../../src/migrate/batch-answer.ts';

const rows = [2, 3, 4].map((line) => ({ source: 0, line }));
const addressAt = (index: number) => `${'abc'[index]}@example.com`;
const refused = { status: 'failed', error: { code: 'invalid_email', message: 'no' } };

test.each([
  ['hold failures only', [{ index: 1, ...refused }]],
  [
    'are out of order',
    [
      { index: 2, status: 'created' },
      { index: 1, ...refused },
      { index: 0, status: 'created' },
    ],
  ],
])('results that %s are joined on their index (O5)', async (_, results) => {
  const answer = await readBatchAnswer({ summary: { created: 2, updated: 0, failed: 1 }, results } as never, {
    rows,
    addressAt,
    replayed: false,
    isThere: async () => Promise.reject(new Error('nothing to ask')),
  });
  expect(answer).toMatchObject({ created: 2, updated: 0, failures: [{ source: 0, line: 3, code: 'invalid_email' }] });
});

test('a sum that does not come out is settled by reading the batch back (O5)', async () => {
  const answer = await readBatchAnswer({ summary: { created: 2, updated: 0, failed: 0 }, results: [] } as never, {
    rows,
    addressAt,
    replayed: false,
    isThere: async (email) => email !== 'b@example.com',
  });
  expect(answer).toMatchObject({ created: 2, updated: 0, failures: [{ source: 0, line: 3, code: 'not_written' }] });
});
