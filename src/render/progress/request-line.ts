import type { RunEvent } from '../../base/events.ts';
import { formatNumber, safe } from '../../base/lib/text.ts';

/** One attempt of a request on one line, without addresses: `POST /v1/… 200 312 ms req_… remaining 480 replayed`. */
export function requestLine(event: Extract<RunEvent, { type: 'request' }>): string {
  const parts = [
    event.method,
    event.path.replace(ADDRESS, '<address>'),
    event.status === undefined ? 'no answer' : String(event.status),
    `${formatNumber(Math.round(event.ms))} ms`,
    event.requestId,
    event.remaining === undefined ? undefined : `remaining ${event.remaining}`,
    event.attempt > 1 ? `attempt ${event.attempt}` : undefined,
    event.replayed ? 'replayed' : undefined,
    event.problem,
  ];
  return safe(parts.filter((part) => part !== undefined && part !== '').join(' '));
}

const ADDRESS = /[^/?&=]+(?:@|%40)[^/?&]+/gi;
