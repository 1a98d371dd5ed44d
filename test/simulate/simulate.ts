import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, type Outcome, type Plain } from './check.ts';
import { createFolder } from './folder.ts';
import { forget } from './killer.ts';
import { type Life, live } from './life.ts';
import type { Machine } from './machine.ts';
import { passTime } from './pass-time.ts';
import { createScenario, type Scenario } from './scenario.ts';
import { NEW_AUDIENCE, openService, type Service, type Trace } from './service.ts';
import { stateOf } from './state.ts';

/** What one simulated migration came to: broken promises in words, and how much happened. */
export interface Simulated {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly programs: number;
  readonly kills: number;
  readonly requests: number;
}

/**
 * Plays the migration of a seed twice: once undisturbed, once with everything that the seed has in store for it. Then the
 * two services are compared, and every promise is checked.
 */
export async function simulate(seed: number, trace?: Trace): Promise<Simulated> {
  const scenario = createScenario(seed);
  const folder = createFolder();
  try {
    const plain = await playUndisturbed(scenario, folder, trace);
    trace?.(`undisturbed: ${plain.ended.code} ${JSON.stringify(plain.ended.report?.rows)}`);
    const outcome = await playDisturbed(scenario, { folder, plain, trace });
    const { programs, kills } = outcome;
    return { seed, problems: check(scenario, plain, outcome), programs, kills, requests: outcome.requests };
  } finally {
    forget(folder);
  }
}

async function playUndisturbed(scenario: Scenario, folder: string, trace: Trace | undefined): Promise<Plain> {
  const random = scenario.random.fork();
  const service = await openService(scenario, random, { faults: [], leaving: 0, trace });
  try {
    const machine = createMachine(scenario, service, { folder, skewMs: 0 });
    const calm = { killing: 0, interrupting: 0, touches: 0, random };
    const ended = await passTime(service.clock, live({ machine, scenario, service, mood: calm, rounds: 1 }));
    return {
      ended,
      state: stateOf(service.emulator.admin, service.audienceId()),
      requests: service.watch.requests.length,
      broken: service.watch.broken,
      left: service.left,
    };
  } finally {
    await service.close();
  }
}

async function playDisturbed(
  scenario: Scenario,
  { folder, plain, trace }: { readonly folder: string; readonly plain: Plain; readonly trace: Trace | undefined },
): Promise<Outcome> {
  const { random, killing, interrupting, faults, leaving } = scenario;
  const service = await openService(scenario, random.fork(), { faults, leaving, trace });
  try {
    const machines = createMachines(scenario, service, folder);
    const mood = { killing, interrupting, touches: plain.ended.touches, random: random.fork() };
    const work = machines.map(async (machine, index) => {
      await service.clock.sleep(index * random.int(1, 4_000));
      return live({ machine, scenario, service, mood: { ...mood, random: mood.random.fork() }, rounds: 5 });
    });
    const lives = await passTime(service.clock, Promise.all(work));
    service.emulator.admin.clearFaults();
    machines.forEach((machine) => {
      machine.apiKey = service.emulator.admin.createKey([]);
    });
    createByHand(scenario, lives, service);
    const calm = { killing: 0, interrupting: 0, touches: 0, random };
    for (const [index, machine] of machines.entries()) {
      lives.push(
        await passTime(
          service.clock,
          live({ machine, scenario, service, mood: calm, rounds: 2, before: lives[index] }),
        ),
      );
    }
    return outcomeOf({ service, lives, machines });
  } finally {
    await service.close();
  }
}

/** A creation that stayed in doubt too long is for a person to decide: they look, and create what isn't there. */
function createByHand({ creates }: Scenario, lives: readonly Life[], { emulator }: Service): void {
  const inDoubt = lives.some((life) => life.programs.some(({ err }) => err.includes('in_doubt')));
  if (creates && inDoubt && emulator.admin.state().audiences === 1) {
    emulator.admin.createAudience(NEW_AUDIENCE);
  }
}

function outcomeOf({
  service,
  lives,
  machines,
}: {
  service: Service;
  lives: Outcome['lives'];
  machines: readonly Machine[];
}): Outcome {
  return {
    lives,
    finals: lives.slice(-machines.length),
    state: stateOf(service.emulator.admin, service.audienceId()),
    audiences: service.emulator.admin.state().audiences,
    requests: service.watch.requests.length,
    seen: service.watch.requests,
    broken: service.watch.broken,
    left: service.left,
    changed: service.changed,
    programs: [...new Set(machines)].reduce((sum, machine) => sum + machine.started, 0),
    kills: lives.reduce((sum, life) => sum + life.kills, 0),
  };
}

function createMachines(scenario: Scenario, service: Service, folder: string): Machine[] {
  const first = createMachine(scenario, service, { folder, skewMs: scenario.skews[0] ?? 0 });
  if (scenario.second === 'none') {
    return [first];
  }
  if (scenario.second === 'same machine') {
    return [first, first];
  }
  const second = createMachine(scenario, service, { folder, skewMs: scenario.skews[1] ?? 0 });
  return [first, second];
}

function createMachine(
  scenario: Scenario,
  service: Service,
  { folder, skewMs }: { readonly folder: string; readonly skewMs: number },
): Machine {
  const place = mkdtempSync(join(folder, 'machine-'));
  writeFileSync(join(place, 'list.csv'), scenario.list.csv);
  return {
    folder: place,
    state: join(place, 'state'),
    apiKey: service.emulator.apiKey,
    clock: service.clock,
    skewMs,
    random: scenario.random.fork(),
    transport: service.watch.open,
    started: 0,
    running: new Set(),
    shared: scenario.second === 'same machine',
  };
}
