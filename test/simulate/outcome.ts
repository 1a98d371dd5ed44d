import type { Life } from './life.ts';
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
  readonly programs: number;
  /** How many runs they worked on. */
  readonly runs: number;
  readonly kills: number;
}
