import { type Clock, timeSince } from '../../base/lib/clock.ts';
import { parseHttpDate } from '../rate-limit/response-headers.ts';

/** The service's time in milliseconds since the epoch. Before the first response it is the wall clock. */
export interface ServiceClock {
  /** Takes the time of a response from its `Date` header. */
  record(date: string | undefined): void;
  /** The latest `Date` header plus the monotonic time since then. */
  now(): number;
  /** Upper bound of the service's time: during a suspend the wall clock runs while the monotonic clock stops (P7). */
  latest(): number;
}

/** Creates a clock that follows the `Date` headers of the service. */
export function createServiceClock(clock: Clock): ServiceClock {
  let recorded: { readonly date: number; readonly since: () => number; readonly at: number } | undefined;
  return {
    record: (text) => {
      const date = parseHttpDate(text);
      recorded = date === undefined ? recorded : { date, at: clock.monotonic(), since: timeSince(clock) };
    },
    now: () => (recorded ? Math.floor(recorded.date + clock.monotonic() - recorded.at) : clock.now()),
    latest: () => (recorded ? Math.floor(recorded.date + recorded.since()) : clock.now()),
  };
}
