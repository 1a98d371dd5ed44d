import { expect, test } from 'vitest';
import { readBatchResponse } from '../../../src/migrate/write/batch-response.ts';

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
])('matches results with rows by their index when they %s (O5)', async (_, results) => {
  const { recorded } = await readBatchResponse({ summary: { created: 2, updated: 0, failed: 1 }, results } as never, {
    rows,
    addressAt,
    replayed: false,
    isThere: async () => Promise.reject(new Error('nothing to ask')),
  });
  expect(recorded).toMatchObject({ created: 2, updated: 0, failures: [{ source: 0, line: 3, code: 'invalid_email' }] });
});

test('reads the batch back when the counts do not add up (O5)', async () => {
  const { recorded } = await readBatchResponse(
    { summary: { created: 2, updated: 0, failed: 0 }, results: [] } as never,
    {
      rows,
      addressAt,
      replayed: false,
      isThere: async (email) => email !== 'b@example.com',
    },
  );
  expect(recorded).toMatchObject({ created: 2, updated: 0, failures: [{ source: 0, line: 3, code: 'not_written' }] });
});

test.each([
  ['null', null],
  ['a text', 'failed'],
  ['no index', refused],
  ['an index as text', { index: '1', ...refused }],
  ['an index outside', { index: 3, ...refused }],
])('reads the other results when one of them is %s (O5)', async (_, entry) => {
  const results = [entry, { index: 1, status: 'failed', error: null }];
  const { recorded } = await readBatchResponse({ summary: { created: 2, updated: 0, failed: 1 }, results } as never, {
    rows,
    addressAt,
    replayed: false,
    isThere: async () => Promise.reject(new Error('nothing to ask')),
  });
  expect(recorded).toMatchObject({ created: 2, failures: [{ source: 0, line: 3, code: 'failed' }] });
});

test.each([[{ created: 5, updated: -2, failed: 0 }], [{ created: 1.5, updated: 1.5, failed: 0 }]])(
  'reads the batch back when the counts are impossible: %j (O5)',
  async (summary) => {
    const batch = { rows, addressAt, replayed: false, isThere: async (email: string) => email !== 'b@example.com' };
    const { recorded } = await readBatchResponse({ summary, results: [] }, batch);
    expect(recorded.created + recorded.updated).toBe(2);
    expect(Number.isInteger(recorded.created) && recorded.updated >= 0).toBe(true);
    expect(recorded.failures).toMatchObject([{ line: 3, code: 'not_written' }]);
  },
);
