/** What the checks compare: the undisturbed runs, and the result of the disturbed one. */

import type { Life } from './life.ts';
import type { Version } from './scenario/list-file.ts';
import type { ServiceState } from './state.ts';

/** An undisturbed run. Others are compared with it. */
export interface UndisturbedRun {
  readonly ended: Life;
  /** The service before the run and after it. */
  readonly before: ServiceState;
  readonly state: ServiceState;
  readonly requests: number;
  readonly broken: readonly string[];
  readonly optedOut: ReadonlySet<string>;
  /** People of its canary. */
  readonly canary: ReadonlySet<string>;
}

/** The undisturbed runs of all lists that a run used. */
export interface UndisturbedRuns {
  /** The undisturbed run of the original list. */
  readonly first: UndisturbedRun;
  /** The undisturbed run of the list with this hash. */
  of(sha256: string | undefined): UndisturbedRun;
}

/** The disturbed run, after the faults and two more attempts of each person. */
export interface Outcome {
  readonly lives: readonly Life[];
  /** The last `Life` of each machine. */
  readonly lastLives: readonly Life[];
  readonly state: ServiceState;
  readonly audiences: number;
  readonly requests: number;
  readonly broken: readonly string[];
  readonly optedOut: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  /** People who came back before any request with them may have had an effect. */
  readonly returned: ReadonlySet<string>;
  /** True if another program changed people before the first canary was sent. */
  readonly changedEarly: boolean;
  /** The versions of the list that a run used. */
  readonly usedVersions: readonly Version[];
  /** Addresses that were sent. */
  readonly sent: ReadonlySet<string>;
  /** People of all canaries and of all proofs of --explicit-status. */
  readonly canary: ReadonlySet<string>;
  /** People of all canaries. */
  readonly probes: ReadonlySet<string>;
  readonly programs: number;
  /** Number of runs on all machines. */
  readonly runs: number;
  readonly kills: number;
}
