import { describe, expect, test } from 'vitest';
import { createServiceClock, parseRetryAfter } from '../../../../src/api/rate-limit/response-headers.ts';
import { defaultRetryAfter } from '../../../../src/api/rate-limit/retry-budget.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const DATE = 'Thu, 01 Jan 2026 10:00:00 GMT';

describe('Retry-After (P4)', () => {
  test.each([
    ['0', 0],
    ['7', 7_000],
    ['3000000', 3_000_000_000],
    ['Thu, 01 Jan 2026 10:01:30 GMT', 90_000],
    ['Thu, 01 Jan 2026 09:00:00 GMT', 0],
  ])('reads Retry-After %s as %i ms', (value, ms) => {
    expect(parseRetryAfter(value, DATE)).toBe(ms);
  });

  test.each([
    '',
    '-1',
    '+5',
    '1.5',
    '1e3',
    '0x10',
    '5, 5',
    '5 seconds',
    'soon',
    '2026-01-01T10:01:30Z',
    'Thu, 41 Jan 2026 10:01:30 GMT',
  ])('ignores Retry-After %j', (value) => {
    expect(parseRetryAfter(value, DATE)).toBeUndefined();
  });

  test('reads no wait when Retry-After is missing', () => {
    expect(parseRetryAfter(undefined, DATE)).toBeUndefined();
  });

  test.each([
    ['missing', undefined],
    ['no date', 'nonsense'],
  ])('ignores a date in Retry-After when the Date header is %s', (_, date) => {
    expect(parseRetryAfter('Thu, 01 Jan 2026 10:01:30 GMT', date)).toBeUndefined();
  });

  test.each([
    ['99999999999999', '99999999999999'],
    ['of 400 digits', '9'.repeat(400)],
    ['in the year 9999', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ])('reads Retry-After %s as one year, the longest wait', (_, value) => {
    expect(parseRetryAfter(value, DATE)).toBe(366 * 24 * 3_600_000);
  });

  test('waits 15 s, then double up to 60 s, when Retry-After is missing', () => {
    expect([0, 1, 2, 3, 500].map(defaultRetryAfter)).toEqual([15_000, 30_000, 60_000, 60_000, 60_000]);
  });
});

test('accepts an HTTP date only in its preferred form', () => {
  const service = createServiceClock(createManualClock());
  service.record('Sun, 06 Nov 1994 08:49:37 GMT');
  expect(service.now()).toBe(784_111_777_000);
  service.record('Monday, 07-Nov-94 08:49:37 GMT');
  expect(service.now()).toBe(784_111_777_000);
});

test.each([
  [undefined, true],
  ['0', true],
  ['300', false],
  ['soon', false],
  ['-5', false],
])('trusts the Date of a response with the Age %j: %s (I4)', (age, isTaken) => {
  const service = createServiceClock(createManualClock());
  service.record('Sun, 06 Nov 1994 08:49:37 GMT', age);
  expect(service.isKnown()).toBe(isTaken);
});
