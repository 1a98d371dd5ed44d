import type { Context } from '../../../base/context.ts';
import { SvcError } from '../../../base/lib/errors.ts';
import { EXIT } from '../../../base/lib/exit.ts';
import { isRecord, parseJson } from '../../../base/lib/json.ts';
import { safe } from '../../../base/lib/text.ts';
import { isPublicHost } from '../../../wire/public-hosts.ts';
import { signatureSentence } from '../verify.ts';
import { type Receiver, verifySignature } from './signature.ts';

/** A received request. Header names are in lower case. */
export interface ReceivedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

interface ServiceEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at?: unknown;
  readonly data?: unknown;
}

export type Reception =
  | { readonly kind: 'event'; readonly event: ServiceEvent; readonly attempt: string }
  | { readonly kind: 'refused'; readonly status: 400 | 405; readonly why: string };

/** Verifies the raw body (W4), then parses it. */
export function parseReception(request: ReceivedRequest, receiver: Receiver): Reception {
  if (request.method !== 'POST') {
    return { kind: 'refused', status: 405, why: `${request.method} is refused: events come by POST` };
  }
  const signature = headerOf(request, 'service-signature');
  const check = verifySignature({ header: signature, body: request.body }, receiver);
  if (check.kind !== 'verified') {
    return { kind: 'refused', status: 400, why: signatureSentence(check) };
  }
  const event = parseEvent(request.body);
  return event
    ? { kind: 'event', event, attempt: headerOf(request, 'service-delivery-attempt') }
    : {
        kind: 'refused',
        status: 400,
        why: 'the signature is valid, but the body is no JSON object with id and type',
      };
}

function headerOf({ headers }: ReceivedRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : (value ?? []).join(',');
}

function parseEvent(body: Buffer): ServiceEvent | undefined {
  const value = parseJson(body.toString('utf8'));
  const isEvent = isRecord(value) && typeof value.id === 'string' && typeof value.type === 'string';
  return isEvent ? (value as unknown as ServiceEvent) : undefined;
}

/** True for a status that the service takes as delivered. */
function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

// The service repeats a delivery for up to eight hours. This many event ids are remembered.
const MAX_REMEMBERED = 100_000;

type Handle = () => Promise<number>;

/**
 * Handles each event once, because delivery is at-least-once. A repeat gets the answer of the first delivery, also
 * while that is still going on. After an answer other than 2xx the service sends the event again, and it is handled
 * again (W5). Ids are kept in memory only; a real receiver stores them together with the effects of the events.
 */
export function createDedupe(): (id: string, handle: Handle) => Promise<number> {
  const answers = new Map<string, Promise<number>>();
  return async (id, handle) => {
    const earlier = answers.get(id);
    if (earlier) {
      return earlier;
    }
    const answer = handle();
    answers.set(id, answer);
    if (answers.size > MAX_REMEMBERED) {
      const [oldest = id] = answers.keys();
      answers.delete(oldest);
    }
    const status = await answer;
    if (!isSuccess(status)) {
      answers.delete(id);
    }
    return status;
  };
}

/** The result of forwarding an event. `status` is that of the target. Without a response it is 502 or 504. */
export interface ForwardResult {
  readonly status: number;
  readonly ms: number;
  /** Why the event was not forwarded. */
  readonly error?: string;
}

export interface Forwarder {
  send(request: ReceivedRequest): Promise<ForwardResult>;
  close(): Promise<void>;
}

/** Checks --forward-to. An event holds addresses of people, so it leaves this network by https only. */
export function checkForwardUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw refuse(`--forward-to takes a URL, not "${safe(text)}"`);
  }
  if (url.protocol === 'http:' && isPublicHost(url.hostname)) {
    throw refuse(`--forward-to: ${safe(url.host)} is a public host, so it needs https`);
  }
  return url;
}

function refuse(message: string): SvcError {
  return new SvcError(EXIT.usage, 'invalid_url', message, {
    hint: 'For example: --forward-to http://localhost:3000/in',
  });
}

// The service gives up after ten seconds and sends the event again. The answer must be there before.
const PATIENCE_MS = 9_000;
const CONNECTIONS = 8;

/** Sends the raw body and headers unchanged, so that the target can verify the signature itself (W5). */
export async function createForwarder(url: URL, { openTransport, env, clock, signal }: Context): Promise<Forwarder> {
  const transport = await openTransport({ origin: new URL(url.origin), connections: CONNECTIONS, env });
  return {
    async send({ headers, body }) {
      const startedAt = clock.monotonic();
      const ended = new AbortController();
      const late = clock.sleep(PATIENCE_MS, ended.signal, true).then(
        () => ({ status: 504, error: 'no answer within 9 s' }),
        () => new Promise<never>(() => undefined),
      );
      const request = { method: 'POST' as const, url, headers: headersOf(headers), body };
      const answer = transport.send(request, AbortSignal.any([ended.signal, signal])).then(
        ({ status }) => (isSuccess(status) ? { status } : { status: failureOf(status), error: `HTTP ${status}` }),
        (error: unknown) => ({ status: 502, error: error instanceof Error ? error.message : String(error) }),
      );
      const result = await Promise.race([answer, late]);
      ended.abort(new Error('ended'));
      return { ...result, ms: Math.round(clock.monotonic() - startedAt) };
    },
    close: () => transport.close(),
  };
}

/** The target's status is passed on. A status that HTTP does not let svc answer, such as 1xx, becomes 502. */
function failureOf(status: number): number {
  return status >= 300 && status <= 599 ? status : 502;
}

/** Headers of the event and its signature. Headers of the connection are left out. */
function headersOf(headers: ReceivedRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value !== undefined && (name.startsWith('service-') || name === 'content-type' || name === 'user-agent')
        ? [[name, typeof value === 'string' ? value : value.join(', ')]]
        : [],
    ),
  );
}
