import type { Transport } from '../base/context.ts';
import type { Emit } from '../base/events.ts';
import type { Clock } from '../base/lib/clock.ts';
import { createScrub } from '../base/lib/scrub.ts';
import type { IdentityCheck } from '../base/os/file-identity.ts';
import { checkApiKey, scrubbedTransport } from './api-key.ts';
import { invalidUrlError, isLoopback, type QueryParameters, withoutLastSlash } from './http/base-url.ts';
import { type ClientStats, createServiceConnection } from './http/service-connection.ts';
import { createRateLimiter, type PersistedBackoff, type RateLimits } from './rate-limit/rate-limiter.ts';
import { getJsonWithRetries, type Mutation, type MutationResult, sendMutation } from './retry/get-patch-delete.ts';
import type { WriteOutcome, WriteRequest } from './retry/key-source.ts';
import { postWithRetries } from './retry/post.ts';

/** Sends requests with one API key to one origin. All requests share one rate limiter. */
export interface Client {
  /** The base URL without a slash at its end. Idempotency keys and runs are bound to it (K4). */
  readonly origin: string;
  stats(): ClientStats;
  /**
   * Calls `lost` before each attempt. If it returns an error, nothing more is sent: the run's files were deleted or
   * replaced, so svc could record no result (D8). Returns a function that removes the check.
   */
  addStateCheck(lost: IdentityCheck): () => void;
  /**
   * The service's time in milliseconds since the epoch, by its latest `Date` header. Before the first such header, it
   * is the wall clock of this machine.
   */
  serverNow(): number;
  /** True once a response had a `Date` header. A response from a cache does not count. */
  knowsServerTime(): boolean;
  /** Reads a JSON object with a GET. Repeats failed attempts for up to five minutes (P6). */
  get(segments: readonly string[], query?: QueryParameters, options?: ReadOptions): Promise<unknown>;
  /** Sends a PATCH or DELETE. A PATCH is repeated for at most 60 s (I10). */
  mutate(change: Mutation, options?: CallOptions): Promise<MutationResult>;
  /** Sends a POST with an idempotency key, until its outcome is known or it may not be repeated any more (I1, I2). */
  post<T>(request: WriteRequest<T>, signal?: AbortSignal): Promise<WriteOutcome<T>>;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of one GET. `page` is the number of the page of a list, from 1. The progress display shows it. */
interface ReadOptions extends CallOptions {
  readonly page?: number | undefined;
}

export interface ClientOptions {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Returns a number from 0 to below 1. Used for jitter only. */
  random(): number;
  readonly limits: RateLimits;
  /**
   * The origin for runs, ledgers and idempotency keys, if it is not the base URL. Given for an emulator inside this
   * process, because its port is different at each start.
   */
  readonly origin?: string | undefined;
  readonly userAgent?: string | undefined;
  /** Stores the wait after a 429, so that the next process waits too. */
  readonly backoff?: PersistedBackoff | undefined;
}

/**
 * Creates a client. Throws before any request for a key that can't be used (K1), and for plain http to a host other
 * than loopback.
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, clock, emit } = options;
  const apiKey = checkApiKey(options.apiKey);
  const scrub = createScrub(apiKey);
  if (baseUrl.protocol !== 'https:' && !isLoopback(baseUrl.hostname)) {
    throw invalidUrlError(`plain http is for loopback only: ${baseUrl.origin}`);
  }
  const random = () => options.random();
  const connection = createServiceConnection({
    baseUrl,
    apiKey,
    userAgent: options.userAgent ?? 'svc',
    transport: scrubbedTransport(options.transport, scrub),
    rateLimiter: createRateLimiter({ clock, emit, random, limits: options.limits, backoff: options.backoff }),
    clock,
    emit,
    random,
    scrub,
  });
  return {
    origin: options.origin ?? withoutLastSlash(baseUrl),
    stats: connection.stats,
    addStateCheck: connection.addStateCheck,
    serverNow: connection.serverNow,
    knowsServerTime: connection.knowsServerTime,
    get: (segments, query, { signal, page } = {}) => getJsonWithRetries(connection, { segments, query, page }, signal),
    mutate: (change, { signal } = {}) => sendMutation(connection, change, signal),
    post: (request, signal) => postWithRetries(connection, request, signal),
  };
}
