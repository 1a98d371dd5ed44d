import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createSystemClock } from '../../src/base/lib/clock.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import {
  type CommandEnd,
  endFaults,
  faultsOf,
  fill,
  type Place,
  prepare,
  SCENARIOS,
  type Scenario,
  stateOf,
  typeLine,
} from '../scenario/hostile/scenarios.ts';
import { createRandom, type Random } from '../simulation/random.ts';
import { memoryRoot } from '../support/node/memory.ts';
import { startProgram } from '../support/program.ts';
import { bestInjector, type Injector, SHIM, type Target, type Wrapper } from './injectors.ts';

const HANG_MS = 60_000;
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

interface OpenPlace extends Place {
  /** Applies a wrapper to the programs that `work` starts. */
  around(around: Wrapper, work: () => Promise<CommandEnd>): Promise<CommandEnd>;
  close(): Promise<void>;
}

async function openPlace(scenario: Scenario): Promise<OpenPlace> {
  const root = mkdtempSync(join(memoryRoot(), 'svc-calls-'));
  const folder = join(root, 'home');
  const state = join(folder, 'state');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const emulator = await createEmulator({ clock: createSystemClock(), randomHex, rateLimit: 0 });
  const listening = await emulator.listen(0);
  const env = { SVC_BASE_URL: listening.url, SVC_API_KEY: emulator.apiKey, SVC_STATE_DIR: state, HOME: folder };
  let outside: Wrapper = {};
  const place: OpenPlace = {
    emulator,
    folder,
    state,
    automation: fill(emulator, folder),
    type: (words) => runCommand(words, { env: { ...env, ...outside.env }, cwd: folder, under: outside.under ?? [] }),
    around: async (around, work) => {
      outside = around;
      try {
        return await work();
      } finally {
        outside = {};
      }
    },
    close: async () => {
      await emulator.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  await prepare(place, scenario);
  return place;
}

interface CommandContext {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly under: readonly string[];
}

async function runCommand(words: readonly string[], { env, cwd, under }: CommandContext): Promise<CommandEnd> {
  const { child, exit } = startProgram(words, env, { cwd, under, detached: true });
  const hang = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), HANG_MS);
  const { code, signal, out, err } = await exit;
  clearTimeout(hang);
  return { code, out, err: signal ? `${signal} ${err}` : err };
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function randomHex(length: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(Math.ceil(length / 2))))
    .toString('hex')
    .slice(0, length);
}
