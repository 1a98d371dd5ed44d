import { randomInt } from 'node:crypto';
import type { Exit } from '../support/program.ts';
import type { Service } from './service.ts';
import { type Moment, strike } from './strike.ts';
import { finish, isNothingToResume, prepareTrial, problemsOf, type Trial } from './trial.ts';
import type { TrialCounts } from './trial-counts.ts';

/** The undisturbed run: its result, and its length in file changes and in time. */
export interface UndisturbedRun {
  readonly found: readonly string[];
  readonly writes: number;
  readonly ms: number;
}

/** The disturbance of a run: the signal, how often it is sent at most, and the first moment. */
export interface Strikes {
  readonly signal: 'SIGKILL' | 'SIGINT' | 'SIGTERM';
  readonly times: number;
  readonly first: Moment;
}

/** Sends signals to a run and its resumes, lets it finish, and compares the result. Returns the problems. */
export async function strikeRun(
  service: Service,
  mark: string,
  {
    undisturbedRun,
    strikes,
    counts,
  }: { readonly undisturbedRun: UndisturbedRun; readonly strikes: Strikes; readonly counts: TrialCounts },
): Promise<string[]> {
  const trial = await prepareTrial(service, mark);
  try {
    let last: Exit | undefined;
    for (let time = 0; time < strikes.times && last?.code !== 0; time += 1) {
      const moment = time === 0 ? strikes.first : anyMoment(undisturbedRun);
      last = await runWithSignal(trial, last, { signal: strikes.signal, moment });
      const proof = isStruck(last, strikes.signal);
      counts[proof ? strikes.signal : 'late'] += 1;
      if (!proof && last.code !== 0 && !isNothingToResume(last)) {
        return [`${strikes.signal}: exit ${last.code}: ${last.err}`];
      }
    }
    return problemsOf(last?.code === 0 ? last : await finish(trial), await trial.contents(), undisturbedRun.found);
  } finally {
    trial.end();
  }
}

/** The command if no run has begun, else its resume. */
async function runWithSignal(
  trial: Trial,
  last: Exit | undefined,
  { signal, moment }: { readonly signal: NodeJS.Signals; readonly moment: Moment },
): Promise<Exit> {
  const program = last === undefined || isNothingToResume(last) ? trial.begin() : trial.resume();
  await strike(program, signal, { moment, state: trial.state });
  return program.exit;
}

/** A program first installs its signal handlers. Before that, a signal ends it at once. */
function isStruck({ code, signal }: Exit, sent: Strikes['signal']): boolean {
  return signal === sent || (sent !== 'SIGKILL' && (code === 130 || code === 143));
}

function anyMoment({ writes, ms }: UndisturbedRun): Moment {
  return randomInt(3) > 0
    ? { kind: 'writes', count: randomInt(1, Math.max(2, Math.ceil(writes / 3))) }
    : { kind: 'ms', ms: randomInt(Math.max(1, ms)) };
}
