import { invalidUrlError } from '../../../api/http/base-url.ts';
import type { Context } from '../../../base/context.ts';
import type { SvcError } from '../../../base/lib/errors.ts';
import { messageOfFailure } from '../../../base/lib/interruption.ts';
import { isRecord, parseJson } from '../../../base/lib/json.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { isPublicHost } from '../../../wire/public-hosts.ts';
import { signatureSentence } from '../verify.ts';
import { type Receiver, verifySignature } from './signature.ts';

/** A received HTTP request. Header names are in lower case. */
export interface ReceivedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  /** True if `body` has only a part of the body. */
  readonly isTooLarge: boolean;
}

interface ServiceEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at?: unknown;
  readonly data?: unknown;
}

/** What svc makes of a request: a verified event, or a refusal with a status and a reason. */
export type Reception =
  | { readonly kind: 'event'; readonly event: ServiceEvent; readonly attempt: string }
  | { readonly kind: 'refused'; readonly status: 400 | 405 | 413; readonly why: string };

/** Verifies the signature of the raw body (W4), then parses the event. */
export function parseReception(request: ReceivedRequest, receiver: Receiver): Reception {
  if (request.method !== 'POST') {
    return { kind: 'refused', status: 405, why: `${request.method} is refused: events come by POST` };
  }
  if (request.isTooLarge) {
    return { kind: 'refused', status: 413, why: 'the body is larger than 1 MiB' };
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

/** True for a status that tells the service that the event was delivered. */
function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

// The maximum number of event ids to remember. The service may repeat a delivery for up to eight hours.
const MAX_REMEMBERED = 100_000;

type Handle = () => Promise<number>;

/**
 * Returns a function that handles each event once, although the service may send it several times. A repeated event
 * gets the status of the first delivery, and waits for it if needed. After a status other than 2xx the service sends
 * the event again, and svc handles it again (W5). The ids are only in memory. A real receiver should store each id
 * together with the data that the event changes.
 */
export function createEventDeduplicator(): (id: string, handle: Handle) => Promise<number> {
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

/**
 * The result of forwarding an event. `status` is the HTTP status of the target. It is 502 or 504 if the target gave no
 * status that svc can pass on.
 */
export interface ForwardResult {
  readonly status: number;
  readonly ms: number;
  readonly error?: string;
}

export interface Forwarder {
  send(request: ReceivedRequest): Promise<ForwardResult>;
  close(): Promise<void>;
}

/** Parses --forward-to. Throws for http to a public host, because events contain addresses of people. */
export function checkForwardUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw forwardUrlError(`--forward-to takes a URL, not "${terminalSafe(text)}"`);
  }
  if (url.protocol === 'http:' && isPublicHost(url.hostname)) {
    throw forwardUrlError(`--forward-to: ${terminalSafe(url.host)} is a public host, so it needs https`);
  }
  return url;
}

function forwardUrlError(message: string): SvcError {
  return invalidUrlError(message, 'For example:\n--forward-to http://localhost:3000/in');
}

// After ten seconds the service gives up and sends the event again. So svc responds before that.
const TIME_LIMIT_MS = 9_000;
const MAX_CONNECTIONS = 8;

/**
 * Creates the forwarder. It sends the raw body and the headers of the event unchanged, so that the target can verify
 * the signature (W5).
 */
export async function createForwarder(url: URL, { openTransport, env, clock, signal }: Context): Promise<Forwarder> {
  const transport = await openTransport({ origin: new URL(url.origin), connections: MAX_CONNECTIONS, env });
  return {
    async send({ headers, body }) {
      const startedAt = clock.monotonic();
      const ended = new AbortController();
      const late = clock.sleep(TIME_LIMIT_MS, ended.signal, true).then(
        () => ({ status: 504, error: 'no answer within 9 s' }),
        () => new Promise<never>(() => undefined),
      );
      const request = { method: 'POST' as const, url, headers: headersOf(headers), body };
      const answer = transport.send(request, AbortSignal.any([ended.signal, signal])).then(
        ({ status }) => (isSuccess(status) ? { status } : { status: failureOf(status), error: `HTTP ${status}` }),
        (error: unknown) => ({ status: 502, error: messageOfFailure(error, signal) }),
      );
      const result = await Promise.race([answer, late]);
      ended.abort(new Error('ended'));
      return { ...result, ms: Math.round(clock.monotonic() - startedAt) };
    },
    close: () => transport.close(),
  };
}

/** The status of the target, as svc passes it on. It is 502 if svc can't respond with that status, for example 1xx. */
function failureOf(status: number): number {
  return status >= 300 && status <= 599 ? status : 502;
}

/** The headers that belong to the event, such as its signature. Leaves out headers of the connection. */
function headersOf(headers: ReceivedRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value !== undefined && (name.startsWith('service-') || name === 'content-type' || name === 'user-agent')
        ? [[name, typeof value === 'string' ? value : value.join(', ')]]
        : [],
    ),
  );
}
