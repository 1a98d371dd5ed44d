import type { Transport, WireRequest } from '../../base/context.ts';
import type { Emit, WaitReason } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { SvcError } from '../../base/lib/errors.ts';
import type { Scrub } from '../../base/lib/scrub.ts';
import type { IdentityCheck } from '../../base/os/file-identity.ts';
import type { PermitRequest, RateLimiter } from '../rate-limit/rate-limiter.ts';
import { createServiceClock, readRateLimitHeaders, type ServiceClock } from '../rate-limit/response-headers.ts';
import { MAX_ATTEMPT_MS, runWithTimeLimit } from './attempt-time.ts';
import { buildUrl, displayPath, type QueryParameters } from './base-url.ts';
import { faultWithoutResponse } from './no-response.ts';
import { type AttemptResult, readResponse } from './read-response.ts';

/** One API request. All its attempts send the same bytes. `segments` are the parts of the path after `/v1`. */
export interface ApiRequest {
  readonly method: WireRequest['method'];
  readonly segments: readonly string[];
  readonly query?: QueryParameters | undefined;
  readonly body?: Buffer | undefined;
  /** Page number of a list, from 1. */
  readonly page?: number | undefined;
}

/** One attempt of a request: its number, its key and its time limits. */
export interface Attempt extends PermitRequest {
  /** The number of the attempt, from 1. */
  readonly number: number;
  readonly key?: string | undefined;
  /**
   * The time on the monotonic clock at which svc closes the socket. Each attempt ends after two minutes anyway, so only
   * an earlier time has an effect.
   */
  readonly latestEnd?: (() => number) | undefined;
  /** How long the attempt may continue once the signal aborts, in milliseconds. */
  readonly graceMs: number;
  /** Called directly before the first byte is sent. If it throws, nothing is sent. */
  readonly onStart?: (() => void) | undefined;
}

/** A wait before an attempt, and the failure that caused it. */
export interface RetryWait {
  readonly reason: WaitReason;
  readonly ms: number;
  readonly cause: SvcError;
}

/** Request counts of one client. */
export interface ClientStats {
  readonly sent: number;
  readonly retried: number;
  readonly replayed: number;
  readonly rate_limited: number;
}

/**
 * The only way to the REST API of the service. It sends single attempts: it waits for the rate limiter, adds the
 * headers, limits the time, emits events and counts the requests. The code in `retry/` decides which requests are
 * repeated. Only the MCP endpoint has its own connection.
 */
export interface ServiceConnection {
  readonly clock: Clock;
  readonly random: () => number;
  /**
   * Sends one attempt and returns its result. Undefined if `latestStart` passed while it waited for a permit. Rejects
   * before the first byte if the signal aborts, if the wait would exceed --max-wait, or if too many requests are
   * retries. Also rejects if a state check or `onStart` throws. If the signal aborts later, the result is a fault or
   * the response.
   */
  attempt(call: ApiRequest, attempt: Attempt, signal: AbortSignal | undefined): Promise<AttemptResult | undefined>;
  /**
   * Adds a check of the state folder. Once `errorIfLost` returns an error, svc sends no further attempt (D8). Returns a
   * function that removes the check.
   */
  addStateCheck(errorIfLost: IdentityCheck): () => void;
  /** Waits, and emits an event with the cause. Rejects if the signal aborts. */
  wait(wait: RetryWait, signal: AbortSignal | undefined): Promise<void>;
  /** True once the service has shown its time. Until then, `serverNow` is the wall clock. */
  knowsServerTime: ServiceClock['isKnown'];
  /** The time of the service, as svc estimates it. */
  serverNow: ServiceClock['now'];
  /** The latest time that the service's clock can show. It is later than `serverNow` after this machine was asleep. */
  latestServerNow: ServiceClock['latest'];
  stats(): ClientStats;
}

export interface ServiceConnectionOptions {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly userAgent: string;
  readonly transport: Transport;
  readonly rateLimiter: RateLimiter;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly random: () => number;
  readonly scrub: Scrub;
}

/** Makes the connection. The API key is only in the request header. */
export function createServiceConnection(options: ServiceConnectionOptions): ServiceConnection {
  const { clock, emit, rateLimiter, random, scrub } = options;
  const stats = { sent: 0, retried: 0, replayed: 0, rate_limited: 0 };
  const stateChecks = new Set<IdentityCheck>();
  const service = createServiceClock(clock);
  let hasResponded = false;

  const refuseLostState = () => {
    for (const errorIfLost of stateChecks) {
      const problem = errorIfLost();
      if (problem) {
        throw problem;
      }
    }
  };

  const send = async (request: WireRequest, attempt: Attempt, signal: AbortSignal | undefined) => {
    const limitMs = Math.min(MAX_ATTEMPT_MS, (attempt.latestEnd?.() ?? Number.POSITIVE_INFINITY) - clock.monotonic());
    const time = { limitMs: Math.max(0, limitMs), graceMs: attempt.graceMs };
    try {
      const response = await runWithTimeLimit((closer) => options.transport.send(request, closer), time, {
        clock,
        signal,
      });
      hasResponded = true;
      return { response, result: readResponse(response, request.method) };
    } catch (cause) {
      return { response: undefined, result: faultWithoutResponse(cause, scrub, hasResponded) };
    }
  };

  const count = ({ kind, meta }: AttemptResult, attempt: Attempt) => {
    stats.sent += 1;
    stats.retried += attempt.number > 1 ? 1 : 0;
    stats.replayed += meta.replayed ? 1 : 0;
    stats.rate_limited += kind === 'limited' ? 1 : 0;
  };

  return {
    clock,
    random,
    async attempt(call, attempt, signal) {
      const request = toWireRequest(options, call, attempt.key);
      const permit = await rateLimiter.acquire({ isRetry: attempt.isRetry, latestStart: attempt.latestStart }, signal);
      if (!permit) {
        return undefined;
      }
      try {
        refuseLostState();
        attempt.onStart?.();
      } catch (error) {
        permit.cancel();
        throw error;
      }
      const startedAt = clock.monotonic();
      emit({
        type: 'asking',
        method: call.method,
        path: displayPath(call.segments),
        attempt: attempt.number,
        page: call.page,
      });
      const { response, result } = await send(request, attempt, signal);
      const rateLimit = response && readRateLimitHeaders(response.headers);
      const wasLimited = result.kind === 'limited';
      service.record(response?.headers.date, response?.headers.age);
      count(result, attempt);
      emit({
        type: 'request',
        ...eventFieldsOf(call, attempt, result),
        ms: Math.round(clock.monotonic() - startedAt),
        remaining: rateLimit?.remaining,
        limit: rateLimit?.limit,
      });
      permit.release(rateLimit, wasLimited);
      if (wasLimited) {
        rateLimiter.backOff(result.meta.retryAfterMs);
      }
      return result;
    },
    addStateCheck(errorIfLost) {
      stateChecks.add(errorIfLost);
      return () => stateChecks.delete(errorIfLost);
    },
    async wait({ reason, ms, cause }, signal) {
      emit({ type: 'wait', reason, ms, cause: cause.message });
      await clock.sleep(ms, signal);
    },
    knowsServerTime: service.isKnown,
    serverNow: service.now,
    latestServerNow: service.latest,
    stats: () => ({ ...stats }),
  };
}

function toWireRequest(
  { baseUrl, apiKey, userAgent }: ServiceConnectionOptions,
  call: ApiRequest,
  key: string | undefined,
): WireRequest {
  return {
    method: call.method,
    url: buildUrl(baseUrl, call.segments, call.query),
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      // Without this header, a server may compress the response, and svc can't decompress it.
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...(call.body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: call.body,
  };
}

/** The parts of a request that an event may show. It leaves out the API key, the body and addresses of people. */
function eventFieldsOf(call: ApiRequest, attempt: Attempt, result: AttemptResult) {
  return {
    method: call.method,
    path: displayPath(call.segments),
    status: result.meta.status,
    attempt: attempt.number,
    requestId: result.meta.requestId,
    replayed: result.meta.replayed,
    problem: result.kind === 'success' ? undefined : result.error.code,
  };
}
