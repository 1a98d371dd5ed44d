import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../folder.ts';
import { runsOf } from '../life.ts';
import { forget } from '../machine/killer.ts';
import { createMachine, type Disturbance, type Machine, type ProgramEnd, runOn } from '../machine/machine.ts';
import { passTime } from '../machine/pass-time.ts';
import { resumeProgram, startProgram } from '../machine/programs.ts';
import { openService, type Service, type Trace } from '../machine/service.ts';
import type { SimulationResult } from '../simulate.ts';
import { checkLies, type PlayedLies } from './check.ts';
import { createLies, csvOf, type LiesScenario, type Round } from './scenario.ts';
import { withLie } from './service.ts';

/** Plays a list against a service that shows people or treats them in another way than svc expects. */
export async function simulateLies(seed: number, trace?: Trace): Promise<SimulationResult> {
  const scenario = createLies(seed);
  const { plot, random, lie, faults } = scenario;
  const folder = createFolder();
  trace?.(JSON.stringify({ lie, prior: plot.prior, explicitStatus: plot.explicitStatus, again: plot.again }));
  const calm = { optOutRate: 0, reentry: 'once', automationChange: undefined } as const;
  const service = await openService(plot, {
    ...{ ...calm, seed, faults, trace, random: random.fork() },
    disguise: (emulator, inner) => withLie(emulator, inner, lie),
  });
  try {
    const machine = createMachine(folder, service, { list: plot.list.bytes, random: random.fork() });
    const played = await passTime(service.clock, play(scenario, service, machine));
    const kills = played.programs.filter(({ code }) => code === 'killed').length;
    const problems = checkLies(scenario, service, played);
    return { seed, problems, programs: machine.started, kills, requests: service.watch.requests.length };
  } finally {
    await service.close();
    forget(folder);
  }
}

// The programs after the faults ended: the same command or a resume, until one is not interrupted by anything.
const CALM: Round = { skipped: 0, killRate: 0, interruptRate: 0, pauseMs: 600_000, changeRate: 0 };
const CALM_ROUNDS = 3;
// Roughly the number of touches in a run of such a list.
const TOUCHES = 150;

async function play(scenario: LiesScenario, service: Service, machine: Machine): Promise<PlayedLies> {
  const { admin } = service.emulator;
  const programs: ProgramEnd[] = [];
  const left = new Map<string, string>();
  const back = new Set<string>();
  await service.clock.sleep(60_000);
  for (const round of scenario.rounds) {
    await playRound(scenario, service, { machine, round, programs, left, back });
  }
  admin.clearFaults();
  admin.setPlan('paid');
  machine.apiKey = admin.createKey([]);
  for (let rounds = CALM_ROUNDS; rounds > 0; rounds -= 1) {
    await playRound(scenario, service, { machine, round: CALM, programs, left, back });
  }
  return { programs, left, back };
}

interface RoundPlay {
  readonly machine: Machine;
  readonly round: Round;
  readonly programs: ProgramEnd[];
  readonly left: Map<string, string>;
  readonly back: Set<string>;
}

async function playRound(scenario: LiesScenario, service: Service, play: RoundPlay): Promise<void> {
  const { plot, random, optOuts } = scenario;
  const { machine, round, programs } = play;
  await service.clock.sleep(round.pauseMs);
  changeStatuses(scenario, service, play);
  await service.clock.sleep(60_000);
  writeFileSync(join(machine.folder, 'list.csv'), csvOf(plot.list.emails.slice(round.skipped), optOuts));
  const disturbance: Disturbance = {
    killAt: random.chance(round.killRate) ? random.int(1, TOUCHES) : undefined,
    interruptAt: random.chance(round.interruptRate) ? random.int(1, TOUCHES) : undefined,
  };
  const unfinished = runsOf(machine).find((run) => run.finished === false);
  const { audienceId } = service.emulator;
  const ended = await runOn(machine, disturbance, (context) =>
    unfinished && random.chance(0.5)
      ? resumeProgram(unfinished.run, context)
      : startProgram(plot, { audienceId, automationId: undefined }, context),
  );
  programs.push(ended);
  service.trace?.(`program ${machine.started}: ${ended.code} ${ended.err.slice(0, 400)}`);
}

/** Some subscribed people leave, and some who were not subscribed before come back on their own. */
function changeStatuses(
  { plot, random }: LiesScenario,
  { emulator, trace }: Service,
  { round, left, back }: RoundPlay,
) {
  const { admin } = emulator;
  for (const { email, status: before = 'subscribed' } of plot.prior) {
    const now = admin.contact(email)?.status;
    if (random.chance(round.changeRate) && now === (left.get(email) ?? before)) {
      const status = now === 'subscribed' ? 'unsubscribed' : 'subscribed';
      admin.setStatus(email, status);
      trace?.(`${email} is ${status} now, on their own`);
      if (status === 'subscribed') {
        back.add(email);
      } else {
        left.set(email, status);
        back.delete(email);
      }
    }
  }
}
