import { describe, expect, test } from 'vitest';
import { readBatchResponse } from '../../../../src/migrate/write/batch-response.ts';
import { csv } from '../../../support/lists.ts';
import { withTraffic } from '../../../support/traffic.ts';
import { createWorld } from '../../../support/world.ts';

const rows = [2, 3, 4].map((line) => ({ source: 0, line }));
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
])('matches results to rows by their index when the results %s (O5)', async (_, results) => {
  const { recorded } = await readBatchResponse({ summary: { created: 2, updated: 0, failed: 1 }, results } as never, {
    rows,
    replayed: false,
    isWritten: async () => Promise.reject(new Error('nothing to ask')),
  });
  expect(recorded).toMatchObject({ created: 2, updated: 0, failures: [{ source: 0, line: 3, code: 'invalid_email' }] });
});

test('reads people back when the counts do not sum to the batch (O5)', async () => {
  const { recorded } = await readBatchResponse(
    { summary: { created: 2, updated: 0, failed: 0 }, results: [] } as never,
    {
      rows,
      replayed: false,
      isWritten: async (index) => index !== 1,
    },
  );
  expect(recorded).toMatchObject({ created: 2, updated: 0, failures: [{ source: 0, line: 3, code: 'not_written' }] });
});

test.each([
  ['null', null],
  ['a string', 'failed'],
  ['no index', refused],
  ['an index as a string', { index: '1', ...refused }],
  ['an index beyond the batch', { index: 3, ...refused }],
])('reads the other batch results when one result is unusual: %s (O5)', async (_, entry) => {
  const results = [entry, { index: 1, status: 'failed', error: null }];
  const { recorded } = await readBatchResponse({ summary: { created: 2, updated: 0, failed: 1 }, results } as never, {
    rows,
    replayed: false,
    isWritten: async () => Promise.reject(new Error('nothing to ask')),
  });
  expect(recorded).toMatchObject({ created: 2, failures: [{ source: 0, line: 3, code: 'failed' }] });
});

test.each([
  ['without an entry', []],
  ['with an entry of another row', [{ index: 7, ...refused }]],
])('counts a failed row that the response does not name: %s (L5)', async (_, results) => {
  const summary = { created: 0, updated: 2, failed: 1 };
  const isWritten = async () => true;
  const read = await readBatchResponse({ summary, results } as never, { rows, replayed: false, isWritten });
  expect([read.unnamed, read.recorded.failures]).toEqual([1, []]);
});

test('accepts the index of a batch result as a string of digits (O5)', async () => {
  const results = [{ index: '1', ...refused }];
  const { recorded } = await readBatchResponse({ summary: { created: 2, updated: 0, failed: 1 }, results } as never, {
    rows,
    replayed: false,
    isWritten: async () => Promise.reject(new Error('nothing to ask')),
  });
  expect(recorded.failures).toMatchObject([{ line: 3, code: 'invalid_email' }]);
});

test.each([[{ created: 5, updated: -2, failed: 0 }], [{ created: 1.5, updated: 1.5, failed: 0 }]])(
  'reads people back when the counts of a batch are impossible: %j (O5)',
  async (summary) => {
    const batch = { rows, replayed: false, isWritten: async (index: number) => index !== 1 };
    const { recorded } = await readBatchResponse({ summary, results: [] }, batch);
    expect(recorded.created + recorded.updated).toBe(2);
    expect(Number.isInteger(recorded.created) && recorded.updated >= 0).toBe(true);
    expect(recorded.failures).toMatchObject([{ line: 3, code: 'not_written' }]);
  },
);

describe('a response to a batch that counts a failed row but does not say which', () => {
  const LIST = csv('email,first_name,status', 60, (index) => `person${index}@example.com,New,subscribed`);
  /** Drops person 47 from the batch of the list, and counts this row as failed. */
  const unnamed = withTraffic({
    of: /contacts\/batch$/,
    request: (sent) => (sent.contacts.length === 60 ? { ...sent, contacts: sent.contacts.filter(isOther) } : sent),
    response: ({ summary }) => ({ summary: { ...summary, failed: summary.updated === 59 ? 1 : 0 }, results: [] }),
  });
  const isOther = ({ email }: { readonly email: string }) => email !== 'person47@example.com';

  test.each([
    ['names the row when a person is stored with other values', 'Old', { failed: 1, updated: 59 }],
    ['exits with 3 when all people are stored as sent', 'New', { failed: 0, updated: 60 }],
  ])('when a response counts a failed row without naming it, svc %s (O5, L5)', async (_, name, rows) => {
    const contacts = Array.from({ length: 60 }, (_, index) => ({
      email: `person${index}@example.com`,
      first_name: name,
    }));
    const world = await createWorld({ seed: { contacts } });
    const { code, json, err } = await world.svc(`contacts import ${world.file('list.csv', LIST)} --json`, unnamed);
    expect([code, json.status, json.rows], err).toMatchObject([3, 'partial', rows]);
    expect(err.includes('1 more row failed, but not which')).toBe(name === 'New');
    expect(err.includes('"code":"unnamed_failures"')).toBe(name === 'New');
  });
});
