import { safe } from '../../../base/lib/text.ts';
import { jsonText } from '../../../render/text/object.ts';
import type { Forwarded } from './forward.ts';
import type { Reception } from './receiver.ts';

type EventReception = Extract<Reception, { readonly kind: 'event' }>;

/** A line for an event: tab-separated, and with --forward-to the result of handing it on. */
export function eventLine({ event, attempt }: EventReception, forwarded: Forwarded | undefined): string {
  const parts = [event.created_at, event.id, event.type, addressOf(event.data), attempt && `attempt ${attempt}`];
  const all = forwarded ? [...parts, forwardWords(forwarded)] : parts;
  return `${all.map((part) => safe(typeof part === 'string' ? part : '')).join('\t')}\n`;
}

/** An event as JSON, unchanged; with --forward-to it gets the field `forward`. */
export function eventJson({ event }: EventReception, forwarded: Forwarded | undefined): string {
  const { status, ms, error = null } = forwarded ?? {};
  return jsonText(forwarded ? { ...event, forward: { status, duration_ms: ms, error } } : event);
}

function forwardWords({ status, ms, error }: Forwarded): string {
  return error === undefined
    ? `forwarded: HTTP ${status} in ${ms} ms`
    : `not forwarded: ${error} after ${ms} ms; answered ${status}, so the service sends it again`;
}

function addressOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'email' in data ? data.email : '';
}
