import { type Client, type ClientOptions, createClient } from '../../../src/api/client.ts';
import type { KeySource, WriteRequest } from '../../../src/api/retry/key-source.ts';
import type { Transport, WireRequest, WireResponse } from '../../../src/base/context.ts';
import type { RunEvent } from '../../../src/base/events.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';

/** Responds to one attempt; `at` is the clock's time. A promise that never resolves simulates a hanging service. */
export type Handler = (request: WireRequest, n: number) => WireResponse | Promise<WireResponse>;

export interface SeenAttempt {
  readonly request: WireRequest;
  /** Milliseconds since the test began. */
  readonly at: number;
  closedAt: number | undefined;
}

/** A client and a simulated service in this process, with a clock that the test moves. */
export interface Play {
  readonly client: Client;
  readonly clock: ManualClock;
  readonly seen: SeenAttempt[];
  readonly events: RunEvent[];
  /** The highest number of simultaneous attempts. */
  readonly most: () => number;
  /** Moves the clock until the promise resolves. */
  run<T>(promise: Promise<T>): Promise<T>;
  elapsed(): number;
}

export const START = Date.UTC(2026, 0, 1);

/** Simulates a service. Calls the handler for every attempt, `n` from 0. */
export function play(handler: Handler, options: Partial<ClientOptions> & { readonly clock?: ManualClock } = {}): Play {
  const clock = options.clock ?? createManualClock(START);
  const began = clock.now();
  const seen: SeenAttempt[] = [];
  const events: RunEvent[] = [];
  let open = 0;
  let most = 0;

  const transport: Transport = {
    async send(request, signal) {
      const entry: SeenAttempt = { request, at: clock.now() - began, closedAt: undefined };
      seen.push(entry);
      open += 1;
      most = Math.max(most, open);
      try {
        return await Promise.race([aborted(signal), Promise.resolve(handler(request, seen.length - 1))]);
      } finally {
        open -= 1;
        entry.closedAt = clock.now() - began;
      }
    },
    async close() {},
  };
  const client = createClient({
    baseUrl: new URL('http://127.0.0.1:1'),
    apiKey: 'service_live_abc',
    transport,
    emit: (event) => events.push(event),
    random: () => 0.5,
    limits: { rate: 600, reserve: 120, maxWaitMs: 30 * 60_000 },
    ...options,
    clock,
  });
  return {
    client,
    clock,
    seen,
    events,
    most: () => most,
    elapsed: () => clock.now() - began,
    run: (promise) => drive(clock, promise),
  };
}

/** Moves a manual clock to the end of each sleep in turn, until the promise resolves. */
export async function drive<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  promise.then(done, done);
  for (let idle = 0; !isDone && idle < 50; ) {
    await turn();
    if (!isDone) {
      idle = (await clock.next()) ? 0 : idle + 1;
    }
  }
  if (!isDone) {
    throw new Error('nothing moves any more');
  }
  return promise;
}

/** Runs all pending callbacks. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** A refusal in the service's envelope. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): WireResponse {
  return json(status, { error: { code, message: `said ${code}`, request_id: 'req_1' } }, headers);
}

export const REPLAYED = { 'idempotency-replayed': 'true' };

/** Simulates a service that never responds. */
export const hang = (): Promise<never> => new Promise(() => {});

/** The connection breaks after the request was sent. */
export function reset(): never {
  throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

/** The connection fails. */
export function refused(): never {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
}

/** An HTML page, as from a proxy. */
export function html(status: number): WireResponse {
  return { status, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Bad gateway</h1>') };
}

/** Returns the responses in order, then repeats the last one. */
export function inTurn(...responses: readonly (() => WireResponse | Promise<WireResponse>)[]): Handler {
  return (_, n) => {
    const response = responses[Math.min(n, responses.length - 1)];
    if (!response) {
      throw new Error('no response prepared');
    }
    return response();
  };
}

/** A write request with the keys k0, k1, … that records what its journal would contain. */
export function writeRequest(
  policy: WriteRequest<unknown>['policy'],
  keySource: Partial<KeySource> = {},
): WriteRequest<{ readonly ok: number }> & { readonly journal: string[] } {
  const journal: string[] = [];
  return {
    segments: ['things'],
    body: Buffer.from('{"a":1}'),
    policy,
    keyForVersion: (keyVersion) => `k${keyVersion}`,
    keyVersion: 0,
    firstSentAt: undefined,
    outcomeUnknown: undefined,
    beforeAttempt: undefined,
    noteSentByOtherMachine: undefined,
    isStale: undefined,
    parseResponse: (body) => {
      const { ok } = body as { ok?: unknown };
      return typeof ok === 'number' ? { ok } : undefined;
    },
    beforeNewKey: (intent) => {
      journal.push(`${intent.key} g${intent.keyVersion} at ${intent.firstSentAt - START}`);
    },
    ...keySource,
    journal,
  };
}

/** The idempotency keys of the requests, in order. */
export function keysOf(seen: readonly SeenAttempt[]): (string | undefined)[] {
  return seen.map(({ request }) => request.headers['idempotency-key']);
}
