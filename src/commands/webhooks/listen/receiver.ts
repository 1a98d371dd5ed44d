import { isRecord, parseJson } from '../../../base/lib/json.ts';
import { checkWords, type Receiver, verifySignature } from '../verify.ts';

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
    return { kind: 'refused', status: 400, why: checkWords(check) };
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
export function isSuccess(status: number): boolean {
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
