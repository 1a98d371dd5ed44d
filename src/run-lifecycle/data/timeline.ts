import type { Emit, WaitReason } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { countSentOverTime } from '../../runs/store/counts.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { Timeline } from './run-report.ts';

const MAX_SPANS = 60;

/** A wait of `ms` milliseconds. `startedAt` is when it began, by the wall clock. */
export interface RecordedWait {
  readonly startedAt: number;
  readonly ms: number;
  readonly reason: WaitReason;
}

const MAX_WAITS = 100;
const SHORTEST_WAIT_MS = 1_000;

/** Returns an `emit` that passes every event on, and adds each wait of a second or more to `waits`, up to 100 waits. */
export function recordWaits(waits: RecordedWait[], clock: Clock, emit: Emit): Emit {
  return (event) => {
    if (event.type === 'wait' && event.ms >= SHORTEST_WAIT_MS && waits.length < MAX_WAITS) {
      waits.push({ startedAt: clock.now(), ms: event.ms, reason: event.reason });
    }
    emit(event);
  };
}

/** When a run sent rows, and when it waited. `now` is the end, in milliseconds of the wall clock. */
export function timelineOf(journal: Journal, waits: readonly RecordedWait[], now: number): Timeline {
  return {
    started_at: iso(journal.header.startedAt),
    ended_at: iso(now),
    sent: countSentOverTime(journal.db, MAX_SPANS).map(({ at: time, rows }) => ({ at: iso(time), rows })),
    waits: waits.map(({ startedAt: time, ms, reason }) => ({ at: iso(time), ms: Math.round(ms), reason })),
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
