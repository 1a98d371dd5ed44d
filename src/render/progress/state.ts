import type { RunEvent, WaitReason } from '../../base/events.ts';
import { addSample, type PhaseState, startPhase } from './phase-state.ts';

/** A request without a response. `since` is the start of its first attempt, or of the first page of its list. */
interface PendingRequest {
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  readonly page: number | undefined;
  readonly since: number;
}

interface ShownWait {
  readonly reason: WaitReason;
  readonly from: number;
  readonly until: number;
  readonly cause?: string | undefined;
}

export interface ProgressState {
  readonly current: PhaseState | undefined;
  readonly wait: ShownWait | undefined;
  /** The total milliseconds of finished waits. */
  readonly waitedMs: number;
  /** Requests in flight, oldest first, and the newest request. */
  readonly open: readonly PendingRequest[];
  readonly last: PendingRequest | undefined;
  /** Work without units, and its start. */
  readonly doing: { readonly what: string; readonly since: number } | undefined;
  readonly lastEventAt: number;
}

export function initialProgress(now: number): ProgressState {
  const nothing = { current: undefined, wait: undefined, last: undefined, doing: undefined };
  return { ...nothing, waitedMs: 0, open: [], lastEventAt: now };
}

export function advance(state: ProgressState, event: RunEvent, now: number): ProgressState {
  const updated = { ...state, lastEventAt: now };
  switch (event.type) {
    case 'phase': {
      const afterWait = endWait(updated, now);
      const isRepeat = state.current?.phase === event.phase;
      return {
        ...afterWait,
        current: startPhase(event, { now, work: workedMs(afterWait, now), isRepeat }),
        doing: undefined,
      };
    }
    case 'doing':
      return { ...updated, doing: event.what === undefined ? undefined : { what: event.what, since: now } };
    case 'wait':
      return state.wait && state.wait.until >= now + event.ms
        ? updated
        : { ...endWait(updated, now), wait: waitOf(event, now) };
    case 'asking':
      return addRequest(endWait(updated, now), event, now);
    case 'request':
      return { ...updated, open: removeRequest(state.open, event) };
    case 'progress': {
      const work = workedMs(state, now);
      const same = state.current?.phase === event.phase;
      const current =
        same && state.current ? state.current : startPhase({ phase: event.phase }, { now, work, isRepeat: false });
      return {
        ...updated,
        current: addSample(current, { at: work, done: event.done, rows: event.rows ?? event.done }),
      };
    }
    default:
      return updated;
  }
}

/** Milliseconds of work up to `now`: elapsed time without waits. Only differences are meaningful. */
export function workedMs({ wait, waitedMs }: ProgressState, now: number): number {
  return now - waitedMs - (wait ? Math.max(0, Math.min(now, wait.until) - wait.from) : 0);
}

function waitOf({ reason, ms, cause }: Extract<RunEvent, { type: 'wait' }>, now: number): ShownWait {
  return { reason, from: now, until: now + ms, ...(cause !== undefined && { cause }) };
}

/** A wait ends when its time is over, or earlier at the next event. */
function endWait(state: ProgressState, now: number): ProgressState {
  return state.wait ? { ...state, wait: undefined, waitedMs: now - workedMs(state, now) } : state;
}

function addRequest(state: ProgressState, event: Extract<RunEvent, { type: 'asking' }>, now: number): ProgressState {
  const { method, path, attempt, page } = event;
  const isContinued = attempt > 1 || (page !== undefined && page > 1);
  const earlier = isContinued && state.last?.method === method && state.last.path === path ? state.last : undefined;
  const request = { method, path, attempt, page, since: earlier?.since ?? now };
  return { ...state, open: [...state.open, request], last: request };
}

function removeRequest(
  open: readonly PendingRequest[],
  { method, path, attempt }: Omit<PendingRequest, 'page' | 'since'>,
): readonly PendingRequest[] {
  const answered = open.find((one) => one.method === method && one.path === path && one.attempt === attempt);
  return open.filter((one) => one !== answered);
}
