import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../../src/base/context.ts';
import { SvcError, toBugError } from '../../../src/base/lib/errors.ts';
import { interruptionOf } from '../../../src/base/lib/interruption.ts';
import { resolveSettings } from '../../../src/commands/framework/settings/settings.ts';
import { executeImport } from '../../../src/commands/mailing-list-commands/mailing-list-command.ts';
import type { ImportOptions } from '../../../src/run-lifecycle/data/run-options.ts';
import { NO_ANSWERS } from '../../unit/import/support.ts';
import { createFolder } from '../folder.ts';
import { runsOf } from '../life.ts';
import { forget } from '../machine/killer.ts';
import { createMachine, type Machine, type ProgramEnd, runOn } from '../machine/machine.ts';
import { passTime } from '../machine/pass-time.ts';
import { resumeProgram } from '../machine/programs.ts';
import { openService, type Service, type Trace } from '../machine/service.ts';
import type { Random } from '../random.ts';
import { createPlot } from '../scenario/plot.ts';
import type { SimulationResult } from '../simulate.ts';
import { checkEnd, checkNight, createRecord, type NightsRecord, watchNight } from './check.ts';
import { createNights, csvOf, type Night, type NightsScenario } from './scenario.ts';

/**
 * Plays the nights of a seed: lists that change, kills, faults, people who opt out in the app, lost ledgers, two
 * machines.
 */
export async function simulateNights(seed: number, trace?: Trace): Promise<SimulationResult> {
  const scenario = createNights(seed);
  const folder = createFolder();
  try {
    const service = await openCalmService(scenario, trace);
    try {
      const world: World = { scenario, service, record: createRecord(), folder, trace };
      const machines = Array.from({ length: scenario.machines }, () => addMachine(world));
      const kills = await passTime(service.clock, play(world, machines));
      const programs = machines.reduce((sum, { started }) => sum + started, 0);
      const problems = [...world.record.problems, ...service.watch.broken.filter((line) => !line.startsWith('C1'))];
      return { seed, problems, programs, kills, requests: service.watch.requests.length };
    } finally {
      await service.close();
    }
  } finally {
    forget(folder);
  }
}

interface World {
  readonly scenario: NightsScenario;
  readonly service: Service;
  readonly record: NightsRecord;
  readonly folder: string;
  readonly trace: Trace | undefined;
}

/** A service without variants. The other simulation plays the variants that decide about consent. */
function openCalmService({ random, seed, explicitStatus }: NightsScenario, trace: Trace | undefined): Promise<Service> {
  const plot = {
    ...createPlot(1),
    command: 'contacts import' as const,
    variants: {},
    creates: false,
    prior: [],
    suppressed: [],
    otherContacts: 0,
    newerContacts: 0,
    rateLimit: 600,
    explicitStatus,
  };
  const calm = { seed, faults: [], optOutRate: 0, reentry: 'once', automationChange: undefined } as const;
  return openService(plot, { ...calm, random: random.fork(), trace });
}

const HOUR = 3_600_000;
const ROUNDS = 4;
// Rounds after the faults stopped: a resume, and the same command again.
const CALM_ROUNDS = 3;

async function play(world: World, machines: readonly Machine[]): Promise<number> {
  const { scenario, service, record } = world;
  let kills = 0;
  for (const [index, night] of scenario.nights.entries()) {
    const machine = machines[night.machine] as Machine;
    await service.clock.sleep(scenario.random.int(20, 30) * HOUR);
    appEvents(world, night);
    spoilLedger(machine, night.ledger);
    if (night.ledger !== 'kept') {
      // The ledger had a list if the machine wrote a person. A lost key changes something only if there is a ledger.
      record.hasLostLedger[night.machine] ||= (record.sent[night.machine]?.size ?? 0) > 0;
      record.sent[night.machine]?.clear();
    }
    writeFileSync(join(machine.folder, 'list.csv'), csvOf(night));
    record.tonight = night;
    const lives = await playNight(world, machine, night);
    kills += lives.filter(({ code }) => code === 'killed').length;
    world.trace?.(`night ${index}: ${lives.map(({ code, err }) => `${code} ${err.slice(0, 200)}`).join(' | ')}`);
    checkNight(record, service, { night, ended: lives.at(-1), isLast: index === scenario.nights.length - 1 });
  }
  await sendAgain(world, machines[0] as Machine);
  return kills;
}

/** Sends the last list once more. Nothing changed, so only people whom the service refused are sent. */
async function sendAgain(world: World, machine: Machine): Promise<void> {
  const { service, scenario, record } = world;
  const last = scenario.nights.at(-1) as Night;
  const again: Night = { ...last, changes: { ...last.changes, full: false, gone: undefined }, ledger: 'kept' };
  await service.clock.sleep(20 * HOUR);
  record.tonight = again;
  record.written.clear();
  const lives = await playNight(world, machine, again);
  const { explicitStatus } = scenario;
  checkEnd(record, service, { night: again, ended: lives.at(-1), explicitStatus });
}

/** Runs the command of a night until nothing can be resumed, first with disturbances, then without. */
async function playNight(world: World, machine: Machine, night: Night): Promise<ProgramEnd[]> {
  const { service, scenario } = world;
  const { admin } = service.emulator;
  const random = scenario.random.fork();
  const lives: ProgramEnd[] = [];
  night.faults.forEach((rule) => admin.addFault(rule));
  const isHard = night.killRate + night.interruptRate + night.faults.length > 0;
  for (let round = 0; isHard && round < ROUNDS; round += 1) {
    const disturbance = {
      killAt: random.chance(night.killRate) ? random.int(1, TOUCHES) : undefined,
      interruptAt: random.chance(night.interruptRate) ? random.int(1, TOUCHES) : undefined,
    };
    lives.push(await runOn(machine, disturbance, (context) => program(world, { machine, night, random }, context)));
    await service.clock.sleep(random.pick(RESTS_MS));
    if (hasEnded(lives.at(-1))) {
      break;
    }
  }
  admin.clearFaults();
  admin.setPlan('paid');
  machine.apiKey = admin.createKey([]);
  // Some nights end in the middle, and the next one has another list.
  const isAbandoned = isHard && random.chance(0.4);
  for (let round = 0; !isAbandoned && round < CALM_ROUNDS && !hasEnded(lives.at(-1)); round += 1) {
    await service.clock.sleep(TEN_MINUTES);
    lives.push(await runOn(machine, {}, (context) => program(world, { machine, night, random }, context)));
  }
  return lives;
}

const TEN_MINUTES = 600_000;
const RESTS_MS = [1_000, TEN_MINUTES, 2 * HOUR];
const TOUCHES = 120;

function hasEnded(ended: ProgramEnd | undefined): boolean {
  return ended !== undefined && (ended.code === 0 || ended.code === 3 || ended.code === 5);
}

interface NightPlay {
  readonly machine: Machine;
  readonly night: Night;
  readonly random: Random;
}

function program(
  { scenario, service }: World,
  { machine, night, random }: NightPlay,
  context: Context,
): Promise<number> {
  const sinceTonight = service.clock.now() - 12 * HOUR;
  const unfinished = runsOf(machine).find((run) => run.finished === false && run.startedAt > sinceTonight);
  return unfinished && random.chance(0.5)
    ? resumeProgram(unfinished.run, context)
    : start(optionsOf(scenario, night, service.emulator.audienceId), context);
}

async function start(options: ImportOptions, context: Context): Promise<number> {
  const limits = { rate: 600, reserve: 120, concurrency: options.concurrency, maxWaitMs: HOUR / 2 };
  const settings = resolveSettings({ json: true, plan: 'paid', yes: true }, context);
  try {
    const absent = {
      resume: undefined,
      recorded: undefined,
      answerSource: undefined,
      copies: undefined,
      details: undefined,
      logFile: undefined,
    };
    return await executeImport({ limits, lockWaitMs: 0, settings, context, argv: [], options, ...absent });
  } catch (error) {
    const problem = error instanceof SvcError ? error : toBugError(error);
    context.stderr.write(`${problem.code}: ${problem.message}\n`);
    return problem === error ? problem.exit : (interruptionOf(context.signal)?.exit ?? problem.exit);
  }
}

function optionsOf(
  { batchSize, concurrency, explicitStatus }: NightsScenario,
  night: Night,
  id: string,
): ImportOptions {
  return {
    command: 'contacts import',
    inputs: ['list.csv'],
    reading: NO_ANSWERS,
    target: { id, name: undefined, create: false, mustExist: undefined, resumed: undefined },
    allowAutomations: [],
    explicitStatus,
    maxNewFields: 50,
    maxFailures: { kind: 'percent', percent: 20 },
    plan: 'paid',
    concurrency,
    verify: true,
    verifySample: 5,
    dryRun: false,
    again: false,
    changes: night.changes,
    batchSize,
  };
}

/** The changes that users and the app make between two nights. */
function appEvents({ service, record, scenario: { random } }: World, { app }: Night): void {
  const { admin, audienceId } = service.emulator;
  const there = admin.contacts(audienceId);
  for (const { email, status } of there) {
    if (status === 'subscribed' && random.chance(app.leave)) {
      admin.setStatus(email, 'unsubscribed', audienceId);
      record.optedOut.add(email);
    } else if (random.chance(app.remove)) {
      admin.deleteContact(email, audienceId);
      record.removed.add(email);
      record.optedOut.delete(email);
      record.joinedInApp.delete(email);
    } else if (random.chance(app.suppress)) {
      admin.suppress([email], 'complained');
      record.suppressed.add(email);
    }
  }
  for (let index = 0; index < app.join; index += 1) {
    const email = `walkin${record.joinedInApp.size}-${there.length}-${index}@example.com`;
    if (admin.contact(email, audienceId) === undefined) {
      admin.addContacts([{ email }], audienceId);
      record.joinedInApp.add(email);
    }
  }
}

function spoilLedger({ state }: Machine, what: Night['ledger']): void {
  const ledgers = join(state, 'ledgers');
  if (what === 'kept') {
    return;
  }
  for (const name of readNames(ledgers)) {
    const isKey = name.endsWith('.key');
    if (what === 'keyless' ? isKey : what === 'lost' && !isKey) {
      rmSync(join(ledgers, name));
    } else if (what === 'damaged' && name.endsWith('.db')) {
      rmSync(join(ledgers, `${name}-wal`), { force: true });
      truncateSync(join(ledgers, name), 700);
    }
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function addMachine({ folder, service, scenario, record }: World): Machine {
  const index = record.sent.length;
  record.sent.push(new Set());
  const transport = () => watchNight(record, index, service.watch.open());
  return createMachine(folder, service, { list: Buffer.alloc(0), random: scenario.random.fork(), transport });
}
