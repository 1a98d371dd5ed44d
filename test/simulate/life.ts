import type { Context } from '../../src/base/context.ts';
import { listRuns } from '../../src/journal/list.ts';
import { viewRun } from '../../src/journal/run.ts';
import type { RunSummary } from '../../src/journal/types.ts';
import type { FateCounts, RunReport } from '../../src/migrate/types.ts';
import { type Ended, type Machine, type Mishap, runOn } from './machine.ts';
import type { Plot } from './plot.ts';
import { resumeProgram, startProgram } from './programs.ts';
import type { Random } from './random.ts';
import type { Service } from './service.ts';

/** What became of a run over all the programs that worked on it. */
export interface Life {
  /** True once nothing is left to go on with. */
  readonly finished: boolean;
  /** Exit code of the last program that said one. */
  readonly code: number | undefined;
  readonly report: RunReport<FateCounts> | undefined;
  readonly programs: readonly Ended[];
  readonly kills: number;
  /** Touches of the outside of the longest program. */
  readonly touches: number;
}

/** How hard life is: the chance that a program is killed or interrupted, and how long programs are. */
export interface Mood {
  readonly killing: number;
  readonly interrupting: number;
  readonly touches: number;
  readonly random: Random;
}

interface Living {
  readonly machine: Machine;
  readonly plot: Plot;
  readonly service: Service;
  readonly mood: Mood;
  /** Programs at most. */
  readonly rounds: number;
  /** True where programs ran here before. */
  readonly goesOn?: boolean;
}

/** Starts the command and goes on with its run, until it is finished or the rounds are over. */
export async function live(living: Living): Promise<Life> {
  const { machine, service, mood, rounds } = living;
  const programs: Ended[] = [];
  let runs = runsOf(machine);
  for (let round = 0; round < rounds && !isFinished(runs); round += 1) {
    if (round > 0 || living.goesOn) {
      await service.clock.sleep(mood.random.pick(RESTS_MS));
      runs = machine.shared ? runsOf(machine) : runs;
    }
    const unfinished = runs.find((run) => run.finished === false);
    const ended = await runOn(machine, mishapOf(mood), (context) => next(living, unfinished, context));
    programs.push(ended);
    service.trace?.(
      `${new Date(service.clock.now()).toISOString()} program ${machine.started}: ${ended.code} ${ended.err.slice(0, 300)}`,
    );
    if (ended.code === 4) {
      machine.apiKey = service.emulator.admin.createKey(['automations:enroll']);
    }
    runs = runsOf(machine);
  }
  const run = decisive(runs);
  runs.forEach((one) => service.trace?.(`${one.run} ${one.status} finished: ${one.finished}`));
  return {
    finished: isFinished(runs),
    code: run?.exitCode,
    report: run && reportOf(machine, run),
    programs,
    kills: programs.filter(({ code }) => code === 'killed').length,
    touches: Math.max(0, ...programs.map(({ touches }) => touches)),
  };
}

const MINUTE = 60_000;
const RESTS_MS = [0, 1_000, 6 * MINUTE, 120 * MINUTE, 25 * 60 * MINUTE];

function mishapOf({ killing, interrupting, touches, random }: Mood): Mishap {
  return {
    killAt: random.chance(killing) ? random.int(1, Math.ceil(touches * 1.2)) : undefined,
    interruptAt: random.chance(interrupting) ? random.int(1, touches) : undefined,
  };
}

/** What a person does next: resumes the unfinished run, or types the same command again. */
function next({ plot, service, mood }: Living, unfinished: RunSummary | undefined, context: Context) {
  return unfinished && mood.random.chance(0.7)
    ? resumeProgram(unfinished.run, context)
    : startProgram(plot, { audienceId: service.emulator.audienceId, flowId: service.flowId }, context);
}

function isFinished(runs: readonly RunSummary[]): boolean {
  return runs.some((run) => run.finished) && !runs.some((run) => run.finished === false);
}

/** The run that says how it went: an unfinished one while there is one, else the newest. */
function decisive(runs: readonly RunSummary[]): RunSummary | undefined {
  return runs.find((run) => run.finished === false) ?? runs.find((run) => run.finished);
}

/** Runs that count: not those that ended before they had sent anything, which a person starts again. */
function runsOf(machine: Machine): RunSummary[] {
  return listRuns(machine.state).filter((run) => !(run.finished && FRUITLESS.includes(run.status)));
}

const FRUITLESS = ['unfinished', 'refused', 'busy'];

function reportOf(machine: Machine, { run }: RunSummary): RunReport<FateCounts> | undefined {
  const journal = viewRun(machine.state, run);
  try {
    return journal.readReport() as RunReport<FateCounts> | undefined;
  } finally {
    journal.close();
  }
}
