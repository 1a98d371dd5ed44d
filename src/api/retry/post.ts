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
import type { UnitOutcome, WriteRequest } from './write-request.ts';

/** How long an attempt in flight may go on after the first signal (rule D4). */
export const GRACE_MS = 10_000;

/**
 * Sends a unit until its fate is known or nothing more may be tried. All attempts of a generation carry one key, one
 * after the other (rules I5, I9). The generation moves on only over replayed refusals whose cause can be cured, and
 * never after an outcome in doubt (rules I1, I2). Rejects only with what `beforeKey` throws, or on a bug.
 */
export async function post<T>(
  channel: Channel,
  request: WriteRequest<T>,
  signal?: AbortSignal | undefined,
): Promise<UnitOutcome<T>> {
  let state: KeyState = { generation: request.generation, outcomeUnknown: request.inDoubt === true, attempts: 0 };
  let expiry = createKeyExpiry(channel, request.policy, state.outcomeUnknown ? request.firstSentAt : undefined);
  if (expiry.expired || (state.outcomeUnknown && !expiry.continued && request.policy !== 'repeatable')) {
    return { kind: 'doubt', cause: tooOld(), generation: state.generation, inDoubt: true, over: 'time' };
  }
  for (;;) {
    const end = await sendUnderOneKey({ channel, request: request, expiry: expiry, signal }, state);
    if (end.kind !== 'next_key') {
      return end;
    }
    state = { ...end.state, generation: state.generation + 1 };
    expiry = createKeyExpiry(channel, request.policy, undefined);
  }
}

async function sendUnderOneKey<T>(
  request: KeyedRequest<T>,
  before: KeyState,
): Promise<UnitOutcome<T> | NextKeyVersion> {
  const { signal } = request;
  const decider = createRetryDecider(request, before);
  const attempt = createAttempts(request, decider, before.generation);
  let last: RetryStep | undefined;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const answer = await attempt(last);
      const step: Step<T> = answer ? decider.decide(answer) : decider.tooLate(last?.cause ?? tooOld());
      if (step.kind !== 'again') {
        return step;
      }
      last = step;
    }
  } catch (error) {
    return decider.stopped(error);
  }
}

/** Makes the function that waits as the last step asked and attempts again; undefined: the key's time is over. */
function createAttempts<T>(
  { channel, request: unit, expiry: life, signal }: KeyedRequest<T>,
  decider: RetryDecider<T>,
  generation: number,
) {
  const key = unit.keyAt(generation);
  const call = { method: 'POST', segments: unit.segments, body: unit.body } as const;
  let journaled = life.continued;

  const onStart = () => {
    if (!journaled) {
      unit.beforeKey({ key, generation, firstSentAt: channel.serverNow() });
      journaled = true;
    }
    decider.attempted();
  };

  return async (last: RetryStep | undefined): Promise<Answer | undefined> => {
    const { waitMs, reason } = last ?? { waitMs: 0, reason: undefined };
    if (channel.clock.monotonic() + waitMs > life.latestStart()) {
      return undefined;
    }
    if (last && waitMs > 0) {
      await channel.wait({ reason: last.reason, ms: waitMs, cause: last.cause }, signal);
    }
    const times = { latestStart: life.latestStart, closeAt: life.closeAt, graceMs: GRACE_MS };
    const attempt = { number: decider.attempts() + 1, retry: reason === 'retry', key, ...times, onStart };
    return channel.attempt(call, attempt, signal);
  };
}

function tooOld(): SvcError {
  return new SvcError(EXIT.failed, 'in_doubt', 'no answer was read in the time in which a repeat is safe');
}
