import { expect, test } from 'vitest';
import { readRateLimitHeaders } from '../../../../src/api/rate-limit/response-headers.ts';
import {
  decideStart,
  emptyWindow,
  recordRequestEnd,
  recordStart,
} from '../../../../src/api/rate-limit/sliding-window.ts';

const LIMITS = { rate: 600, reserve: 120 };

/** Whether a request may start after responses with these values of `RateLimit-Remaining`. */
function mayStartAfter(values: readonly (string | undefined)[]): boolean {
  let state = emptyWindow;
  values.forEach((value, seq) => {
    const headers = readRateLimitHeaders({ 'ratelimit-remaining': value });
    state = recordRequestEnd(recordStart(state, seq), seq, { now: seq, headers });
  });
  return decideStart(state, values.length, LIMITS).go;
}

test.each([
  undefined,
  '',
  '-5',
  '-0',
  '0.5',
  '0, 599',
  'NaN',
  'Infinity',
  'text',
  '1e9',
  '9'.repeat(16),
  '0x10',
  '--1',
  ';',
])('keeps a remaining count of 0 when the next header is "%s" (P5)', (value) =>
  expect(mayStartAfter(['0', value])).toBe(false),
);

test.each(['599', '200'])('lets a request start when the remaining count is "%s" (P5)', (value) =>
  expect(mayStartAfter(['0', value])).toBe(true),
);
