import { expect, test } from 'vitest';
import { passWindow } from './at-limit.ts';

test.each([
  ['alone', 0],
  ['beside a client that takes 40 % of the window', 240],
])('svc uses 99 percent of the allowed rate without a 429: %s', async (_, others) => {
  const { ms, idealMs, refused } = await passWindow(3_000, others);
  expect(refused).toBe(0);
  expect(idealMs / ms).toBeGreaterThanOrEqual(0.99);
});

test('svc sends 440 batches without a wait when no other program sends', async () => {
  const { waits, refused } = await passWindow(440, 0);
  expect({ waits, refused }).toEqual({ waits: 0, refused: 0 });
});
