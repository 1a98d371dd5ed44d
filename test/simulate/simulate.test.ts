import { expect, test } from 'vitest';
import { ENROLL } from '../../src/enroll/options.ts';
import { preload } from './preload.ts';
import { createScenario } from './scenario.ts';
import { createSimulator } from './simulate.ts';

const FIRST = 1;
const RUNS = 80;
const PARTS = 3;

test.each(Array.from({ length: PARTS }, (_, part) => FIRST + part * RUNS))(
  'a migration keeps every promise under faults, kills and people who leave, seeds from %i (D1, C1, I2, I5, I11, P4)',
  { timeout: 240_000 },
  async (first) => {
    const simulate = createSimulator();
    const broken: string[] = [];
    for (let seed = first; seed < first + RUNS; seed += 1) {
      const { problems } = await simulate(seed);
      broken.push(...problems.map((problem) => `npm run simulate -- --runs 1 --seed ${seed} --trace: ${problem}`));
    }
    expect(broken).toEqual([]);
  },
);

test('a seed replays to the same end', async () => {
  const seed = seedWith(({ killing, faults, second }) => killing > 0 && faults.length > 1 && second === 'none');
  await preload();
  expect(await createSimulator()(seed)).toEqual(await createSimulator()(seed));
});

test('between them the seeds kill, interrupt, fail, and run two at once', () => {
  const scenarios = Array.from({ length: RUNS * PARTS }, (_, index) => createScenario(FIRST + index));
  const some = (fits: (scenario: (typeof scenarios)[number]) => boolean) => scenarios.filter(fits).length > 5;
  expect(
    [
      some(({ killing }) => killing > 0),
      some(({ interrupting }) => interrupting > 0),
      some(({ faults }) => faults.length > 2),
      some(({ second }) => second === 'same machine'),
      some(({ second }) => second === 'other machine'),
      some(({ leaving }) => leaving > 0),
      some(({ plot }) => plot.creates),
      some(({ plot }) => plot.explicitStatus),
      some(({ plot }) => plot.command === ENROLL),
    ].includes(false),
  ).toBe(false);
});

function seedWith(fits: (scenario: ReturnType<typeof createScenario>) => boolean): number {
  const seeds = Array.from({ length: 1_000 }, (_, index) => index + 1);
  return seeds.find((seed) => fits(createScenario(seed))) ?? Number.NaN;
}
