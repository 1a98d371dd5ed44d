import { type Receiver, verifySignature } from './signature.ts';
import { verdictWords } from './verify.ts';

/** A request as it came in; header names are lower-case. */
export interface Received {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** An event of the service, with its fields as they are. */
export interface ServiceEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at?: unknown;
  readonly data?: unknown;
}

/** What to answer, and what came of the request. */
export type Reception =
  | { readonly kind: 'event'; readonly status: 200; readonly event: ServiceEvent; readonly attempt: string }
  | { readonly kind: 'repeat'; readonly status: 200; readonly event: ServiceEvent }
  | { readonly kind: 'refused'; readonly status: 400 | 405; readonly why: string };

// Deliveries of one event come within eight hours; so many events are remembered at least.
const REMEMBERED = 100_000;

/**
 * A receiver: verifies the raw body first, then parses it, then drops events that it has seen (delivery is
 * at-least-once). It remembers ids in memory only; a real receiver keeps them where it keeps what it does with events.
 */
export function createReceiver(receiver: () => Receiver): (request: Received) => Reception {
  const seen = new Set<string>();
  return (request) => {
    if (request.method !== 'POST') {
      return { kind: 'refused', status: 405, why: `${request.method} is not how events come` };
    }
    const verdict = verifySignature(
      { header: one(request.headers['service-signature']), body: request.body },
      receiver(),
    );
    if (verdict.kind !== 'verified') {
      return { kind: 'refused', status: 400, why: verdictWords(verdict) };
    }
    const event = parseEvent(request.body);
    if (!event) {
      return { kind: 'refused', status: 400, why: 'signed, but not an event: no JSON object with id and type' };
    }
    if (seen.has(event.id)) {
      return { kind: 'repeat', status: 200, event };
    }
    remember(seen, event.id);
    return { kind: 'event', status: 200, event, attempt: one(request.headers['service-delivery-attempt']) };
  };
}

function one(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value ?? []).join(',');
}

function parseEvent(body: Buffer): ServiceEvent | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is ServiceEvent {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'type' in value &&
    typeof value.id === 'string' &&
    typeof value.type === 'string'
  );
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  if (seen.size > REMEMBERED) {
    const [oldest] = seen;
    seen.delete(oldest ?? id);
  }
}
