import type { Anchor } from '../base/anchor.ts';
import type { Clock } from '../base/clock.ts';
import { SvcError } from '../base/errors.ts';
import type { Emit } from '../base/events.ts';
import { EXIT } from '../base/exit.ts';
import { createScrub } from '../base/scrub.ts';
import type { Transport } from '../base/transport.ts';
import { checkApiKey } from './api-key.ts';
import { isLoopback, type Query } from './http/base-url.ts';
import { type ClientStats, createChannel } from './http/channel.ts';
import { scrubbedTransport } from './http/scrubbed-transport.ts';
import { createGate, type GateLimits, type KeptPause } from './rate-limit/rate-limiter.ts';
import { type Change, sendChange } from './retry/mutation.ts';
import { postUnit } from './retry/post.ts';
import { readJson } from './retry/read.ts';
import type { PostUnit, UnitOutcome } from './retry/write-request.ts';

/** The service, for one key at one origin. All its requests share one gate. */
export interface Client {
  /** Base URL without trailing slash: what a key and a run are bound to (rule K4). */
  readonly origin: string;
  stats(): ClientStats;
  /** Sends nothing more once `anchor` finds a problem: then what is sent can't be recorded (D8). Returns what undoes it. */
  guard(anchor: Anchor): () => void;
  /** The service's time by its latest `Date` header; the wall clock before the first. Milliseconds since the epoch. */
  serverNow(): number;
  /** Reads; see readJson. */
  get(segments: readonly string[], query?: Query, options?: ReadOptions): Promise<unknown>;
  /** Changes or deletes; see sendChange. */
  send(change: Change, options?: CallOptions): Promise<unknown>;
  /** Writes; see postUnit. */
  post<T>(unit: PostUnit<T>, signal?: AbortSignal): Promise<UnitOutcome<T>>;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of one read; `page` counts the pages of a list from 1, for those who watch. */
interface ReadOptions extends CallOptions {
  readonly page?: number | undefined;
}

export interface ClientOptions {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly emit: Emit;
  /** From 0 to below 1; for jitter only. */
  random(): number;
  readonly limits: GateLimits;
  /** What runs and profiles are bound to, where it is not the base URL: the embedded emulator's port changes. */
  readonly origin?: string | undefined;
  readonly userAgent?: string | undefined;
  /** Where a 429 is kept for the next process. */
  readonly pause?: KeptPause | undefined;
}

/** Opens a client. Refuses keys that can't work before any request (rule K1), and plain http beyond loopback. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, clock, emit } = options;
  const apiKey = checkApiKey(options.apiKey);
  const scrub = createScrub(apiKey);
  if (baseUrl.protocol !== 'https:' && !isLoopback(baseUrl.hostname)) {
    throw new SvcError(EXIT.usage, 'invalid_url', `plain http is for loopback only: ${baseUrl.origin}`);
  }
  const random = () => options.random();
  const channel = createChannel({
    baseUrl,
    apiKey,
    userAgent: options.userAgent ?? 'svc',
    transport: scrubbedTransport(options.transport, scrub),
    gate: createGate({ clock, emit, random, limits: options.limits, pause: options.pause }),
    clock,
    emit,
    random,
    scrub,
  });
  return {
    origin: options.origin ?? baseUrl.href.replace(/\/+$/, ''),
    stats: channel.stats,
    guard: channel.guard,
    serverNow: channel.serverNow,
    get: (segments, query, { signal, page } = {}) => readJson(channel, { segments, query, page }, signal),
    send: (change, { signal } = {}) => sendChange(channel, change, signal),
    post: (unit, signal) => postUnit(channel, unit, signal),
  };
}
