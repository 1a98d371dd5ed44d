import type { Phase } from '../../base/events.ts';
import { sumOf } from '../../base/lib/rows.ts';

/** The progress of a phase at a moment, in its units and in rows. `at` counts milliseconds of work, without waits. */
interface SpeedSample {
  readonly at: number;
  readonly done: number;
  readonly rows: number;
}

/** The state of one phase. `startedAt` is a time of the clock. */
export interface PhaseState {
  readonly phase: Phase;
  readonly total: number | undefined;
  readonly unit: 'bytes' | 'rows';
  readonly startedAt: number;
  /** True if the same phase came just before: the list is read a second time. */
  readonly isRepeat: boolean;
  /** Samples of the last minute of work, newest last. They give the speed. */
  readonly samples: readonly SpeedSample[];
}

const WINDOW_MS = 60_000;
const SAMPLE_MS = 500;

/** The time left is shown after this many steps and this much work. */
const MIN_STEPS = 3;
const MIN_MS = 2_000;

type PhaseStart = { phase: Phase; total?: number | undefined; unit?: 'bytes' | 'rows' };
type StartContext = { readonly now: number; readonly work: number; readonly isRepeat: boolean };

export function startPhase(event: PhaseStart, { now, work, isRepeat }: StartContext): PhaseState {
  return {
    phase: event.phase,
    total: event.total,
    unit: event.unit ?? 'rows',
    startedAt: now,
    isRepeat,
    samples: [{ at: work, done: 0, rows: 0 }],
  };
}

export function addSample(state: PhaseState, sample: SpeedSample): PhaseState {
  const recent = state.samples.filter((old) => sample.at - old.at <= WINDOW_MS);
  const window = recent.length > 0 ? recent : state.samples.slice(-1);
  const replacesLast = window.length > 1 && sample.at - (window.at(-2)?.at ?? 0) < SAMPLE_MS;
  return { ...state, samples: [...(replacesLast ? window.slice(0, -1) : window), sample] };
}

export function latest(state: PhaseState): SpeedSample {
  return state.samples.at(-1) ?? { at: 0, done: 0, rows: 0 };
}

export function hasProgress(state: PhaseState): boolean {
  return state.samples.length > 1;
}

/** From 0 to 1. Undefined if the total is unknown or 0. */
export function fraction(state: PhaseState): number | undefined {
  return state.total ? Math.min(1, latest(state).done / state.total) : undefined;
}

/** Rows per second over the last minute of work. Undefined until there are enough samples. */
export function speed(state: PhaseState): number | undefined {
  const steps = stepsOf(state);
  const ms = sum(steps, 'ms');
  return ms < SAMPLE_MS ? undefined : (sum(steps, 'rows') * 1000) / ms;
}

/** Milliseconds of work left at the present speed, after `work`. Undefined until there are enough samples. */
export function timeLeft(state: PhaseState, work: number): number | undefined {
  const steps = stepsOf(state);
  const [ms, done] = [sum(steps, 'ms'), sum(steps, 'done')];
  if (state.total === undefined || steps.length < MIN_STEPS || ms < MIN_MS || done <= 0) {
    return undefined;
  }
  return Math.max(0, ((state.total - latest(state).done) * ms) / done - (work - latest(state).at));
}

interface Step {
  readonly ms: number;
  readonly done: number;
  readonly rows: number;
}

function stepsOf({ samples }: PhaseState): readonly Step[] {
  const steps = samples.slice(1).map((to, index) => {
    const from = samples[index] ?? to;
    return { ms: to.at - from.at, done: to.done - from.done, rows: to.rows - from.rows };
  });
  // Leaves out a step that took longer than all others together: one slow response says nothing about the rest.
  const stall = steps.length > MIN_STEPS ? steps.find((step) => 2 * step.ms > sum(steps, 'ms')) : undefined;
  return steps.filter((step) => step !== stall);
}

function sum(steps: readonly Step[], field: keyof Step): number {
  return sumOf(steps.map((step) => step[field]));
}
