import { SvcError } from '../../base/errors.ts';
import { EXIT } from '../../base/exit.ts';
import type { Answer } from '../http/answer.ts';
import type { Channel } from '../http/channel.ts';
import {
  type Again,
  createJudge,
  type Judge,
  type KeyState,
  type NextGeneration,
  type Sending,
  type Step,
} from './decide-retry.ts';
import { createKeyLife } from './key-expiry.ts';
import type { PostUnit, UnitOutcome } from './write-request.ts';

/** How long an attempt in flight may go on after the first signal (rule D4). */
export const GRACE_MS = 10_000;

/**
 * Sends a unit until its fate is known or nothing more may be tried. All attempts of a generation carry one key, one
 * after the other (rules I5, I9). The generation moves on only over replayed refusals whose cause can be cured, and
 * never after an outcome in doubt (rules I1, I2). Rejects only with what `beforeKey` throws, or on a bug.
 */
export async function postUnit<T>(
  channel: Channel,
  unit: PostUnit<T>,
  signal?: AbortSignal | undefined,
): Promise<UnitOutcome<T>> {
  let state: KeyState = { generation: unit.generation, doubted: unit.inDoubt === true, attempts: 0 };
  let life = createKeyLife(channel, unit.policy, state.doubted ? unit.firstSentAt : undefined);
  if (life.expired || (state.doubted && !life.continued && unit.policy !== 'repeatable')) {
    return { kind: 'doubt', cause: tooOld(), generation: state.generation, inDoubt: true, over: 'time' };
  }
  for (;;) {
    const end = await sendUnderOneKey({ channel, unit, life, signal }, state);
    if (end.kind !== 'next_generation') {
      return end;
    }
    state = { ...end.state, generation: state.generation + 1 };
    life = createKeyLife(channel, unit.policy, undefined);
  }
}

async function sendUnderOneKey<T>(sending: Sending<T>, before: KeyState): Promise<UnitOutcome<T> | NextGeneration> {
  const { signal } = sending;
  const judge = createJudge(sending, before);
  const attempt = createAttempts(sending, judge, before.generation);
  let last: Again | undefined;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const answer = await attempt(last);
      const step: Step<T> = answer ? judge.step(answer) : judge.tooLate(last?.cause ?? tooOld());
      if (step.kind !== 'again') {
        return step;
      }
      last = step;
    }
  } catch (error) {
    return judge.stopped(error);
  }
}

/** Makes the function that waits as the last step asked and attempts again; undefined: the key's time is over. */
function createAttempts<T>({ channel, unit, life, signal }: Sending<T>, judge: Judge<T>, generation: number) {
  const key = unit.keyAt(generation);
  const call = { method: 'POST', segments: unit.segments, body: unit.body } as const;
  let journaled = life.continued;

  const onStart = () => {
    if (!journaled) {
      unit.beforeKey({ key, generation, firstSentAt: channel.serverNow() });
      journaled = true;
    }
    judge.attempted();
  };

  return async (last: Again | undefined): Promise<Answer | undefined> => {
    const { waitMs, reason } = last ?? { waitMs: 0, reason: undefined };
    if (channel.clock.monotonic() + waitMs > life.latestStart()) {
      return undefined;
    }
    if (last && waitMs > 0) {
      await channel.wait({ reason: last.reason, ms: waitMs, cause: last.cause }, signal);
    }
    const times = { latestStart: life.latestStart, closeAt: life.closeAt, graceMs: GRACE_MS };
    const attempt = { number: judge.attempts() + 1, retry: reason === 'retry', key, ...times, onStart };
    return channel.attempt(call, attempt, signal);
  };
}

function tooOld(): SvcError {
  return new SvcError(EXIT.failed, 'in_doubt', 'no answer was read in the time in which a repeat is safe');
}
