import type { Query } from '../http/base-url.ts';
import type { Channel } from '../http/channel.ts';
import { retryDelay } from './retry-policy.ts';

/** The path and options of a read. */
export interface ReadRequest {
  readonly segments: readonly string[];
  readonly query?: Query | undefined;
  /** Page number of a list, from 1. */
  readonly page?: number | undefined;
}

/**
 * GETs a JSON object with up to 6 attempts in 5 minutes, not counting waits for the rate limit (rule P6). Throws
 * ApiError for a final refusal, SvcError after the last attempt, and the signal's reason once it aborts.
 */
export async function readJson(channel: Channel, request: ReadRequest, signal?: AbortSignal): Promise<unknown> {
  let failures = 0;
  let spentMs = 0;
  let startedAt = 0;
  let retry = false;
  const onStart = () => {
    startedAt = channel.clock.monotonic();
  };
  for (let number = 1; ; number += 1) {
    const result = await channel.attempt({ method: 'GET', ...request }, { number, retry, graceMs: 0, onStart }, signal);
    signal?.throwIfAborted();
    if (result?.kind === 'success') {
      return result.json;
    }
    retry = result?.kind === 'fault';
    if (result?.kind === 'refused' || result?.kind === 'in_flight') {
      throw result.error;
    }
    if (result?.kind === 'fault') {
      failures += 1;
      spentMs += channel.clock.monotonic() - startedAt;
      const jitter = { random: channel.random(), atLeastMs: result.meta.retryAfterMs };
      const waitMs = result.retryable ? retryDelay('read', { failures, spentMs }, jitter) : undefined;
      if (waitMs === undefined) {
        throw result.error;
      }
      spentMs += waitMs;
      await channel.wait({ reason: 'retry', ms: waitMs, cause: result.error }, signal);
    }
  }
}
