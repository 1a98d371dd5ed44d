/** Plays a seed: its undisturbed run, its disturbed run, and the checks. */

import { sha256Hex } from '../../src/base/lib/hash.ts';
import { ENROLL_COMMAND } from '../../src/enroll/draft/enroll-options.ts';
import { listRuns } from '../../src/runs/find/list-runs.ts';
import { check } from './checks/check.ts';
import { createFolder } from './folder.ts';
import { type Life, runLife, runsOf } from './life.ts';
import { forget } from './machine/killer.ts';
import { createMachine, type Machine } from './machine/machine.ts';
import { passTime } from './machine/pass-time.ts';
import { NEW_AUDIENCE, openService, type Service, type Trace } from './machine/service.ts';
import type { Outcome, UndisturbedRun, UndisturbedRuns } from './outcome.ts';
import { createRandom } from './random.ts';
import type { Version } from './scenario/list-file.ts';
import { createPlot, type Plot } from './scenario/plot.ts';
import { createScenario, type Scenario } from './scenario/scenario.ts';
import { stateOf } from './state.ts';

/** The result of one simulated run: broken promises in words, and the number of events. */
export interface SimulationResult {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly programs: number;
  readonly kills: number;
  readonly requests: number;
}

/**
 * Makes a function that plays the run of a seed with all its disturbances. It compares the service with that of an
 * undisturbed run, and checks every promise. The last undisturbed run is kept for the next seed.
 */
export function createSimulator(): (seed: number, trace?: Trace) => Promise<SimulationResult> {
  let last: { readonly plot: Plot; readonly plain: UndisturbedRun } | undefined;
  return async (seed, trace) => {
    const scenario = createScenario(seed, (number) => (last?.plot.number === number ? last.plot : createPlot(number)));
    const { plot } = scenario;
    const folder = createFolder();
    try {
      const plain = last?.plot === plot ? last.plain : await playUndisturbed(plot, folder, trace);
      last = { plot, plain };
      trace?.(`undisturbed: ${plain.ended.code} ${JSON.stringify(plain.ended.report?.rows)}`);
      const outcome = await playDisturbed(scenario, { folder, plain, trace });
      const plains = await playTaken(scenario, { folder, plain, trace }, outcome);
      const { programs, kills } = outcome;
      return { seed, problems: check(scenario, plains, outcome), programs, kills, requests: outcome.requests };
    } finally {
      forget(folder);
    }
  };
}

/** Plays the undisturbed runs of the edited lists that runs used. */
async function playTaken(
  { plot }: Scenario,
  { folder, plain, trace }: DisturbedPlan,
  { usedVersions }: Outcome,
): Promise<UndisturbedRuns> {
  const first = sha256Hex(plot.list.csv);
  const plains = new Map([[first, plain]]);
  for (const { sha256, bytes, csv } of usedVersions) {
    if (!plains.has(sha256)) {
      plains.set(sha256, await playUndisturbed({ ...plot, list: { ...plot.list, bytes, csv } }, folder, trace));
    }
  }
  return { first: plain, of: (sha256) => plains.get(sha256 ?? first) ?? plain };
}

async function playUndisturbed(plot: Plot, folder: string, trace: Trace | undefined): Promise<UndisturbedRun> {
  const random = createRandom(plot.number);
  const calm = { seed: 1, faults: [], optOutRate: 0, reentry: 'once', automationChange: undefined } as const;
  const service = await openService(plot, { ...calm, random, trace });
  try {
    const machine = createMachine(folder, service, { list: plot.list.bytes, random });
    const rates = { killRate: 0, interruptRate: 0, touches: 0, random };
    const before = stateOf(service);
    const ended = await passTime(service.clock, runLife({ machine, plot, service, rates, rounds: 1 }));
    return {
      ended,
      before,
      state: stateOf(service),
      requests: service.watch.requests.length,
      broken: service.watch.broken,
      optedOut: service.optedOut,
      canary: service.watch.canary,
    };
  } finally {
    await service.close();
  }
}

interface DisturbedPlan {
  readonly folder: string;
  readonly plain: UndisturbedRun;
  readonly trace: Trace | undefined;
}

async function playDisturbed(scenario: Scenario, { folder, plain, trace }: DisturbedPlan): Promise<Outcome> {
  const { plot, random, killRate, interruptRate, editRate, editor, restorer, returner } = scenario;
  const service = await openService(plot, { ...scenario, random: random.fork(), trace });
  try {
    const machines = createMachines(scenario, service, folder);
    const hard = {
      killRate,
      interruptRate,
      editRate,
      editor,
      restorer,
      returner,
      touches: plain.ended.touches,
      random: random.fork(),
    };
    const work = machines.map(async (machine, index) => {
      await service.clock.sleep(index * random.int(1, 4_000));
      return runLife({ machine, plot, service, rates: { ...hard, random: hard.random.fork() }, rounds: 5 });
    });
    const lives = await passTime(service.clock, Promise.all(work));
    endFaults(scenario, service, machines);
    const rates = { killRate: 0, interruptRate: 0, touches: 0, random, returner };
    for (let round = 0; round < LAST_ROUNDS; round += 1) {
      // A request that was in flight when the faults ended may have changed the automation since.
      restoreFlow(plot, service);
      await createByHand(plot, { lives, calm: lives.slice(machines.length) }, service);
      for (const machine of machines) {
        const last = { machine, plot, service, rates, continues: true };
        lives.push(await passTime(service.clock, runLife(last)));
      }
    }
    return outcomeOf({ service, lives, machines });
  } finally {
    await service.close();
  }
}

// After the faults stopped, two resumes finish.
const LAST_ROUNDS = 2;

/** Ends the faults, and restores keys, plan and automation. */
function endFaults(
  { plot, editor }: Scenario,
  { emulator, automationId }: Service,
  machines: readonly Machine[],
): void {
  const { admin } = emulator;
  admin.clearFaults();
  admin.setPlan('paid');
  restoreFlow(plot, { emulator, automationId });
  machines.forEach((machine) => {
    const { list } = machine;
    // If no run used a version of the list yet, the original is restored. Otherwise there might be nothing to import.
    if (list.history.length > 1 && (runsOf(machine).length === 0 || editor.chance(0.5))) {
      list.putBack();
    }
    machine.apiKey = admin.createKey(['automations:enroll']);
  });
}

/** Sets the status of the automation as it was, or archives an automation that would start for imported people. */
function restoreFlow({ command, automation }: Plot, { emulator, automationId }: FlowOwner): void {
  if (automationId !== undefined) {
    const status = command === ENROLL_COMMAND ? (automation.status ?? 'active') : 'archived';
    emulator.admin.setAutomationStatus(automationId, status);
  }
}

type FlowOwner = Pick<Service, 'emulator' | 'automationId'>;

/**
 * Resolves a creation with an unknown outcome as a user does: waits, looks for the audience, and creates a missing one.
 * The same holds for a refusal without a fault, because a stored 400 is replayed for 24 hours (rule I1).
 */
async function createByHand({ creates }: Plot, { lives, calm }: Lives, { clock, emulator }: Service): Promise<void> {
  const isUnknown = lives.some((life) => life.programs.some(({ err }) => err.includes('in_doubt')));
  const refused = calm.some((life) => life.programs.some(({ err }) => err.includes('invalid_request')));
  if (!creates || !(isUnknown || refused)) {
    return;
  }
  await passTime(clock, clock.sleep(PATIENCE_MS));
  if (emulator.admin.state().audiences === 1) {
    emulator.admin.createAudience(NEW_AUDIENCE);
  }
}

interface Lives {
  readonly lives: readonly Life[];
  /** The lives after the faults stopped. */
  readonly calm: readonly Life[];
}

// The wait that svc asks for: a delayed request can still create the audience.
const PATIENCE_MS = 10 * 60_000;

interface PlayedRun {
  readonly service: Service;
  readonly lives: Outcome['lives'];
  readonly machines: readonly Machine[];
}

function outcomeOf({ service, lives, machines }: PlayedRun): Outcome {
  return {
    lives,
    lastLives: lives.slice(-machines.length),
    state: stateOf(service),
    audiences: service.emulator.admin.state().audiences,
    requests: service.watch.requests.length,
    broken: service.watch.broken,
    optedOut: service.optedOut,
    changed: service.changed,
    returned: service.returned,
    changedEarly: service.changedEarly,
    usedVersions: takenBy(lives),
    sent: service.watch.sent,
    canary: service.watch.canary,
    probes: service.watch.probes,
    programs: sumOf(machines, ({ started }) => started),
    runs: sumOf(machines, ({ state }) => listRuns(state).length),
    kills: lives.reduce((sum, life) => sum + life.kills, 0),
  };
}

/** The versions of lists that runs used, each once. If every run was refused or overtaken, the present version too. */
function takenBy(lives: readonly Life[]): Version[] {
  const versions = lives.flatMap(({ list }) => list.history.flatMap((version) => version ?? []));
  const hashes = new Set(lives.flatMap(hashesOf));
  return [...new Map(versions.map((version) => [version.sha256, version])).values()].filter(({ sha256 }) =>
    hashes.has(sha256),
  );
}

function hashesOf({ runs, list }: Life): readonly (string | undefined)[] {
  const hashes = runs.map(({ sha256 }) => sha256);
  return runs.every(({ overtaken }) => overtaken) ? [...hashes, list.history.at(-1)?.sha256] : hashes;
}

/** Sums a number over all machines. Each counts once, although two people can share it. */
function sumOf(machines: readonly Machine[], count: (machine: Machine) => number): number {
  return [...new Set(machines)].reduce((sum, machine) => sum + count(machine), 0);
}

function createMachines(scenario: Scenario, service: Service, folder: string): Machine[] {
  const { plot, random, second, skews } = scenario;
  const shared = second === 'same machine';
  const { bytes: list } = plot.list;
  const create = (skewMs = 0) => createMachine(folder, service, { list, random: random.fork(), skewMs, shared });
  const first = create(skews[0]);
  return second === 'none' ? [first] : [first, shared ? first : create(skews[1])];
}
