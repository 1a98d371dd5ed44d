import { timeSince } from '../../base/lib/clock.ts';
import type { Channel } from '../http/channel.ts';
import { KEY_EXPIRY_MS, ONCE, type RetryPolicy } from './retry-policy.ts';

/**
 * How long one idempotency key may still be used. Times are readings of the monotonic clock, in milliseconds, less what
 * has passed on top of it by the wall clock or the service's (P7).
 */
export interface KeyExpiry {
  /** True when the key was sent before and may not be repeated any more. */
  readonly expired: boolean;
  /** True when the key was sent before and is on disk already. */
  readonly continued: boolean;
  /** An attempt starts now. Until one may have reached the service, the times below count from the newest attempt. */
  attempted(): void;
  /** The service may have seen the key: from here on its times are fixed. */
  reached(): void;
  /** No attempt may start after this. */
  latestStart(): number;
  /** No attempt may last beyond this. */
  closeAt(): number;
}

// `Date` headers count whole seconds, and clocks differ a little; more than this into the future is no clock to trust.
const TOLERANCE_MS = 60_000;

/** The life of a key; `firstSentAt` (service time) when an earlier process left it in doubt (rules I3, I4, I6). */
export function createKeyExpiry(channel: Channel, policy: RetryPolicy, firstSentAt: number | undefined): KeyExpiry {
  const { clock } = channel;
  const age = firstSentAt === undefined ? 0 : channel.latestServerNow() - firstSentAt;
  // After 23 hours the same key is a new request, and a time in the future says nothing of its age, as before the first
  // answer only the local clock is known: harmless for what may be written twice.
  const renewed = policy === 'repeatable' && (age >= KEY_EXPIRY_MS || age < -TOLERANCE_MS);
  const continued = firstSentAt !== undefined && !renewed;
  // Noted by a clock ahead, before any answer told the time: it was no later than now.
  const before = Math.max(age, 0);
  let elapsed = stopwatch(channel, before);
  let fixed = continued;

  const after = (ms: number) => (policy === 'once' ? clock.monotonic() + ms - elapsed() : Number.POSITIVE_INFINITY);

  return {
    continued,
    expired: continued && isExpired(policy, age),
    attempted() {
      if (!fixed) {
        elapsed = stopwatch(channel, 0);
      }
    },
    reached() {
      fixed = true;
    },
    latestStart: () => (fixed ? after(ONCE.startMs) : Number.POSITIVE_INFINITY),
    closeAt: () => after(ONCE.closeMs),
  };
}

/** Milliseconds since `before` ago, by the clock that says more: the monotonic one, the wall clock or the service's. */
function stopwatch({ clock, serverNow }: Channel, before: number): () => number {
  const since = timeSince(clock);
  const startedAt = serverNow();
  return () => before + Math.max(since(), serverNow() - startedAt);
}

/** Whether a key of that age, in milliseconds, may not be repeated any more. A time in the future says nothing of its age. */
export function isExpired(policy: RetryPolicy, age: number): boolean {
  const life = policy === 'once' ? ONCE.startMs : KEY_EXPIRY_MS;
  return age > life || age < -TOLERANCE_MS;
}
