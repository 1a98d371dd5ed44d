import type { Context } from '../../../base/context.ts';
import { SvcError } from '../../../base/lib/errors.ts';
import { EXIT } from '../../../base/lib/exit.ts';
import { safe } from '../../../base/lib/text.ts';
import { isPublicHost } from '../../../wire/public-hosts.ts';
import { isSuccess, type ReceivedRequest } from './receiver.ts';

/** The result of forwarding an event. `status` is that of the target, or 502 or 504 without an answer. */
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
