import { timeSince } from '../../base/lib/clock.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { GRACE_MS } from '../http/attempt-time.ts';
import type { Call, Channel } from '../http/channel.ts';
import type { Answer, Fault } from '../http/read-response.ts';
import { PATCH_MS, retryDelay } from './retry-policy.ts';

/** A PATCH or DELETE of an existing object. It has no idempotency key (rule I9). */
export interface Mutation {
  readonly method: 'PATCH' | 'DELETE';
  readonly segments: readonly string[];
  readonly body?: Buffer | undefined;
}

/**
 * Sends a mutation. A PATCH is repeated only within 60 s of its first attempt. A repeated DELETE that answers 404 has
 * succeeded; the result is undefined, as for an empty body (rule I10). Throws as readJson does.
 */
export async function sendMutation(channel: Channel, mutation: Mutation, signal?: AbortSignal): Promise<unknown> {
  const attempts = createAttempts(channel, mutation);
  for (let retry = false; ; retry = true) {
    const answer = await attempts.attempt(retry, signal);
    if (answer.kind === 'success') {
      return answer.json;
    }
    if (
      answer.kind === 'refused' &&
      answer.error.status === 404 &&
      mutation.method === 'DELETE' &&
      attempts.outcomeUnknown()
    ) {
      return undefined;
    }
    if (answer.kind === 'refused' || answer.kind === 'in_flight') {
      throw answer.error;
    }
    signal?.throwIfAborted();
    if (answer.kind === 'fault') {
      await attempts.wait(answer, signal);
    }
  }
}

function createAttempts(channel: Channel, mutation: Mutation) {
  const { clock, random } = channel;
  const call: Call = mutation;
  let number = 0;
  let failures = 0;
  let age: (() => number) | undefined;
  let startedAt = clock.monotonic();
  let outcomeUnknown = false;
  // Uses the clock that shows more elapsed time: after a suspend, a repeated PATCH could undo a newer change.
  const latestStart = () =>
    mutation.method === 'PATCH' && age ? clock.monotonic() + PATCH_MS - age() : Number.POSITIVE_INFINITY;
  const onStart = () => {
    startedAt = age ? startedAt : clock.monotonic();
    age ??= timeSince(clock);
  };

  return {
    outcomeUnknown: () => outcomeUnknown,
    async attempt(retry: boolean, signal: AbortSignal | undefined): Promise<Answer> {
      number += 1;
      const attempt = { number, retry: retry && failures > 0, latestStart, graceMs: GRACE_MS, onStart };
      const answer = await channel.attempt(call, attempt, signal);
      if (!answer) {
        throw new SvcError(EXIT.failed, 'in_doubt', 'the outcome of the change is unknown', {
          hint: 'check the current state, then repeat the command',
        });
      }
      outcomeUnknown ||= answer.kind === 'fault' && answer.reached;
      return answer;
    },
    async wait(fault: Fault, signal: AbortSignal | undefined): Promise<void> {
      failures += 1;
      const spentMs = clock.monotonic() - startedAt;
      const jitter = { random: random(), atLeastMs: fault.meta.retryAfterMs };
      const waitMs = fault.retryable ? retryDelay('read', { failures, spentMs }, jitter) : undefined;
      if (waitMs === undefined || clock.monotonic() + waitMs > latestStart()) {
        throw fault.error;
      }
      await channel.wait({ reason: 'retry', ms: waitMs, cause: fault.error }, signal);
    },
  };
}
