import { startStopwatch } from '../../base/lib/clock.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { INTERRUPTED_GRACE_MS } from '../http/attempt-time.ts';
import type { AttemptResult, Fault } from '../http/read-response.ts';
import type { ApiRequest, ServiceConnection } from '../http/service-connection.ts';
import { type FailedAttempts, MAX_PATCH_RETRY_MS, retryDelay } from './retry-policy.ts';

/**
 * GETs a JSON object, with up to 6 attempts in 5 minutes. Waits for the rate limit do not count (P6). Throws ApiError
 * for a final refusal, SvcError after the last attempt, and the reason of the signal once it aborts.
 */
export async function getJsonWithRetries(
  connection: ServiceConnection,
  request: Omit<ApiRequest, 'method' | 'body'>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  let failures = 0;
  let spentMs = 0;
  let startedAt = 0;
  let isRetry = false;
  const onStart = () => {
    startedAt = connection.clock.monotonic();
  };
  for (let number = 1; ; number += 1) {
    const result = await connection.attempt(
      { method: 'GET', ...request },
      { number, isRetry, graceMs: 0, onStart },
      signal,
    );
    signal?.throwIfAborted();
    if (result?.kind === 'success') {
      return result.json;
    }
    isRetry = result?.kind === 'fault';
    if (result?.kind === 'refused' || result?.kind === 'in_flight') {
      throw result.error;
    }
    if (result?.kind === 'fault') {
      failures += 1;
      spentMs += connection.clock.monotonic() - startedAt;
      const waitMs = delayAfter(result, { failures, spentMs }, connection.random());
      spentMs += waitMs;
      await connection.wait({ reason: 'retry', ms: waitMs, cause: result.error }, signal);
    }
  }
}

/** A PATCH or DELETE of an existing object. It needs no idempotency key (I9). */
export interface Mutation {
  readonly method: 'PATCH' | 'DELETE';
  readonly segments: readonly string[];
  readonly body?: Buffer | undefined;
}

/** The response to a mutation. `json` is undefined if the body is empty, or after a 404 on the repeat of a DELETE. */
export interface MutationResult {
  readonly status: number;
  readonly json: unknown;
}

/**
 * Sends a mutation. Repeats a PATCH only within 60 s of its first attempt. If the repeat of a DELETE gets a 404, the
 * object is deleted (I10). Throws the same errors as `getJsonWithRetries`, and `in_doubt` if the rate limit delays the
 * repeat of a PATCH for too long.
 */
export async function sendMutation(
  connection: ServiceConnection,
  mutation: Mutation,
  signal: AbortSignal | undefined,
): Promise<MutationResult> {
  const attempts = createAttempts(connection, mutation);
  for (let isRetry = false; ; isRetry = true) {
    const result = await attempts.attempt(isRetry, signal);
    if (result.kind === 'success') {
      return { status: result.status, json: result.json };
    }
    if (
      result.kind === 'refused' &&
      result.error.status === 404 &&
      mutation.method === 'DELETE' &&
      attempts.outcomeUnknown()
    ) {
      return { status: result.error.status, json: undefined };
    }
    if (result.kind === 'refused' || result.kind === 'in_flight') {
      throw result.error;
    }
    signal?.throwIfAborted();
    if (result.kind === 'fault') {
      await attempts.wait(result, signal);
    }
  }
}

function createAttempts(connection: ServiceConnection, mutation: Mutation) {
  const { clock } = connection;
  let number = 0;
  let failures = 0;
  let age: (() => number) | undefined;
  let startedAt = clock.monotonic();
  let outcomeUnknown = false;
  // Takes the clock that shows more elapsed time, because this machine may have slept. A PATCH that is repeated late
  // could undo a newer change.
  const latestStart = () =>
    mutation.method === 'PATCH' && age ? clock.monotonic() + MAX_PATCH_RETRY_MS - age() : Number.POSITIVE_INFINITY;
  const onStart = () => {
    startedAt = age ? startedAt : clock.monotonic();
    age ??= startStopwatch(clock);
  };

  return {
    outcomeUnknown: () => outcomeUnknown,
    async attempt(isRetry: boolean, signal: AbortSignal | undefined): Promise<AttemptResult> {
      number += 1;
      const attempt = { number, isRetry: isRetry && failures > 0, latestStart, graceMs: INTERRUPTED_GRACE_MS, onStart };
      const result = await connection.attempt(mutation, attempt, signal);
      if (!result) {
        throw new SvcError(EXIT.failed, 'in_doubt', 'the outcome of the change is unknown', {
          hint: 'Check the current state, then repeat the command',
        });
      }
      outcomeUnknown ||= result.kind === 'fault' && result.mayHaveReachedService;
      return result;
    },
    async wait(fault: Fault, signal: AbortSignal | undefined): Promise<void> {
      failures += 1;
      const spentMs = clock.monotonic() - startedAt;
      const waitMs = delayAfter(fault, { failures, spentMs }, connection.random());
      if (clock.monotonic() + waitMs > latestStart()) {
        throw fault.error;
      }
      await connection.wait({ reason: 'retry', ms: waitMs, cause: fault.error }, signal);
    },
  };
}

/** The milliseconds until the next attempt after a fault. Throws the error of the fault if no attempt is left. */
function delayAfter({ error, meta, isRetryable }: Fault, attempts: FailedAttempts, random: number): number {
  const ms = isRetryable ? retryDelay('read', attempts, { random, atLeastMs: meta.retryAfterMs }) : undefined;
  if (ms === undefined) {
    throw error;
  }
  return ms;
}
