import { endFaults, faultsOf, SCENARIOS, type Scenario, stateOf, typeLine } from '../scenario/hostile/scenarios.ts';
import { createRandom, type Random } from '../simulation/random.ts';
import { bestInjector, type Injector, SHIM, type Target } from './injectors.ts';
import { openPlace } from './open-place.ts';

const AT_ONCE = 2;

/** `seed` decides the order of the calls. With `shim`, functions of Node fail even if strace is present. */
export interface SyscallOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly shim: boolean;
}

/**
 * Makes calls of the built program fail one at a time, in every scenario, until the time is over. Returns the number of
 * failed trials.
 */
export async function failSystemCalls({ seconds, seed, shim }: SyscallOptions): Promise<number> {
  const injector = shim ? SHIM : bestInjector();
  if (injector === SHIM && !shim) {
    console.log('strace is missing or may not trace: functions of Node fail instead, and calls of SQLite as a whole');
  }
  const random = createRandom(seed);
  const undisturbedRuns = await Promise.all(SCENARIOS.map((scenario) => runUndisturbed(scenario, injector)));
  const queue = shuffle(
    undisturbedRuns.flatMap((undisturbedRun) => undisturbedRun.targets.map((target) => ({ undisturbedRun, target }))),
    random,
  );
  const exits: Record<string, number> = {};
  const total = queue.length;
  // Does not count the time of undisturbed runs, because a slow machine must reach its trials too.
  const until = Date.now() + seconds * 1_000;
  let [trials, failed, elsewhere] = [0, 0, 0];
  const work = async () => {
    for (let next = queue.pop(); next && Date.now() < until; next = queue.pop()) {
      const { undisturbedRun, target } = next;
      const { code, faults, hasHit } = await trial(undisturbedRun, target, injector);
      trials += 1;
      elsewhere += hasHit ? 0 : 1;
      exits[`exit ${code}`] = (exits[`exit ${code}`] ?? 0) + 1;
      failed += faults.length > 0 ? 1 : 0;
      for (const fault of faults) {
        console.log(
          `${undisturbedRun.scenario.name}, ${target.call} ${target.at} ${target.code}: ${fault.slice(0, 700)}`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(JSON.stringify({ injector: injector.name, of: total, trials, failed, elsewhere, ...exits }));
  if (trials > 0 && elsewhere * 2 > trials) {
    console.log('most failed calls did not concern the folder, so the trials say little');
    return failed + 1;
  }
  return failed;
}

interface UndisturbedRun {
  readonly scenario: Scenario;
  readonly code: number | null;
  readonly state: readonly string[];
  readonly targets: readonly Target[];
}

async function runUndisturbed(scenario: Scenario, injector: Injector): Promise<UndisturbedRun> {
  const place = await openPlace(scenario);
  try {
    const counting = injector.count(place.folder);
    const { code, err } = await place.around(counting.around, () => typeLine(place, scenario.line));
    if (code !== 0 && code !== 3) {
      throw new Error(`${scenario.name} ends with ${code} undisturbed: ${err}`);
    }
    return { scenario, code, state: stateOf(place), targets: counting.read() };
  } finally {
    await place.close();
  }
}

async function trial(undisturbedRun: UndisturbedRun, target: Target, injector: Injector) {
  const { scenario } = undisturbedRun;
  const place = await openPlace(scenario);
  try {
    const ended = await place.around(injector.around(target, place.folder), () => typeLine(place, scenario.line));
    // A call of Node that fails before the program starts says nothing about the program.
    if (!injector.hasHit(place.folder)) {
      return { code: ended.code, faults: [], hasHit: false };
    }
    const faults = [
      ...faultsOf(place, ended, undisturbedRun.code),
      ...(await endFaults(place, scenario, ended, undisturbedRun)),
    ];
    return { code: ended.code, faults, hasHit: true };
  } finally {
    await place.close();
  }
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
