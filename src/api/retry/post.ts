import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { Answer } from '../http/answer.ts';
import type { Channel } from '../http/channel.ts';
import {
  createRetryDecider,
  type KeyedRequest,
  type KeyState,
  type NextKeyVersion,
  type RetryDecider,
  type RetryStep,
  type Step,
} from './decide-retry.ts';
import { createKeyExpiry } from './key-expiry.ts';
import type { WriteOutcome, WriteRequest } from './write-request.ts';

/** How long an attempt in flight may continue after the first signal (rule D4). */
export const GRACE_MS = 10_000;

/**
 * Sends a write request until its outcome is known or no retry is allowed. Attempts of one key version run one after
 * the other with the same key (rules I5, I9). The key version changes only after a replayed refusal whose cause can be
 * fixed. It never changes after an unknown outcome (rules I1, I2). Rejects only with errors of `beforeKey`, or on a
 * bug.
 */
export async function post<T>(
  channel: Channel,
  request: WriteRequest<T>,
  signal?: AbortSignal | undefined,
): Promise<WriteOutcome<T>> {
  let state: KeyState = {
    keyVersion: request.keyVersion,
    outcomeUnknown: request.outcomeUnknown === true,
    attempts: 0,
  };
  let expiry = createKeyExpiry(channel, request.policy, state.outcomeUnknown ? request.firstSentAt : undefined);
  if (expiry.expired || (state.outcomeUnknown && !expiry.continued && request.policy !== 'repeatable')) {
    return { kind: 'gave_up', cause: tooOld(), keyVersion: state.keyVersion, outcomeUnknown: true, expired: 'time' };
  }
  for (;;) {
    const end = await sendUnderOneKey({ channel, request: request, expiry: expiry, signal }, state);
    if (end.kind !== 'next_key') {
      return end;
    }
    state = { ...end.state, keyVersion: state.keyVersion + 1 };
    expiry = createKeyExpiry(channel, request.policy, undefined);
  }
}

async function sendUnderOneKey<T>(
  request: KeyedRequest<T>,
  before: KeyState,
): Promise<WriteOutcome<T> | NextKeyVersion> {
  const { signal } = request;
  const decider = createRetryDecider(request, before);
  const attempt = createAttempts(request, decider, before.keyVersion);
  let last: RetryStep | undefined;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const answer = await attempt(last);
      const step: Step<T> = answer ? decider.decide(answer) : decider.tooLate(last?.cause ?? tooOld());
      if (step.kind !== 'retry') {
        return step;
      }
      last = step;
    }
  } catch (error) {
    return decider.stopped(error);
  }
}

/**
 * Returns a function that waits as the last step demands and sends the next attempt. Undefined: the key has expired.
 */
function createAttempts<T>(
  { channel, request, expiry, signal }: KeyedRequest<T>,
  decider: RetryDecider<T>,
  keyVersion: number,
) {
  const key = request.keyForVersion(keyVersion);
  const call = { method: 'POST', segments: request.segments, body: request.body } as const;
  let journaled = expiry.continued;

  const onStart = () => {
    if (!journaled) {
      request.beforeKey({ key, keyVersion, firstSentAt: channel.serverNow() });
      journaled = true;
    }
    decider.attempted();
  };

  return async (last: RetryStep | undefined): Promise<Answer | undefined> => {
    const { waitMs, reason } = last ?? { waitMs: 0, reason: undefined };
    if (channel.clock.monotonic() + waitMs > expiry.latestStart()) {
      return undefined;
    }
    if (last && waitMs > 0) {
      await channel.wait({ reason: last.reason, ms: waitMs, cause: last.cause }, signal);
    }
    const times = { latestStart: expiry.latestStart, closeAt: expiry.closeAt, graceMs: GRACE_MS };
    const attempt = { number: decider.attempts() + 1, retry: reason === 'retry', key, ...times, onStart };
    return channel.attempt(call, attempt, signal);
  };
}

function tooOld(): SvcError {
  return new SvcError(EXIT.failed, 'in_doubt', 'no response arrived in the time in which a repeat is safe');
}
