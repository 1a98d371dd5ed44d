import { expect, test } from 'vitest';
import { preload } from '../support/node/preload.ts';
import { everyNth } from '../support/sweep.ts';
import { createLies } from './lies/scenario.ts';
import { simulateLies } from './lies/simulate.ts';

const SEEDS = everyNth(
  Array.from({ length: 240 }, (_, index) => 1 + index),
  24,
  3,
);

test('does not sign up opted-out people whom the service hides (C1, F5)', async () => {
  await preload();
  const broken: string[] = [];
  for (const seed of SEEDS) {
    const { problems } = await simulateLies(seed);
    broken.push(...problems.map((problem) => `npm run simulate -- --lies --runs 1 --seed ${seed}: ${problem}`));
  }
  expect(broken).toEqual([]);
}, 240_000);

test('the seeds cover services that hide people, miscount or lag behind', () => {
  const scenarios = SEEDS.map(createLies);
  const lies = scenarios.map(({ lie }) => lie);
  expect([
    lies.some(({ signsUp }) => signsUp.length === 0),
    lies.some(({ signsUp, newStatus }) => signsUp.includes('unsubscribed') && newStatus === 'pending'),
    lies.some(({ hidden }) => hidden.length > 0),
    lies.some(({ counts }) => counts !== 'all people'),
    lies.some(({ lag }) => lag > 0),
    scenarios.some(({ rounds }) => rounds.some(({ killRate }) => killRate > 0)),
    scenarios.some(({ plot }) => plot.explicitStatus),
  ]).not.toContain(false);
});
