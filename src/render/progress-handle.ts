import type { Emit } from '../base/events.ts';

/** Whoever shows a run to the person in front of it. All calls return at once and never throw. */
export interface ProgressHandle {
  readonly emit: Emit;
  /** Clears the way for a prompt or a page of text; events are still taken in. */
  pause(): void;
  resume(): void;
  /** Ends the showing and leaves a readable screen. May be called more than once. */
  stop(): void;
}
