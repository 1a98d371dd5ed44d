import type { OutputStream } from '../../base/context.ts';
import type { Emit } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';

/** Whoever shows a run to the person in front of it. All calls return at once and never throw. */
export interface ProgressHandle {
  readonly emit: Emit;
  /** Clears the way for a prompt or a page of text; events are still taken in. */
  pause(): void;
  resume(): void;
  /** Ends the showing and leaves a readable screen. May be called more than once. */
  stop(): void;
}

/** What decides how a run is shown. `color` has NO_COLOR in it already; `progress` is false for --no-progress. */
export interface ProgressOptions {
  readonly stderr: OutputStream;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
  readonly color: boolean;
  readonly clock: Clock;
  /** Sees every event too. */
  readonly watch?: Emit | undefined;
}
