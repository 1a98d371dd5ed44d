import { mountDisk } from './disk-full.ts';
import { type Strikes, strikeRun, type UndisturbedRun } from './kills.ts';
import type { Service } from './service.ts';
import type { Moment } from './strike.ts';
import { finish, prepareTrial, problemsOf } from './trial.ts';
import type { TrialCounts } from './trial-counts.ts';

/** One trial: its number, which decides the moments, and what it needs. */
export interface Round {
  readonly trial: number;
  readonly service: Service;
  readonly undisturbedRun: UndisturbedRun;
  readonly counts: TrialCounts;
}

/** Plays a trial and describes what was wrong. */
export type Play = (round: Round) => Promise<string[]>;

const KILLS_PER_RUN = 12;

const kill = strikes('SIGKILL', KILLS_PER_RUN);

/**
 * In turn: kills at every write and at random moments, other signals at the same moments, a full disk, a closed pipe.
 */
export const PLAYS: readonly Play[] = [
  kill('writes'),
  kill('writes'),
  kill('writes'),
  kill('ms'),
  kill('writes'),
  kill('ms'),
  strikes('SIGINT', 2)('writes'),
  strikes('SIGTERM', 2)('writes'),
  fillDisk,
  closePipe,
];

function strikes(signal: Strikes['signal'], times: number): (kind: Moment['kind']) => Play {
  return (kind) => (round) => {
    const { service, undisturbedRun, counts, trial } = round;
    return strikeRun(service, `t${trial}x`, {
      undisturbedRun,
      counts,
      strikes: { signal, times, first: firstMoment(kind, round) },
    });
  };
}

/** The n-th trial starts with the n-th write of an undisturbed run, or at an even share of its time. */
function firstMoment(kind: Moment['kind'], { trial, undisturbedRun: { writes, ms } }: Round): Moment {
  return kind === 'writes'
    ? { kind, count: 1 + (Math.floor((trial * 7) / 10) % Math.max(1, writes)) }
    : { kind, ms: (trial * 37) % Math.max(1, ms) };
}

/** A disk with room for a part of the journal, a page more in each trial. After room was made, the run continues. */
async function fillDisk({ trial, service, undisturbedRun, counts }: Round): Promise<string[]> {
  const disk = mountDisk(24 + ((Math.floor(trial / 10) * 4) % 600));
  if (!disk) {
    return [];
  }
  const it = await prepareTrial(service, `t${trial}x`, disk.state);
  try {
    const ended = await it.begin().exit;
    counts.full += ended.code === 1 ? 1 : 0;
    if (ended.code !== 0 && !(ended.code === 1 && ended.err.includes('disk_full'))) {
      return [`disk full: exit ${ended.code} ${ended.signal}: ${ended.err}`];
    }
    disk.grow();
    return problemsOf(ended.code === 0 ? ended : await finish(it), await it.contents(), undisturbedRun.found);
  } finally {
    it.end();
    disk.remove();
  }
}

/** The reader of the report is gone. The work must be done (rule D3). */
async function closePipe({ trial, service, undisturbedRun, counts }: Round): Promise<string[]> {
  const it = await prepareTrial(service, `t${trial}x`);
  try {
    const program = it.begin();
    program.child.stdout?.destroy();
    const { code, err } = await program.exit;
    counts.closed += 1;
    const found = await it.contents();
    return code === 0 && found.join() === undisturbedRun.found.join() ? [] : [`stdout closed: exit ${code}, ${err}`];
  } finally {
    it.end();
  }
}
