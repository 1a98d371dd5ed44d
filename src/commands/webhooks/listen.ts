import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { jsonText } from '../../render/text/object.ts';
import { portUnusable } from '../emulator/port.ts';
import type { Invocation } from '../framework/invocation.ts';
import { type Receiver, verifySignature } from './signature.ts';
import { readSecrets, verdictWords } from './verify.ts';

/** Flags of `webhooks listen`. `tolerance` is in seconds. */
export interface ListenFlags {
  readonly port?: number;
  readonly host: string;
  readonly secretFile?: readonly string[];
  readonly tolerance: number;
}

const LARGEST_BODY = 1024 * 1024;

/** `webhooks listen`: serves until a signal. Writes one line an event to stdout (JSON with `--json`), the rest to stderr. */
export async function listenForEvents(invocation: Invocation<ListenFlags>): Promise<ExitCode> {
  const { flags, context, settings } = invocation;
  const { port, host, tolerance } = flags;
  if (port === undefined) {
    throw new SvcError(EXIT.usage, 'usage', '--port is missing: give a port from 0 to 65535', {
      hint: 'For example: --port 8080',
    });
  }
  const secrets = readSecrets(flags.secretFile, context);
  const receive = createReceiver(() => ({ secrets, now: context.clock.now(), toleranceMs: tolerance * 1_000 }));
  const server = createServer((request, response) => {
    serve({ request, response }, (received) => report(invocation, receive(received)));
  });
  await listening(server, port, host);
  if (!settings.output.quiet) {
    context.stderr.write(`Listening on ${urlOf(server)}; Ctrl-C ends.\n`);
  }
  await aborted(context.signal);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return EXIT.ok;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers at once, because the service waits only ten seconds. */
function serve({ request, response }: Exchange, statusOf: (received: Received) => number): void {
  const parts: Buffer[] = [];
  let size = 0;
  request.on('data', (part: Buffer) => {
    size += part.byteLength;
    if (size <= LARGEST_BODY) {
      parts.push(part);
    }
  });
  request.on('error', () => response.destroy());
  request.on('end', () => {
    const { method = '', headers } = request;
    const status = size > LARGEST_BODY ? 413 : statusOf({ method, headers, body: Buffer.concat(parts) });
    response.writeHead(status, { 'content-type': 'text/plain' }).end();
  });
}

function report({ context, settings }: Invocation<unknown>, reception: Reception): number {
  const { json, quiet, verbose } = settings.output;
  if (reception.kind === 'event') {
    context.stdout.write(json ? jsonText(reception.event) : eventLine(reception.event, reception.attempt));
  } else if (reception.kind === 'refused' && !quiet) {
    context.stderr.write(`refused: ${safe(reception.why)}\n`);
  } else if (reception.kind === 'repeat' && verbose) {
    context.stderr.write(`repeat: ${safe(reception.event.id)}\n`);
  }
  return reception.status;
}

function eventLine(event: ServiceEvent, attempt: string): string {
  const parts = [event.created_at, event.id, event.type, addressOf(event.data), attempt && `attempt ${attempt}`];
  return `${parts.map((part) => safe(typeof part === 'string' ? part : '')).join('\t')}\n`;
}

function addressOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'email' in data ? data.email : '';
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(portUnusable(host, port, cause)));
    server.listen(port, host, resolve);
  });
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A received request. Header names are in lower case. */
interface Received {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** An event of the service, with its fields unchanged. */
interface ServiceEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at?: unknown;
  readonly data?: unknown;
}

/** The status to answer, and the event in the request. */
type Reception =
  | { readonly kind: 'event'; readonly status: 200; readonly event: ServiceEvent; readonly attempt: string }
  | { readonly kind: 'repeat'; readonly status: 200; readonly event: ServiceEvent }
  | { readonly kind: 'refused'; readonly status: 400 | 405; readonly why: string };

// The service repeats a delivery for up to eight hours. This many event ids are remembered.
const MAX_REMEMBERED = 100_000;

/**
 * Creates a receiver. It verifies the raw body, parses it, and drops repeated events, because delivery is at-least-once. It
 * keeps ids in memory only; a real receiver stores them together with the effects of the events.
 */
function createReceiver(receiver: () => Receiver): (request: Received) => Reception {
  const seen = new Set<string>();
  return (request) => {
    if (request.method !== 'POST') {
      return { kind: 'refused', status: 405, why: `${request.method} is refused: events come by POST` };
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
      return {
        kind: 'refused',
        status: 400,
        why: 'the signature is valid, but the body is no JSON object with id and type',
      };
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
  if (seen.size > MAX_REMEMBERED) {
    const [oldest] = seen;
    seen.delete(oldest ?? id);
  }
}
