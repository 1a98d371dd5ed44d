import type { Phase, RunEvent, WaitCause } from '../../base/events.ts';
import { sumOf } from '../../base/lib/rows.ts';

/** The progress of a phase at one moment. `work` is its working time so far in milliseconds, without waits. */
interface SpeedSample {
  readonly work: number;
  readonly done: number;
  readonly rows: number;
}

/** The state of one phase. `startedAt` is a time of the monotonic clock. */
export interface PhaseState {
  readonly phase: Phase;
  readonly total: number | undefined;
  readonly unit: 'bytes' | 'rows';
  readonly startedAt: number;
  /** True if the phase before was the same, because svc reads the list a second time. */
  readonly isRepeat: boolean;
  /** The samples of the last minute of work, the newest last. The speed is computed from them. */
  readonly samples: readonly SpeedSample[];
}

const WINDOW_MS = 60_000;
const SAMPLE_MS = 500;

/** The time left is shown only after this many samples and milliseconds of work. Before that it would be a guess. */
const MIN_STEPS = 3;
const MIN_MS = 2_000;

type PhaseStart = Pick<Extract<RunEvent, { type: 'phase' }>, 'phase' | 'total' | 'done' | 'unit'>;
type StartContext = { readonly now: number; readonly work: number; readonly isRepeat: boolean };

function startPhase(event: PhaseStart, { now, work, isRepeat }: StartContext): PhaseState {
  return {
    phase: event.phase,
    total: event.total,
    unit: event.unit ?? 'rows',
    startedAt: now,
    isRepeat,
    samples: [{ work, done: event.done ?? 0, rows: event.done ?? 0 }],
  };
}

function addSample(state: PhaseState, sample: SpeedSample): PhaseState {
  const recent = state.samples.filter((old) => sample.work - old.work <= WINDOW_MS);
  const window = recent.length > 0 ? recent : state.samples.slice(-1);
  const replacesLast = window.length > 1 && sample.work - (window.at(-2)?.work ?? 0) < SAMPLE_MS;
  return { ...state, samples: [...(replacesLast ? window.slice(0, -1) : window), sample] };
}

export function latestSample(state: PhaseState): SpeedSample {
  return state.samples.at(-1) ?? { work: 0, done: 0, rows: 0 };
}

export function hasProgress(state: PhaseState): boolean {
  return state.samples.length > 1;
}

/** The finished part of a phase, from 0 to 1. Undefined if the total is unknown or 0. */
export function finishedFraction(state: PhaseState): number | undefined {
  return state.total ? Math.min(1, latestSample(state).done / state.total) : undefined;
}

/** Rows per second in the last minute of work. Undefined until there are enough samples. */
export function rowsPerSecond(state: PhaseState): number | undefined {
  const steps = stepsOf(state);
  const ms = sum(steps, 'ms');
  return ms < SAMPLE_MS ? undefined : (sum(steps, 'rows') * 1000) / ms;
}

/** Milliseconds of work left at the present speed, after `work` milliseconds. Undefined until it can be estimated. */
export function millisecondsLeft(state: PhaseState, work: number): number | undefined {
  const steps = stepsOf(state);
  const [ms, done] = [sum(steps, 'ms'), sum(steps, 'done')];
  if (state.total === undefined || steps.length < MIN_STEPS || ms < MIN_MS || done <= 0) {
    return undefined;
  }
  return Math.max(0, ((state.total - latestSample(state).done) * ms) / done - (work - latestSample(state).work));
}

interface Step {
  readonly ms: number;
  readonly done: number;
  readonly rows: number;
}

function stepsOf({ samples }: PhaseState): readonly Step[] {
  const steps = samples.slice(1).map((to, index) => {
    const from = samples[index] ?? to;
    return { ms: to.work - from.work, done: to.done - from.done, rows: to.rows - from.rows };
  });
  // If there are more than three steps, leaves out a step that took longer than all others together. It is one slow
  // response, which says nothing about the speed of the others.
  const stall = steps.length > MIN_STEPS ? steps.find((step) => 2 * step.ms > sum(steps, 'ms')) : undefined;
  return steps.filter((step) => step !== stall);
}

function sum(steps: readonly Step[], field: keyof Step): number {
  return sumOf(steps.map((step) => step[field]));
}

/** A request without a response so far. `since` is the time of its first attempt; for a list, of its first page. */
interface PendingRequest {
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  readonly page: number | undefined;
  readonly since: number;
}

interface ShownWait extends WaitCause {
  readonly from: number;
  readonly until: number;
}

export interface ProgressState {
  readonly currentPhase: PhaseState | undefined;
  readonly wait: ShownWait | undefined;
  /** How long all finished waits took together, in milliseconds. */
  readonly waitedMs: number;
  /** The requests in flight, oldest first. */
  readonly pendingRequests: readonly PendingRequest[];
  /** The newest request, even if it has its response. */
  readonly newestRequest: PendingRequest | undefined;
  /** Work without a total, such as a large transaction, and when it started. */
  readonly uncountedWork: { readonly what: string; readonly since: number } | undefined;
  readonly lastEventAt: number;
}

export function initialProgress(now: number): ProgressState {
  const nothing = { currentPhase: undefined, wait: undefined, newestRequest: undefined, uncountedWork: undefined };
  return { ...nothing, waitedMs: 0, pendingRequests: [], lastEventAt: now };
}

export function advanceProgress(state: ProgressState, event: RunEvent, now: number): ProgressState {
  const updated = { ...state, lastEventAt: now };
  switch (event.type) {
    case 'phase': {
      const afterWait = endWait(updated, now);
      const isRepeat = state.currentPhase?.phase === event.phase;
      return {
        ...afterWait,
        currentPhase: startPhase(event, { now, work: workedMs(afterWait, now), isRepeat }),
        uncountedWork: undefined,
      };
    }
    case 'doing':
      return { ...updated, uncountedWork: event.what === undefined ? undefined : { what: event.what, since: now } };
    case 'wait':
      return state.wait && state.wait.until >= now + event.ms
        ? updated
        : { ...endWait(updated, now), wait: waitOf(event, now) };
    case 'asking':
      return addRequest(endWait(updated, now), event, now);
    case 'request':
      return { ...updated, pendingRequests: removeRequest(state.pendingRequests, event) };
    case 'progress':
      return addProgress(updated, event, now);
    default:
      return updated;
  }
}

/** Milliseconds of work until `now`: elapsed time without waits. Only the difference of two results has a meaning. */
export function workedMs({ wait, waitedMs }: ProgressState, now: number): number {
  return now - waitedMs - (wait ? Math.max(0, Math.min(now, wait.until) - wait.from) : 0);
}

function waitOf({ type: _, ms, ...cause }: Extract<RunEvent, { type: 'wait' }>, now: number): ShownWait {
  return { ...cause, from: now, until: now + ms };
}

/** Ends the present wait, if there is one. It ends at its planned time, or at the next event if that comes earlier. */
function endWait(state: ProgressState, now: number): ProgressState {
  return state.wait ? { ...state, wait: undefined, waitedMs: now - workedMs(state, now) } : state;
}

function addProgress(state: ProgressState, event: Extract<RunEvent, { type: 'progress' }>, now: number): ProgressState {
  const { currentPhase: current } = state;
  const work = workedMs(state, now);
  const isSame = current?.phase === event.phase;
  const phase = isSame ? current : startPhase({ phase: event.phase }, { now, work, isRepeat: false });
  return { ...state, currentPhase: addSample(phase, { work, done: event.done, rows: event.rows ?? event.done }) };
}

function addRequest(state: ProgressState, event: Extract<RunEvent, { type: 'asking' }>, now: number): ProgressState {
  const { method, path, attempt, page = 1 } = event;
  const { newestRequest: newest } = state;
  const isContinued = (attempt > 1 || page > 1) && newest?.method === method && newest.path === path;
  const request = { method, path, attempt, page: event.page, since: isContinued ? newest.since : now };
  return { ...state, pendingRequests: [...state.pendingRequests, request], newestRequest: request };
}

function removeRequest(
  open: readonly PendingRequest[],
  { method, path, attempt }: Omit<PendingRequest, 'page' | 'since'>,
): readonly PendingRequest[] {
  const answered = open.find((one) => one.method === method && one.path === path && one.attempt === attempt);
  return open.filter((one) => one !== answered);
}
