/**
 * A life is one command with all its resumes on one machine. Programs run, are killed or interrupted, and are resumed
 * until nothing is left to do.
 */

import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../src/base/context.ts';
import type { OutcomeCounts, RunReport } from '../../src/run-lifecycle/data/run-report.ts';
import { listRuns } from '../../src/runs/find/list-runs.ts';
import type { RunSummary } from '../../src/runs/find/summarize-run.ts';
import { runFiles } from '../../src/runs/store/state-folder.ts';
import { type Disturbance, type Machine, type ProgramEnd, runOn } from './machine/machine.ts';
import { resumeProgram, startProgram } from './machine/programs.ts';
import type { Service } from './machine/service.ts';
import type { Random } from './random.ts';
import type { ListFile } from './scenario/list-file.ts';
import type { Plot } from './scenario/plot.ts';

/** A played program, the runs that it began, and the versions of the list while it ran. */
export interface PlayedProgram extends ProgramEnd {
  /** Hashes of the lists of its new runs. */
  readonly began: readonly string[];
  /** First version of the list during the program, as an index into its history. */
  readonly from: number;
  readonly to: number;
}

/** A run that the checks consider. */
export interface KnownRun {
  /** Hash of its list. */
  readonly sha256: string;
  readonly finished: boolean;
  /** True if a later run wrote to its audience, so that this one ended early (G10). */
  readonly overtaken: boolean;
  /** Fingerprint of its API key, if nothing else shows its account: it was killed before it read a destination. */
  readonly onlyKey: string | undefined;
  readonly report: RunReport<OutcomeCounts> | undefined;
}

/** The result of a command with all resumes. */
export interface Life {
  /** True if nothing can be resumed any more. */
  readonly finished: boolean;
  /** Exit code of the last program that had one. */
  readonly code: number | undefined;
  readonly report: RunReport<OutcomeCounts> | undefined;
  readonly programs: readonly PlayedProgram[];
  readonly list: ListFile;
  /** All runs, the newest first. An edited list can have several. */
  readonly runs: readonly KnownRun[];
  readonly kills: number;
  /** Number of touches of the longest program, see killer.ts. */
  readonly touches: number;
}

/** How much the programs are disturbed: the probability of kills and interrupts, and the length of programs. */
export interface DisturbanceRates {
  readonly killRate: number;
  readonly interruptRate: number;
  readonly touches: number;
  readonly random: Random;
  /** Probability that the list is edited while a program runs, and a random source for the edits. */
  readonly editRate?: number;
  readonly editor?: Random;
  /** Decides when the user backs up the run folders, and when the user restores them. Undefined: never. */
  readonly restorer?: Random | undefined;
  /** Decides who comes back in a pause. Undefined: no person. */
  readonly returner?: Random | undefined;
}

interface LifePlan {
  readonly machine: Machine;
  readonly plot: Plot;
  readonly service: Service;
  readonly rates: DisturbanceRates;
  /** The highest number of programs. Default: one for each unfinished run, but at least one. */
  readonly rounds?: number;
  /** True if programs ran here before. */
  readonly continues?: boolean;
}

/** Starts the command and resumes its run, until it is finished or `rounds` programs ran. */
export async function runLife(living: LifePlan): Promise<Life> {
  const { machine, service, rates } = living;
  const programs: PlayedProgram[] = [];
  let all = listRuns(machine.state);
  let runs = relevantRuns(all);
  const { rounds = Math.max(1, runs.filter(({ finished }) => !finished).length) } = living;
  for (let round = 0; round < rounds && !isFinished(runs); round += 1) {
    if (round > 0 || living.continues) {
      await service.clock.sleep(rates.random.pick(RESTS_MS));
      if (rates.returner) {
        service.comeBack(rates.returner);
      }
      all = machine.shared ? listRuns(machine.state) : all;
      runs = relevantRuns(all);
    }
    if (rates.restorer && round > 0 && backUpOrRestore(machine, rates.restorer)) {
      // The service has forgotten the keys of the requests that the restored runs don't know.
      await service.clock.sleep(25 * 60 * MINUTE);
      all = listRuns(machine.state);
      runs = relevantRuns(all);
    }
    const unfinished = runs.find((run) => run.finished === false);
    const from = machine.list.history.length - 1;
    const known = new Set(all.map(({ run }) => run));
    const ended = await runOn(machine, disturbanceOf(rates), (context) => next(living, unfinished, context));
    all = listRuns(machine.state);
    const began = all.filter(({ run }) => !known.has(run));
    const hashes = began.flatMap((run) => hashOf(run) ?? []);
    programs.push({ ...ended, began: hashes, from, to: machine.list.history.length - 1 });
    service.trace?.(
      `${new Date(service.clock.now()).toISOString()} program ${machine.started}: ${ended.code} ${ended.err.slice(0, 300)}`,
    );
    if (ended.code === 4) {
      machine.apiKey = service.emulator.admin.createKey(['automations:enroll']);
    }
    runs = relevantRuns(all);
  }
  const run = resultRun(runs);
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

/** Copies the run folders of a machine, or puts the last copy back. True if it put them back. */
function backUpOrRestore({ folder, state }: Machine, random: Random): boolean {
  const [runs, backup] = [join(state, 'runs'), join(folder, 'backup')];
  const isThere = existsSync(backup);
  if (!existsSync(runs) || !random.chance(isThere ? 0.6 : 0.9)) {
    return false;
  }
  if (isThere) {
    rmSync(runs, { recursive: true });
  }
  cpSync(...(isThere ? ([backup, runs] as const) : ([runs, backup] as const)), { recursive: true });
  return isThere;
}

const MINUTE = 60_000;
const RESTS_MS = [0, 1_000, 6 * MINUTE, 120 * MINUTE, 25 * 60 * MINUTE];

function disturbanceOf({
  killRate,
  interruptRate,
  touches,
  random,
  editRate = 0,
  editor,
}: DisturbanceRates): Disturbance {
  return {
    killAt: random.chance(killRate) ? random.int(1, Math.ceil(touches * 1.2)) : undefined,
    interruptAt: random.chance(interruptRate) ? random.int(1, touches) : undefined,
    editAt: editor?.chance(editRate)
      ? editor.pick(['copy', editor.int(1, touches), editor.int(1, touches)])
      : undefined,
    editor,
  };
}

/**
 * The next command of a user: a resume of the unfinished run, or the same command again. In the end a run of an older
 * list is resumed, because the same command would begin a new run.
 */
function next(
  { machine, plot, service, rates, continues }: LifePlan,
  unfinished: RunSummary | undefined,
  context: Context,
): Promise<number> {
  const resumes = unfinished !== undefined && rates.random.chance(0.7);
  const isOther = unfinished && hashOf(unfinished) !== machine.list.history.at(-1)?.sha256;
  return unfinished && (resumes || (continues && isOther))
    ? resumeProgram(unfinished.run, context)
    : startProgram(plot, { audienceId: service.emulator.audienceId, automationId: service.automationId }, context);
}

function isFinished(runs: readonly RunSummary[]): boolean {
  return runs.some((run) => run.finished && !isOvertaken(run)) && !runs.some((run) => run.finished === false);
}

/**
 * An overtaken run ended early, so it is not the end of a life. If the run that overtook it was refused, the user
 * starts the command again.
 */
function isOvertaken({ overtakenBy }: RunSummary): boolean {
  return overtakenBy !== undefined;
}

/** The run that shows the result: an unfinished one if there is one, else the newest. */
function resultRun(runs: readonly RunSummary[]): RunSummary | undefined {
  const own = runs.filter((run) => !isOvertaken(run));
  return own.find((run) => run.finished === false) ?? own.find((run) => run.finished);
}

/** The runs on a machine that show what became of a list. */
export function runsOf(machine: Machine): RunSummary[] {
  return relevantRuns(listRuns(machine.state)).filter((run) => !isOvertaken(run));
}

/**
 * Leaves out runs that ended before they sent anything, because a user starts them again. An overtaken run may have
 * sent rows.
 */
function relevantRuns(runs: readonly RunSummary[]): RunSummary[] {
  return runs.filter((run) => isOvertaken(run) || !(run.finished && FRUITLESS.includes(run.status)));
}

const FRUITLESS = ['unfinished', 'refused', 'busy'];

function hashOf({ header }: RunSummary): string | undefined {
  return header?.inputs[0]?.sha256;
}

function knownRun(machine: Machine, run: RunSummary): KnownRun[] {
  const { header } = run;
  const sha256 = hashOf(run);
  const [finished, overtaken] = [run.finished === true, isOvertaken(run)];
  const onlyKey = header?.destination ? undefined : header?.keyFingerprint;
  return sha256 === undefined ? [] : [{ sha256, finished, overtaken, onlyKey, report: reportOf(machine, run) }];
}

function reportOf(machine: Machine, { run }: RunSummary): RunReport<OutcomeCounts> | undefined {
  const { report } = runFiles(machine.state, run);
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
}
