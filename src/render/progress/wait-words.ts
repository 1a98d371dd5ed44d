import type { WaitReason } from '../../base/events.ts';
import { formatDuration } from '../../base/lib/duration.ts';
import { safe } from '../../base/lib/text.ts';

/** Why nothing moves, in one line. `ms` is what is left of the wait; it is shown in whole seconds, rounded up. */
export function waitWords({ reason, cause }: { reason: WaitReason; cause?: string | undefined }, ms: number): string {
  const why = cause === undefined ? '' : `: ${safe(cause)}`;
  return `${WORDS[reason](formatDuration(ms))}${why}`;
}

const WORDS: Readonly<Record<WaitReason, (time: string) => string>> = {
  rate_limit: (time) => `waiting ${time} for the service's rate limit`,
  reserve: (time) => `waiting ${time} to leave requests to the account's other mail`,
  retry: (time) => `waiting ${time} before trying again`,
  in_flight_elsewhere: (time) => `waiting ${time}: the service is still at work on this request`,
  too_many_retries: (time) => `waiting ${time}: too many requests are failing`,
  lock: (time) => `waiting ${time} for the other run at this destination`,
};
