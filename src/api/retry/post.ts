import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { INTERRUPTED_GRACE_MS } from '../http/attempt-time.ts';
import type { ServiceConnection } from '../http/service-connection.ts';
import { LaterError } from '../rate-limit/rate-limiter.ts';
import {
  decideRetry,
  giveUp,
  type KeyState,
  type RetryDecision,
  type SameKeyRetry,
  startKeyVersion,
} from './decide-retry.ts';
import { createKeyExpiry, type KeyExpiry } from './key-expiry.ts';
import type { WriteOutcome, WriteRequest } from './key-source.ts';

/**
 * Sends a write request until its outcome is known or no retry is allowed. The attempts of one key version run one
 * after the other, with the same key (I5, I9). The key version grows if the service replays a response whose cause can
 * be removed (I1). It also grows after a replayed server error, if the write is repeatable or `isStoredErrorHarmless`
 * is true (I2). Rejects only with an error of `beforeNewKey` or of a state check (D8), or because of a bug.
 */
export async function postWithRetries<T>(
  connection: ServiceConnection,
  request: WriteRequest<T>,
  signal: AbortSignal | undefined,
): Promise<WriteOutcome<T>> {
  const isUnknown = request.outcomeUnknown === true;
  let attempt = startKeyVersion(request.keyVersion, isUnknown);
  let expiry = createKeyExpiry(connection, request.policy, isUnknown ? request.firstSentAt : undefined);
  if (expiry.isExpired || (isUnknown && !expiry.wasSentBefore && request.policy !== 'repeatable')) {
    return { ...giveUp(attempt, keyTooOldError()), expired: 'time' };
  }
  if (isUnknown && request.needsServerTime && !connection.knowsServerTime()) {
    return { ...giveUp(attempt, keyAgeUnknownError()), expired: 'time' };
  }
  for (;;) {
    const end = await sendUnderOneKey({ connection, request, expiry, signal }, attempt);
    if (end.kind !== 'next_key') {
      return end;
    }
    attempt = end.attempt;
    expiry = createKeyExpiry(connection, request.policy, undefined);
  }
}

/** A write request that is sent under one key. */
interface KeyedRequest<T> {
  readonly connection: ServiceConnection;
  readonly request: WriteRequest<T>;
  readonly expiry: KeyExpiry;
  readonly signal: AbortSignal | undefined;
}

async function sendUnderOneKey<T>(
  write: KeyedRequest<T>,
  first: KeyState,
): Promise<Exclude<RetryDecision<T>, SameKeyRetry>> {
  const { connection, request, expiry, signal } = write;
  const send = createAttemptSender(write, first.keyVersion);
  let attempt = first;
  let wait: SameKeyRetry['wait'] | undefined;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const sent = await send(attempt.attempts + 1, wait);
      if (!sent) {
        return { ...giveUp(attempt, wait?.cause ?? keyTooOldError()), expired: 'time' };
      }
      if ('stopped' in sent) {
        return giveUp(attempt, sent.stopped);
      }
      const moment = {
        now: connection.clock.monotonic(),
        random: connection.random(),
        isAborted: signal?.aborted === true,
      };
      const step = decideRetry(request, attempt, sent.result, { ...moment, tookMs: moment.now - sent.startedAt });
      if (step.kind !== 'retry') {
        return step;
      }
      if (step.attempt.outcome === 'in flight' && attempt.outcome === 'none' && request.noteSentByOtherMachine) {
        request.noteSentByOtherMachine();
        expiry.noteSentByOtherMachine();
      }
      ({ attempt, wait } = step);
      if (attempt.outcome !== 'none') {
        expiry.noteReached();
      }
    }
  } catch (error) {
    return interruptedBy(error, attempt, signal);
  }
}

/**
 * Returns a function that first waits, if the last decision says so, and then sends the next attempt. It returns
 * undefined if the key has expired, and `stopped` if the check before the attempt failed.
 */
function createAttemptSender<T>({ connection, request, expiry, signal }: KeyedRequest<T>, keyVersion: number) {
  const key = request.keyForVersion(keyVersion);
  const call = { method: 'POST', segments: request.segments, body: request.body } as const;
  let isJournaled = expiry.wasSentBefore;
  let startedAt = 0;

  const onStart = () => {
    if (!isJournaled) {
      request.beforeNewKey({ key, keyVersion, firstSentAt: connection.serverNow() });
      isJournaled = true;
    }
    startedAt = connection.clock.monotonic();
    expiry.noteAttempt();
  };

  return async (number: number, wait: SameKeyRetry['wait'] | undefined) => {
    if (connection.clock.monotonic() + (wait?.ms ?? 0) > expiry.latestStart()) {
      return undefined;
    }
    if (wait && wait.ms > 0) {
      await connection.wait(wait, signal);
    }
    const times = { latestStart: expiry.latestStart, latestEnd: expiry.latestEnd, graceMs: INTERRUPTED_GRACE_MS };
    const attempt = { number, isRetry: wait?.reason === 'retry', key, ...times };
    return sendAfterCheck(request, signal, async (refuseStale) => {
      const startFresh = () => {
        refuseStale();
        onStart();
      };
      const result = await connection.attempt(call, { ...attempt, onStart: startFresh }, signal);
      return result && { result, startedAt };
    });
  };
}

/**
 * Checks the request, then calls `send`, which calls `refuseStale` directly before its first byte. If the check is too
 * old by then, checks and sends again. Returns `stopped` if the check failed.
 */
async function sendAfterCheck<R>(
  request: Pick<WriteRequest<unknown>, 'beforeAttempt' | 'isStale'>,
  signal: AbortSignal | undefined,
  send: (refuseStale: () => void) => Promise<R>,
): Promise<R | { readonly stopped: SvcError }> {
  for (let checks = 1; ; checks += 1) {
    const stopped = await failureOfCheck(request, signal);
    if (stopped) {
      return { stopped };
    }
    try {
      return await send(() => {
        if (checks < MAX_CHECKS && request.isStale?.()) {
          throw STALE_CHECK;
        }
      });
    } catch (error) {
      if (error !== STALE_CHECK) {
        throw error;
      }
    }
  }
}

/** Calls `beforeAttempt`. Returns its error if it stops this write. Then the attempt must not be sent. */
async function failureOfCheck(
  { beforeAttempt }: Pick<WriteRequest<unknown>, 'beforeAttempt'>,
  signal: AbortSignal | undefined,
): Promise<SvcError | undefined> {
  try {
    await beforeAttempt?.();
    return undefined;
  } catch (error) {
    if (error instanceof SvcError && !(error instanceof LaterError) && error !== signal?.reason) {
      return error;
    }
    throw error;
  }
}

const STALE_CHECK = new Error('the check before the attempt is too old');

// The maximum number of checks before one attempt. After the last check svc sends the attempt, however old the check
// is. A check sends requests too, so at a very low rate limit no check would ever be recent enough.
const MAX_CHECKS = 4;

/** The outcome of a write after an error before or between attempts. Throws an unexpected error again. */
function interruptedBy(error: unknown, attempt: KeyState, signal: AbortSignal | undefined): WriteOutcome<never> {
  const { keyVersion } = attempt;
  const outcomeUnknown = attempt.outcome !== 'none';
  if (signal?.aborted && error === signal.reason) {
    return { kind: 'interrupted', keyVersion, outcomeUnknown };
  }
  if (error instanceof LaterError) {
    return { kind: 'later', resumeAt: error.resumeAt, keyVersion, outcomeUnknown };
  }
  if (error instanceof SvcError && error.code === 'too_many_retries') {
    return giveUp(attempt, error);
  }
  throw error;
}

function keyTooOldError(): SvcError {
  return new SvcError(EXIT.failed, 'in_doubt', 'no response arrived, and it is too late to repeat the request safely');
}

function keyAgeUnknownError(): SvcError {
  const message =
    'no response arrived, and the service does not show its time, so the request may be too old to repeat';
  return new SvcError(EXIT.failed, 'in_doubt', message);
}
