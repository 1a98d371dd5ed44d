import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { jsonText } from '../../render/text/object.ts';
import { portUnusable } from '../emulator/port.ts';
import type { Invocation } from '../framework/invocation.ts';
import { createReceiver, type Received, type Reception, type ServiceEvent } from './receive.ts';
import { readSecrets } from './secrets.ts';

/** Flags of `webhooks listen`. `tolerance` is in seconds. */
export interface ListenFlags {
  readonly port?: number;
  readonly host: string;
  readonly secretFile?: readonly string[];
  readonly tolerance: number;
}

const LARGEST_BODY = 1024 * 1024;

/** `webhooks listen`: serves until a signal comes. A line an event on stdout (JSON with `--json`), the rest on stderr. */
export async function listenForEvents(invocation: Invocation<ListenFlags>): Promise<ExitCode> {
  const { flags, context, settings } = invocation;
  const { port, host, tolerance } = flags;
  if (port === undefined) {
    throw new SvcError(EXIT.usage, 'usage', '--port says where to listen, 0 to 65535', {
      hint: 'For example: --port 8080',
    });
  }
  const secrets = readSecrets(flags.secretFile, context);
  const receive = createReceiver(() => ({ secrets, now: context.clock.now(), toleranceMs: tolerance * 1_000 }));
  const server = createServer((request, response) => {
    serve({ request, response }, (received) => tell(invocation, receive(received)));
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

/** The service waits ten seconds for an answer, so it is given at once. */
function serve({ request, response }: Exchange, judge: (received: Received) => number): void {
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
    const status = size > LARGEST_BODY ? 413 : judge({ method, headers, body: Buffer.concat(parts) });
    response.writeHead(status, { 'content-type': 'text/plain' }).end();
  });
}

function tell({ context, settings }: Invocation<unknown>, reception: Reception): number {
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
