import type { Phase, RunEvent, WaitReason } from '../base/events.ts';

/** How far a phase was at a moment, in its own units and in rows. */
export interface Sample {
  readonly at: number;
  readonly done: number;
  readonly rows: number;
}

/** One phase as watched. Times are the clock's milliseconds. */
export interface PhaseState {
  readonly phase: Phase;
  readonly total: number | undefined;
  readonly unit: 'bytes' | 'rows';
  readonly startedAt: number;
  /** True when the same phase came just before: the list is read a second time. */
  readonly again: boolean;
  /** The newest last; those of the last half minute, by which speed is judged. */
  readonly samples: readonly Sample[];
}

/** What a screen shows of a run. */
export interface ProgressState {
  readonly current: PhaseState | undefined;
  readonly wait: { readonly reason: WaitReason; readonly until: number } | undefined;
  /** When something was last heard of. */
  readonly heardAt: number;
}

const WINDOW_MS = 30_000;
const SAMPLE_MS = 500;

/** Before anything happened. */
export function nothingYet(now: number): ProgressState {
  return { current: undefined, wait: undefined, heardAt: now };
}

/** The state after an event at the time `now`. */
export function advance(state: ProgressState, event: RunEvent, now: number): ProgressState {
  const heard = { ...state, heardAt: now };
  if (event.type === 'phase') {
    return { ...heard, current: begin(event, now, state.current?.phase === event.phase), wait: undefined };
  }
  if (event.type === 'wait') {
    const until = now + event.ms;
    return { ...heard, wait: state.wait && state.wait.until >= until ? state.wait : { reason: event.reason, until } };
  }
  if (event.type === 'progress') {
    const current = state.current?.phase === event.phase ? state.current : begin({ phase: event.phase }, now, false);
    return { ...heard, current: measured(current, { at: now, done: event.done, rows: event.rows ?? event.done }) };
  }
  return heard;
}

/** What is done of a phase so far. */
export function latest(state: PhaseState): Sample {
  return state.samples.at(-1) ?? { at: state.startedAt, done: 0, rows: 0 };
}

/** False while a phase has only been announced. */
export function heardOf(state: PhaseState): boolean {
  return state.samples.length > 1;
}

/** From 0 to 1; undefined where the total is unknown or nothing. */
export function fraction(state: PhaseState): number | undefined {
  return state.total ? Math.min(1, latest(state).done / state.total) : undefined;
}

/** Rows a second over the last half minute; undefined until there is enough to judge by. */
export function speed(state: PhaseState): number | undefined {
  const span = watched(state);
  return span && ((span.to.rows - span.from.rows) * 1000) / span.ms;
}

/** Milliseconds still to go at the present speed; undefined where nobody can say. */
export function timeLeft(state: PhaseState, now: number): number | undefined {
  const span = watched(state);
  if (!span || state.total === undefined || span.to.done <= span.from.done) {
    return undefined;
  }
  const pace = (span.to.done - span.from.done) / span.ms;
  return Math.max(0, (state.total - span.to.done) / pace - (now - span.to.at));
}

type Beginning = { phase: Phase; total?: number | undefined; unit?: 'bytes' | 'rows' };

function begin(event: Beginning, now: number, again: boolean): PhaseState {
  const first = { at: now, done: 0, rows: 0 };
  return {
    phase: event.phase,
    total: event.total,
    unit: event.unit ?? 'rows',
    startedAt: now,
    again,
    samples: [first],
  };
}

function measured(state: PhaseState, sample: Sample): PhaseState {
  const recent = state.samples.filter((old) => sample.at - old.at <= WINDOW_MS);
  const kept = recent.length > 0 ? recent : state.samples.slice(-1);
  const crowded = kept.length > 1 && sample.at - (kept.at(-2)?.at ?? 0) < SAMPLE_MS;
  return { ...state, samples: [...(crowded ? kept.slice(0, -1) : kept), sample] };
}

function watched(state: PhaseState): { from: Sample; to: Sample; ms: number } | undefined {
  const from = state.samples[0];
  const to = state.samples.at(-1);
  const ms = from && to ? to.at - from.at : 0;
  return from && to && ms >= SAMPLE_MS ? { from, to, ms } : undefined;
}
