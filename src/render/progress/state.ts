import type { Phase, RunEvent, WaitReason } from '../../base/events.ts';

/** How far a phase was at a moment, in its own units and in rows. `at` is in milliseconds of work: waits don't count. */
export interface Sample {
  readonly at: number;
  readonly done: number;
  readonly rows: number;
}

/** One phase as watched. `startedAt` is the clock's time. */
export interface PhaseState {
  readonly phase: Phase;
  readonly total: number | undefined;
  readonly unit: 'bytes' | 'rows';
  readonly startedAt: number;
  /** True when the same phase came just before: the list is read a second time. */
  readonly again: boolean;
  /** The newest last; those of the last minute of work, by which speed is judged. */
  readonly samples: readonly Sample[];
}

/** A request that is not answered yet. `since`: when its first attempt, or the first page of its list, was asked for. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  readonly page: number | undefined;
  readonly since: number;
}

/** A wait, by the clock's time, and the failure behind it. */
export interface Waiting {
  readonly reason: WaitReason;
  readonly from: number;
  readonly until: number;
  readonly cause?: string | undefined;
}

/** What a screen shows of a run. */
export interface ProgressState {
  readonly current: PhaseState | undefined;
  readonly wait: Waiting | undefined;
  /** Milliseconds of the waits that are over. */
  readonly waitedMs: number;
  /** Requests in flight, oldest first, and the one that was sent last. */
  readonly open: readonly Asked[];
  readonly last: Asked | undefined;
  /** Work without units, and when it began. */
  readonly doing: { readonly what: string; readonly since: number } | undefined;
  /** When something was last heard of. */
  readonly heardAt: number;
}

const WINDOW_MS = 60_000;
const SAMPLE_MS = 500;

/** A promise needs this many steps and this much work behind it. */
const LEAST_STEPS = 3;
const LEAST_MS = 2_000;

/** Before anything happened. */
export function nothingYet(now: number): ProgressState {
  const nothing = { current: undefined, wait: undefined, last: undefined, doing: undefined };
  return { ...nothing, waitedMs: 0, open: [], heardAt: now };
}

/** The state after an event at the time `now`. */
export function advance(state: ProgressState, event: RunEvent, now: number): ProgressState {
  const heard = { ...state, heardAt: now };
  switch (event.type) {
    case 'phase': {
      const rested = endWait(heard, now);
      const again = state.current?.phase === event.phase;
      return { ...rested, current: begin(event, { now, work: workedMs(rested, now), again }), doing: undefined };
    }
    case 'doing':
      return { ...heard, doing: event.what === undefined ? undefined : { what: event.what, since: now } };
    case 'wait':
      return state.wait && state.wait.until >= now + event.ms
        ? heard
        : { ...endWait(heard, now), wait: waitOf(event, now) };
    case 'asking':
      return askedFor(endWait(heard, now), event, now);
    case 'request':
      return { ...heard, open: without(state.open, event) };
    case 'progress': {
      const work = workedMs(state, now);
      const same = state.current?.phase === event.phase;
      const current =
        same && state.current ? state.current : begin({ phase: event.phase }, { now, work, again: false });
      return { ...heard, current: measured(current, { at: work, done: event.done, rows: event.rows ?? event.done }) };
    }
    default:
      return heard;
  }
}

/** Milliseconds of work up to `now`: what passed, less the waits. Only differences of it mean something. */
export function workedMs({ wait, waitedMs }: ProgressState, now: number): number {
  return now - waitedMs - (wait ? Math.max(0, Math.min(now, wait.until) - wait.from) : 0);
}

/** What is done of a phase so far. */
export function latest(state: PhaseState): Sample {
  return state.samples.at(-1) ?? { at: 0, done: 0, rows: 0 };
}

/** False while a phase has only been announced. */
export function heardOf(state: PhaseState): boolean {
  return state.samples.length > 1;
}

/** From 0 to 1; undefined where the total is unknown or nothing. */
export function fraction(state: PhaseState): number | undefined {
  return state.total ? Math.min(1, latest(state).done / state.total) : undefined;
}

/** Rows per second of work over the last minute of it; undefined until there is enough to judge by. */
export function speed(state: PhaseState): number | undefined {
  const steps = stepsOf(state);
  const ms = sum(steps, 'ms');
  return ms < SAMPLE_MS ? undefined : (sum(steps, 'rows') * 1000) / ms;
}

/** Milliseconds of work still to do at the present speed, as of `work`; undefined until there is enough to judge by. */
export function timeLeft(state: PhaseState, work: number): number | undefined {
  const steps = stepsOf(state);
  const [ms, done] = [sum(steps, 'ms'), sum(steps, 'done')];
  if (state.total === undefined || steps.length < LEAST_STEPS || ms < LEAST_MS || done <= 0) {
    return undefined;
  }
  return Math.max(0, ((state.total - latest(state).done) * ms) / done - (work - latest(state).at));
}

type Beginning = { phase: Phase; total?: number | undefined; unit?: 'bytes' | 'rows' };
type Moment = { readonly now: number; readonly work: number; readonly again: boolean };

function begin(event: Beginning, { now, work, again }: Moment): PhaseState {
  return {
    phase: event.phase,
    total: event.total,
    unit: event.unit ?? 'rows',
    startedAt: now,
    again,
    samples: [{ at: work, done: 0, rows: 0 }],
  };
}

function waitOf({ reason, ms, cause }: Extract<RunEvent, { type: 'wait' }>, now: number): Waiting {
  return { reason, from: now, until: now + ms, ...(cause !== undefined && { cause }) };
}

/** A wait ends when its time is over, and earlier when something else happens. */
function endWait(state: ProgressState, now: number): ProgressState {
  return state.wait ? { ...state, wait: undefined, waitedMs: now - workedMs(state, now) } : state;
}

function askedFor(state: ProgressState, event: Extract<RunEvent, { type: 'asking' }>, now: number): ProgressState {
  const { method, path, attempt, page } = event;
  const goesOn = attempt > 1 || (page !== undefined && page > 1);
  const before = goesOn && state.last?.method === method && state.last.path === path ? state.last : undefined;
  const asked = { method, path, attempt, page, since: before?.since ?? now };
  return { ...state, open: [...state.open, asked], last: asked };
}

function without(open: readonly Asked[], { method, path, attempt }: Omit<Asked, 'page' | 'since'>): readonly Asked[] {
  const answered = open.find((one) => one.method === method && one.path === path && one.attempt === attempt);
  return open.filter((one) => one !== answered);
}

function measured(state: PhaseState, sample: Sample): PhaseState {
  const recent = state.samples.filter((old) => sample.at - old.at <= WINDOW_MS);
  const kept = recent.length > 0 ? recent : state.samples.slice(-1);
  const crowded = kept.length > 1 && sample.at - (kept.at(-2)?.at ?? 0) < SAMPLE_MS;
  return { ...state, samples: [...(crowded ? kept.slice(0, -1) : kept), sample] };
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
  // One slow answer says nothing about the rest: a step that took longer than all others together is left out.
  const stall = steps.length > LEAST_STEPS ? steps.find((step) => 2 * step.ms > sum(steps, 'ms')) : undefined;
  return steps.filter((step) => step !== stall);
}

function sum(steps: readonly Step[], field: keyof Step): number {
  return steps.reduce((total, step) => total + step[field], 0);
}
