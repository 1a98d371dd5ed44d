import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SCENARIOS, type Scenario, stateOf, typeLine } from '../scenario/hostile/scenarios.ts';
import { createRandom } from '../simulation/random.ts';
import { memoryRoot } from '../support/node/memory.ts';
import { writeLongList } from './list.ts';
import { openPlace } from './open-place.ts';

const AT_ONCE = 2;

/** How long the programs are started, and the seed of their order. */
export interface RepeatOptions {
  readonly seconds: number;
  readonly seed: number;
}

/**
 * Starts undisturbed programs again and again, two at once, and compares each end with the first end of the same
 * command. This finds crashes that are too rare for a test, such as those of Node itself. Returns how many programs
 * ended in another way.
 */
export async function repeatUndisturbed({ seconds, seed }: RepeatOptions): Promise<number> {
  const folder = mkdtempSync(join(memoryRoot(), 'svc-repeats-'));
  try {
    const list = join(folder, 'long.csv');
    writeLongList(list);
    const survey = `migrate ${list} --dry-run --json --plan paid`;
    return await repeat([...SCENARIOS, { name: 'the survey of a long list', line: survey, again: survey }], {
      seconds,
      seed,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function repeat(scenarios: readonly Scenario[], { seconds, seed }: RepeatOptions): Promise<number> {
  const random = createRandom(seed);
  const firstEnds = new Map<Scenario, string>();
  for (const scenario of scenarios) {
    const end = await endOf(scenario);
    if (!/^exit [03] /.test(end)) {
      throw new Error(`${scenario.name} ends with ${end}`);
    }
    firstEnds.set(scenario, end);
  }
  const until = Date.now() + seconds * 1_000;
  let [starts, failed] = [0, 0];
  const work = async () => {
    while (Date.now() < until) {
      const scenario = scenarios[Math.floor(random.next() * scenarios.length)] as Scenario;
      const end = await endOf(scenario);
      starts += 1;
      if (end !== firstEnds.get(scenario)) {
        failed += 1;
        console.log(`${scenario.name}: ${end.slice(0, 700)}, and not ${firstEnds.get(scenario)?.slice(0, 700)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(JSON.stringify({ starts, failed }));
  return failed;
}

/** The exit code and the contents of the service after a command. If it failed, also what it wrote to stderr. */
async function endOf(scenario: Scenario): Promise<string> {
  const place = await openPlace(scenario);
  try {
    const { code, err } = await typeLine(place, scenario.line);
    return `exit ${code} ${code === 0 || code === 3 ? stateOf(place).join(', ') : err}`;
  } finally {
    await place.close();
  }
}
