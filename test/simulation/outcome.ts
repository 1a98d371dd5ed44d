import type { Life } from './life.ts';
import type { Version } from './list-file.ts';
import type { ServiceState } from './state.ts';

/** The undisturbed run: what everything is compared with. */
export interface Plain {
  readonly ended: Life;
  /** Before the run, and after it. */
  readonly before: ServiceState;
  readonly state: ServiceState;
  readonly requests: number;
  readonly broken: readonly string[];
  readonly left: ReadonlySet<string>;
  /** People of its canary. */
  readonly canary: ReadonlySet<string>;
}

/** The undisturbed runs of every list that a run was made of. */
export interface Plains {
  /** Of the list as it was at first. */
  readonly first: Plain;
  /** Of a list by its hash. */
  of(sha256: string | undefined): Plain;
}

/** The disturbed run, after the faults stopped and everybody had two more tries. */
export interface Outcome {
  readonly lives: readonly Life[];
  /** The last life of each machine. */
  readonly finals: readonly Life[];
  readonly state: ServiceState;
  readonly audiences: number;
  readonly requests: number;
  readonly broken: readonly string[];
  readonly left: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  /** True if people changed before the first canary was sent. */
  readonly changedEarly: boolean;
  /** The lists that runs were made of. */
  readonly taken: readonly Version[];
  /** Addresses that were sent. */
  readonly sent: ReadonlySet<string>;
  /** People of all canaries, and of the proofs of --explicit-status. */
  readonly canary: ReadonlySet<string>;
  /** People of all canaries. */
  readonly probes: ReadonlySet<string>;
  readonly programs: number;
  /** How many runs they worked on. */
  readonly runs: number;
  readonly kills: number;
}
