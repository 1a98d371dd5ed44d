import { describe, expect, test } from 'vitest';
import { createRetryBudget } from '../../../../src/api/rate-limit/retry-budget.ts';
import { type RetryPolicy, retryDelay } from '../../../../src/api/retry/retry-policy.ts';

describe('the wait after a failure (P6)', () => {
  test.each([
    [1, 250, 1_000],
    [2, 250, 2_000],
    [3, 250, 4_000],
    [6, 250, 32_000],
    [7, 250, 60_000],
    [9, 250, 60_000],
  ])('waits after failure %i between %i and %i ms', (failures, least, most) => {
    const attemptsSoFar = { failures, spentMs: 0 };
    expect(retryDelay('repeatable', attemptsSoFar, { random: 0 })).toBe(least);
    expect(retryDelay('repeatable', attemptsSoFar, { random: 1 })).toBe(most);
  });

  test.each<[RetryPolicy, number, number]>([
    ['read', 6, 5],
    ['repeatable', 10, 15],
    ['once', 6, 4.5],
  ])('the retry policy %s allows %i attempts in %f minutes', (kind, attempts, minutes) => {
    const jitter = { random: 0 };
    expect(retryDelay(kind, { failures: attempts - 1, spentMs: 0 }, jitter)).toBe(250);
    expect(retryDelay(kind, { failures: attempts, spentMs: 0 }, jitter)).toBeUndefined();
    expect(retryDelay(kind, { failures: 1, spentMs: minutes * 60_000 - 250 }, jitter)).toBe(250);
    expect(retryDelay(kind, { failures: 1, spentMs: minutes * 60_000 - 249 }, jitter)).toBeUndefined();
  });

  test('waits before a retry at least as long as the service asked for', () => {
    const attemptsSoFar = { failures: 1, spentMs: 0 };
    expect(retryDelay('read', attemptsSoFar, { random: 0, atLeastMs: 30_000 })).toBe(30_000);
    expect(retryDelay('read', attemptsSoFar, { random: 0, atLeastMs: 400_000 })).toBeUndefined();
  });
});

describe('the retry budget (P6)', () => {
  const budgetAfter = (retries: number, others: number) => {
    const budget = createRetryBudget();
    [...Array(retries).fill(true), ...Array(others).fill(false)].forEach((isRetry: boolean) => budget.record(isRetry));
    return budget;
  };

  test.each([
    [19, 81, false],
    [20, 80, true],
    [20, 0, true],
    [20, 81, false],
    [100, 81, false],
  ])('after %i retries and %i other requests, svc must pause: %s', (retries, others, tooMany) => {
    expect(budgetAfter(retries, others).mustPause()).toBe(tooMany);
  });
});
