import { startStopwatch } from '../../base/lib/clock.ts';
import type { ServiceConnection } from '../http/service-connection.ts';
import { KEY_EXPIRY_MS, type RetryPolicy, SHARED_KEY_WINDOW, WRITE_ONCE_WINDOW } from './retry-policy.ts';

/**
 * How long one idempotency key may still be used. Times are milliseconds of the monotonic clock. These times become
 * earlier if the wall clock or the service's clock shows that more time has passed (P7).
 */
export interface KeyExpiry {
  /** True if an earlier process sent the key, and the key is too old now to be repeated. */
  readonly isExpired: boolean;
  /** True if an earlier process sent the key. Then the key is on disk already. */
  readonly wasSentBefore: boolean;
  /**
   * To be called when an attempt starts. Until an attempt may have reached the service, the limits below count from the
   * newest attempt.
   */
  noteAttempt(): void;
  /** To be called once the service may know the key. From then on the limits are fixed. */
  noteReached(): void;
  /**
   * To be called if the service got the key from another machine. Its request may be older than the first attempt here,
   * so the limits become shorter.
   */
  noteSentByOtherMachine(): void;
  latestStart(): number;
  /** Each attempt must end by this time. Infinite, unless the policy is `once`. */
  latestEnd(): number;
}

// How far a recorded time may be in the future: `Date` headers have whole seconds, and clocks differ by a little. A
// time further in the future is not trusted.
const TOLERANCE_MS = 60_000;

/**
 * The expiry of a key. `firstSentAt` is a time of the service. It is given if an earlier process sent the key and the
 * outcome is unknown (I3, I4, I6).
 */
export function createKeyExpiry(
  connection: ServiceConnection,
  policy: RetryPolicy,
  firstSentAt: number | undefined,
): KeyExpiry {
  const { clock } = connection;
  const age = firstSentAt === undefined ? 0 : connection.latestServerNow() - firstSentAt;
  // A repeatable write counts as new if its key is 23 hours old, because the service forgets keys after 24 hours. It
  // also counts as new if the recorded time is more than a minute in the future, because that time is not trusted.
  const isRenewed = policy === 'repeatable' && (age >= KEY_EXPIRY_MS || age < -TOLERANCE_MS);
  const wasSentBefore = firstSentAt !== undefined && !isRenewed;
  // The age is negative if the local clock was fast when svc recorded the time.
  const ageAtStart = Math.max(age, 0);
  let elapsedMs = stopwatch(connection, ageAtStart);
  let isKeyFixed = wasSentBefore;

  let sinceElsewhere: (() => number) | undefined;

  const timeAtAge = (ms: number) => clock.monotonic() + ms - elapsedMs();
  const isLimited = () => isKeyFixed && policy !== 'repeatable';
  const timeAtAgeElsewhere = (ms: number) =>
    sinceElsewhere ? clock.monotonic() + ms - sinceElsewhere() : Number.POSITIVE_INFINITY;

  return {
    wasSentBefore,
    isExpired: wasSentBefore && isKeyExpired(policy, age),
    noteAttempt() {
      if (!isKeyFixed) {
        elapsedMs = stopwatch(connection, 0);
      }
    },
    noteReached() {
      isKeyFixed = true;
    },
    noteSentByOtherMachine() {
      sinceElsewhere ??= stopwatch(connection, 0);
    },
    latestStart: () =>
      isLimited()
        ? Math.min(timeAtAge(repeatWindowMs(policy)), timeAtAgeElsewhere(SHARED_KEY_WINDOW.startMs))
        : Number.POSITIVE_INFINITY,
    latestEnd: () =>
      policy === 'once'
        ? Math.min(timeAtAge(WRITE_ONCE_WINDOW.closeMs), timeAtAgeElsewhere(SHARED_KEY_WINDOW.closeMs))
        : Number.POSITIVE_INFINITY,
  };
}

/**
 * Measures elapsed milliseconds, starting at `before`. Takes the largest value of the monotonic clock, the wall clock
 * and the service's clock.
 */
function stopwatch({ clock, serverNow }: ServiceConnection, before: number): () => number {
  const msSinceStart = startStopwatch(clock);
  const startedAt = serverNow();
  return () => before + Math.max(msSinceStart(), serverNow() - startedAt);
}

/**
 * True if a key is too old to be repeated. `age` is in milliseconds. An age of less than minus a minute comes from a
 * recorded time in the future. That time is not trusted, so the key counts as too old.
 */
export function isKeyExpired(policy: RetryPolicy, age: number): boolean {
  return age > repeatWindowMs(policy) || age < -TOLERANCE_MS;
}

/** How long after its first use a key may be repeated, in this process and in later ones, in milliseconds (I4, I6). */
function repeatWindowMs(policy: RetryPolicy): number {
  return policy === 'once' ? WRITE_ONCE_WINDOW.startMs : KEY_EXPIRY_MS;
}
