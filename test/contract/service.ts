import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { onTestFinished } from 'vitest';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/emulator.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

/** A response over a real socket. `json` is undefined if the body isn't JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test looks at
  readonly json: any;
}

/** Options of a raw request. `body` as text or bytes is sent unchanged, everything else as JSON. */
export interface RawRequest {
  readonly body?: unknown;
  readonly key?: string | null;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The emulated service on a socket, and its clock. */
export interface Service {
  readonly url: string;
  readonly emulator: Emulator;
  readonly clock: ManualClock;
  readonly audience: string;
  ask(method: string, path: string, ask?: RawRequest): Promise<Reply>;
}

/** Starts a service for one test. It is closed when the test ends. */
export async function startService(options: Partial<EmulatorOptions> = {}): Promise<Service> {
  const clock = createManualClock();
  const emulator = await createEmulator({ clock, randomHex: createHex('spec'), ...options });
  const { url } = await emulator.listen(0);
  onTestFinished(() => emulator.close());
  return {
    url,
    emulator,
    clock,
    audience: emulator.audienceId,
    ask: (method, path, ask = {}) => send(`${url}${path}`, method, { key: emulator.apiKey, ...ask }),
  };
}

/** Repeatable hex: a hash of the seed and a counter. */
export function createHex(seed: string): (length: number) => string {
  let count = 0;
  return (length) => {
    count += 1;
    return createHash('sha256').update(`${seed} ${count}`).digest('hex').padEnd(length, '0').slice(0, length);
  };
}

/** A page of contacts with addresses `p<n>@example.com`. */
export function people(count: number, from = 0): { email: string }[] {
  return Array.from({ length: count }, (_, index) => ({ email: `p${from + index}@example.com` }));
}

function send(url: string, method: string, ask: RawRequest): Promise<Reply> {
  const body = ask.body === undefined ? undefined : toBytes(ask.body);
  const headers = {
    ...(ask.key === null ? {} : { authorization: `Bearer ${ask.key}` }),
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...(ask.idempotencyKey === undefined ? {} : { 'idempotency-key': ask.idempotencyKey }),
    ...ask.headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        // node:http gives each header once, in lower case. Only set-cookie is a list, and the service never sends it.
        const answered = response.headers as Record<string, string | undefined>;
        resolve({ status: response.statusCode ?? 0, headers: answered, text, json: parse(text) });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

function toBytes(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
