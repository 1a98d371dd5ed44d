import type { Context } from '../../src/base/context.ts';
import type { OutcomeCounts, RunReport } from '../../src/migrate/types.ts';
import { listRuns, type RunSummary } from '../../src/runs/find/list.ts';
import { tryReadRun, viewRun } from '../../src/runs/store/journal.ts';
import type { ListFile } from './list-file.ts';
import { type Ended, type Machine, type Mishap, runOn } from './machine.ts';
import type { Plot } from './plot.ts';
import { resumeProgram, startProgram } from './programs.ts';
import type { Random } from './random.ts';
import type { Service } from './service.ts';

/** One program, the runs that it began, and the versions of the list while it ran. */
export interface Played extends Ended {
  /** Hashes of their lists. */
  readonly began: readonly string[];
  /** Places in the history of the list. */
  readonly from: number;
  readonly to: number;
}

/** A run that counts. */
export interface KnownRun {
  /** Hash of its list. */
  readonly sha256: string;
  readonly finished: boolean;
  /** True if a later run wrote to its audience, so that it ended part-way (G10). */
  readonly overtaken: boolean;
  readonly report: RunReport<OutcomeCounts> | undefined;
}

/** What became of a run over all the programs that worked on it. */
export interface Life {
  /** True once nothing is left to go on with. */
  readonly finished: boolean;
  /** Exit code of the last program that said one. */
  readonly code: number | undefined;
  readonly report: RunReport<OutcomeCounts> | undefined;
  readonly programs: readonly Played[];
  readonly list: ListFile;
  /** All runs, the newest first: of a list that was edited there may be several. */
  readonly runs: readonly KnownRun[];
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
  /** Probability that the list is edited while a program runs, and dice of its own for that. */
  readonly editing?: number;
  readonly editor?: Random;
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
  const programs: Played[] = [];
  let all = listRuns(machine.state);
  let runs = thatCount(all);
  for (let round = 0; round < rounds && !isFinished(runs); round += 1) {
    if (round > 0 || living.goesOn) {
      await service.clock.sleep(mood.random.pick(RESTS_MS));
      all = machine.shared ? listRuns(machine.state) : all;
      runs = thatCount(all);
    }
    const unfinished = runs.find((run) => run.finished === false);
    const from = machine.list.history.length - 1;
    const known = new Set(all.map(({ run }) => run));
    const ended = await runOn(machine, mishapOf(mood), (context) => next(living, unfinished, context));
    all = listRuns(machine.state);
    const began = all.filter(({ run }) => !known.has(run));
    const hashes = began.flatMap((run) => hashOf(machine, run) ?? []);
    programs.push({ ...ended, began: hashes, from, to: machine.list.history.length - 1 });
    service.trace?.(
      `${new Date(service.clock.now()).toISOString()} program ${machine.started}: ${ended.code} ${ended.err.slice(0, 300)}`,
    );
    if (ended.code === 4) {
      machine.apiKey = service.emulator.admin.createKey(['automations:enroll']);
    }
    runs = thatCount(all);
  }
  const run = decisive(runs);
  runs.forEach((one) => service.trace?.(`${one.run} ${one.status} finished: ${one.finished}`));
  return {
    finished: isFinished(runs),
    code: run?.exitCode,
    report: run && reportOf(machine, run),
    programs,
    list: machine.list,
    runs: runs.flatMap((one) => knownRun(machine, one)),
    kills: programs.filter(({ code }) => code === 'killed').length,
    touches: Math.max(0, ...programs.map(({ touches }) => touches)),
  };
}

const MINUTE = 60_000;
const RESTS_MS = [0, 1_000, 6 * MINUTE, 120 * MINUTE, 25 * 60 * MINUTE];

function mishapOf({ killing, interrupting, touches, random, editing = 0, editor }: Mood): Mishap {
  return {
    killAt: random.chance(killing) ? random.int(1, Math.ceil(touches * 1.2)) : undefined,
    interruptAt: random.chance(interrupting) ? random.int(1, touches) : undefined,
    editAt: editor?.chance(editing) ? editor.pick(['copy', editor.int(1, touches), editor.int(1, touches)]) : undefined,
    editor,
  };
}

/**
 * What a person does next: resumes the unfinished run, or types the same command again. At last they resume a run whose
 * list is another one by now: the same command would begin one more.
 */
function next(
  { machine, plot, service, mood, goesOn }: Living,
  unfinished: RunSummary | undefined,
  context: Context,
): Promise<number> {
  const resumes = unfinished !== undefined && mood.random.chance(0.7);
  const isOther = unfinished && hashOf(machine, unfinished) !== machine.list.history.at(-1)?.sha256;
  return unfinished && (resumes || (goesOn && isOther))
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

/** The runs on a machine that count. */
export function runsOf(machine: Machine): RunSummary[] {
  return thatCount(listRuns(machine.state));
}

/**
 * Without those that ended before they had sent anything, which a person starts again. An overtaken run may have sent
 * rows.
 */
function thatCount(runs: readonly RunSummary[]): RunSummary[] {
  return runs.filter((run) => run.overtakenBy !== undefined || !(run.finished && FRUITLESS.includes(run.status)));
}

const FRUITLESS = ['unfinished', 'refused', 'busy'];

function hashOf(machine: Machine, { run }: RunSummary): string | undefined {
  return tryReadRun(machine.state, run, ({ header }) => header.inputs[0]?.sha256);
}

function knownRun(machine: Machine, run: RunSummary): KnownRun[] {
  const sha256 = hashOf(machine, run);
  const [finished, overtaken] = [run.finished === true, run.overtakenBy !== undefined];
  return sha256 === undefined ? [] : [{ sha256, finished, overtaken, report: reportOf(machine, run) }];
}

function reportOf(machine: Machine, { run }: RunSummary): RunReport<OutcomeCounts> | undefined {
  const journal = viewRun(machine.state, run);
  try {
    return journal.readReport() as RunReport<OutcomeCounts> | undefined;
  } finally {
    journal.close();
  }
}
