import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../folder.ts';
import type { DisturbanceRates } from '../life.ts';
import { forget } from '../machine/killer.ts';
import { passTime } from '../machine/pass-time.ts';
import type { Trace } from '../machine/service.ts';
import type { SimulationResult } from '../simulate.ts';
import { check } from './check.ts';
import { type Disk, watchDisk } from './disk.ts';
import { runUntilCreated } from './person.ts';
import type { ProgramHome } from './program.ts';
import { createScenario, type Scenario } from './scenario.ts';
import { openService, type Service } from './service.ts';
import { createWanted, type Person } from './wanted.ts';

/**
 * Plays the creation of a seed, `webhooks create` or `audiences create`, with its faults and resumes. Then checks every
 * promise against the service.
 */
export async function simulateCreation(seed: number, trace?: Trace): Promise<SimulationResult> {
  const scenario = createScenario(seed);
  const folder = createFolder();
  const disk = watchDisk();
  try {
    const service = await openService(scenario, scenario.random.fork(), trace);
    try {
      const people = peopleOf(scenario, { service, folder, disk });
      await passTime(service.clock, play(scenario, service, people));
      return { seed, problems: check(scenario, service, people), ...countsOf(service, people) };
    } finally {
      await service.close();
    }
  } finally {
    disk.release();
    forget(folder);
  }
}

const ROUNDS = 4;
// After the faults stopped, two resumes finish.
const LAST_ROUNDS = 2;
// After this time the service has finished or dropped every delayed request.
const ABANDONED_MS = 10 * 60_000;
// A few more than the writes, waits and clock reads of an undisturbed program.
const TOUCHES = 110;

async function play(scenario: Scenario, service: Service, people: readonly Person[]): Promise<void> {
  const { killRate, interruptRate, random } = scenario;
  const ratesOf = (): DisturbanceRates => ({ killRate, interruptRate, touches: TOUCHES, random: random.fork() });
  const tries = people.map(async (person, index) => {
    const rates = ratesOf();
    await service.clock.sleep(index * rates.random.int(1, 4_000));
    await runUntilCreated(person, rates, ROUNDS);
  });
  await Promise.all(tries);
  service.restoreAccount();
  await service.clock.sleep(ABANDONED_MS);
  const calm = { killRate: 0, interruptRate: 0, touches: 0, random };
  for (const person of people) {
    await renewKey(person);
    await runUntilCreated(person, calm, LAST_ROUNDS);
  }
}

/** Replaces a key that no longer works. */
async function renewKey({ home, service: { emulator } }: Person): Promise<void> {
  const headers = { authorization: `Bearer ${home.apiKey}` };
  const { status } = await emulator.handle({ method: 'GET', path: '/v1/webhooks', headers, body: Buffer.alloc(0) });
  if (status === 401 || status === 403) {
    home.apiKey = emulator.admin.createKey();
  }
}

interface Place {
  readonly service: Service;
  readonly folder: string;
  readonly disk: Disk;
}

function peopleOf(scenario: Scenario, { service, folder, disk }: Place): Person[] {
  const { second, scoped, terminal, skewMs, random } = scenario;
  const { apiKey, admin } = service.emulator;
  const create = (skew: number): ProgramHome => {
    const place = mkdtempSync(join(folder, 'desk-'));
    return {
      folder: place,
      state: join(place, 'state'),
      apiKey: scoped ? apiKey : admin.createKey([]),
      clock: service.clock,
      skewMs: skew,
      terminal,
      random: random.fork(),
      disk,
      open: (death) => service.open(skew !== 0, death),
    };
  };
  const first: Person = { scenario, service, home: create(skewMs), wanted: createWanted('First') };
  switch (second) {
    case 'none':
      return [first];
    case 'same folder':
      return [first, first];
    default:
      return [first, { scenario, service, home: create(0), wanted: createWanted('Second') }];
  }
}

function countsOf(
  service: Service,
  people: readonly Person[],
): Pick<SimulationResult, 'programs' | 'kills' | 'requests'> {
  const results = [...new Set(people.map(({ wanted }) => wanted))].flatMap((wanted) => wanted.results);
  const kills = results.filter(({ ended }) => ended.code === 'killed').length;
  return { programs: results.length, kills, requests: service.requests() };
}
