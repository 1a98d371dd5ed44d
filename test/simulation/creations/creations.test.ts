import { expect, test } from 'vitest';
import { preload } from '../../support/node/preload.ts';
import { everyNth } from '../../support/sweep.ts';
import { createScenario } from './scenario.ts';
import { simulateCreation } from './simulate.ts';

const SEEDS = everyNth(
  Array.from({ length: 100 }, (_, index) => 1 + index),
  2,
);

test('creates one object, keeps its secret under faults (D1, I3, I7, I9, W1)', { timeout: 240_000 }, async () => {
  await preload();
  const broken: string[] = [];
  for (const seed of SEEDS) {
    const { problems } = await simulateCreation(seed);
    broken.push(...problems.map((problem) => `npm run simulate -- --runs 1 --seed ${seed} --trace: ${problem}`));
  }
  expect(broken).toEqual([]);
});

test('a creation ends the same way when its seed is played twice', async () => {
  await preload();
  const scenario = SEEDS.map(createScenario).find(({ killRate, faults }) => killRate > 0 && faults.length > 1);
  const seed = scenario?.seed ?? Number.NaN;
  expect(await simulateCreation(seed)).toEqual(await simulateCreation(seed));
});

test('the seeds of creations cover kills, faults, changes and two runs at once', () => {
  const scenarios = SEEDS.map(createScenario);
  const some = (fits: (scenario: (typeof scenarios)[number]) => boolean) => scenarios.filter(fits).length > 2;
  expect(
    [
      some(({ kind }) => kind === 'audience'),
      some(({ kind, terminal }) => kind === 'webhook' && terminal),
      some(({ kind, terminal }) => kind === 'webhook' && !terminal),
      some(({ killRate }) => killRate > 0),
      some(({ interruptRate }) => interruptRate > 0),
      some(({ faults }) => faults.length > 2),
      some(({ second }) => second === 'same folder'),
      some(({ second }) => second === 'elsewhere'),
      some(({ outsideChanges }) => outsideChanges > 0),
      some(({ scoped }) => !scoped),
    ].includes(false),
  ).toBe(false);
});
