import { expect, test } from 'vitest';
import { LABEL_WIDTH, phaseLabel, requestLine, waitWords } from '../../../../src/render/progress/progress-words.ts';

const event = {
  type: 'request',
  method: 'GET',
  path: '/v1/audiences/aud_1',
  status: 200,
  ms: 12.4,
  attempt: 1,
  requestId: 'req_1',
  remaining: 0,
  replayed: false,
  problem: undefined,
} as const;

test.each([
  {
    title: 'shows a request line with status, time and request id',
    patch: {},
    line: 'GET /v1/audiences/aud_1 200 12 ms req_1 remaining 0',
  },
  {
    title: 'shows in a request line that the response was replayed',
    patch: { replayed: true, attempt: 3 },
    line: 'GET /v1/audiences/aud_1 200 12 ms req_1 remaining 0 attempt 3 replayed',
  },
  {
    title: 'hides an email address in the path of a request line',
    patch: { path: '/v1/audiences/aud_1/contacts/ana%40example.com?expand=topics' },
    line: 'GET /v1/audiences/aud_1/contacts/<address>?expand=topics 200 12 ms req_1 remaining 0',
  },
  {
    title: 'escapes a request id that would clear the screen (K5)',
    patch: { requestId: '\u001bc', remaining: undefined },
    line: 'GET /v1/audiences/aud_1 200 12 ms \\u001bc',
  },
])('the progress display $title', ({ patch, line }) => {
  expect(requestLine({ ...event, ...patch })).toBe(line);
});

test('the progress names --rate when --rate is the reason of a wait', () => {
  expect(waitWords({ reason: 'rate_limit', rate: 100 }, 54_000)).toBe('waiting 54 s: --rate 100 is used up');
});

test.each([
  'copy',
  'survey',
  'plan',
  'suppressions',
  'first_batch',
  'contacts',
  'export',
  'check',
  'enrollments',
  'verify',
  'report',
] as const)('the progress leaves a space between the name of a phase and its bar: %s', (phase) => {
  const labels = [true, false].map((isRepeat) => phaseLabel({ phase, isRepeat }));
  expect(Math.max(...labels.map((label) => label.length))).toBeLessThan(LABEL_WIDTH);
});
