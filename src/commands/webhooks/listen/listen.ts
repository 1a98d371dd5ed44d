import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { badUsage, EXIT, type ExitCode } from '../../../base/lib/errors.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { jsonText } from '../../../render/text/object.ts';
import { untilAborted, unusablePortError } from '../../emulator/port.ts';
import type { Invocation } from '../../framework/invocation.ts';
import { checkEventTypes } from '../endpoint-flags.ts';
import { readSecrets } from '../verify.ts';
import {
  checkForwardUrl,
  createEventDeduplicator,
  createForwarder,
  type Forwarder,
  type ForwardResult,
  parseReception,
  type ReceivedRequest,
  type Reception,
} from './receiver.ts';

/** The flags of `webhooks listen`. `tolerance` is in seconds. */
interface ListenFlags {
  readonly port?: number;
  readonly host: string;
  readonly secretFile?: readonly string[];
  readonly tolerance: number;
  readonly forwardTo?: string;
  readonly event?: readonly string[];
}

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * `svc webhooks listen`: receives events until Ctrl-C or SIGTERM. Writes a line for each event to stdout, and notes to
 * stderr.
 */
export async function listenForEvents(invocation: Invocation<ListenFlags>): Promise<ExitCode> {
  const { flags, context, settings } = invocation;
  const { port, host, tolerance } = flags;
  if (port === undefined) {
    throw badUsage('--port is missing: give a port from 0 to 65535', 'For example:\n--port 8080');
  }
  const types = flags.event && checkEventTypes('--event', flags.event);
  const target = flags.forwardTo === undefined ? undefined : checkForwardUrl(flags.forwardTo);
  const secrets = readSecrets(flags.secretFile, context);
  const forwarder = target && (await createForwarder(target, context));
  const answer = createAnswer(invocation, types, forwarder);
  const createReceiver = () => ({ secrets, now: context.clock.now(), toleranceMs: tolerance * 1_000 });
  const server = createServer((request, response) => {
    serve(request, response, (received) => answer(received, parseReception(received, createReceiver())));
  });
  await startListening(server, port, host);
  if (!settings.output.quiet) {
    const on = target ? `, handing events on to ${terminalSafe(target.href)}` : '';
    context.stderr.write(`Listening on ${urlOf(server)}${on}; Ctrl-C ends.\n`);
  }
  await untilAborted(context.signal);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await forwarder?.close();
  return EXIT.ok;
}

/** Reads a request, and responds with the status that `statusOf` returns. Keeps at most 1 MiB of its body. */
function serve(
  request: IncomingMessage,
  response: ServerResponse,
  statusOf: (received: ReceivedRequest) => Promise<number>,
): void {
  const parts: Buffer[] = [];
  let size = 0;
  const respond = (status: number) => response.writeHead(status, { 'content-type': 'text/plain' }).end();
  request.on('data', (part: Buffer) => {
    size += part.byteLength;
    if (size <= MAX_BODY_BYTES) {
      parts.push(part);
    }
  });
  request.on('error', () => response.destroy());
  request.on('end', () => {
    const { method = '', headers } = request;
    const received = { method, headers, body: Buffer.concat(parts), isTooLarge: size > MAX_BODY_BYTES };
    statusOf(received).then(respond, () => respond(500));
  });
}

/**
 * Returns a function that prints and forwards each new event of these types (by default all). The function returns the
 * status for the response.
 */
function createAnswer(
  { context, settings }: Invocation<unknown>,
  types: readonly string[] | undefined,
  forwarder: Forwarder | undefined,
) {
  const { json, quiet, verbose } = settings.output;
  const dedupe = createEventDeduplicator();
  const writeNote = (isShown: boolean, text: string) => (isShown ? context.stderr.write(`${text}\n`) : undefined);
  return async (received: ReceivedRequest, reception: Reception): Promise<number> => {
    if (reception.kind === 'refused') {
      writeNote(!quiet, `refused: ${terminalSafe(reception.why)}`);
      return reception.status;
    }
    const { id, type } = reception.event;
    if (types && !types.includes(type)) {
      writeNote(verbose, `left out by --event: ${terminalSafe(id)} ${terminalSafe(type)}`);
      return 200;
    }
    let isRepeat = true;
    const status = await dedupe(id, async () => {
      isRepeat = false;
      const forwarded = await forwarder?.send(received);
      context.stdout.write(json ? eventJson(reception, forwarded) : eventLine(reception, forwarded));
      return forwarded?.status ?? 200;
    });
    writeNote(isRepeat && verbose, `repeat: ${terminalSafe(id)}`);
    return status;
  };
}

function startListening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(unusablePortError(host, port, cause)));
    server.listen(port, host, resolve);
  });
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

type EventReception = Extract<Reception, { readonly kind: 'event' }>;

/** The line for an event: its fields, separated by tabs. With --forward-to it also has the result of forwarding. */
function eventLine({ event, attempt }: EventReception, forwarded: ForwardResult | undefined): string {
  const parts = [event.created_at, event.id, event.type, addressOf(event.data), attempt && `attempt ${attempt}`];
  const all = forwarded ? [...parts, forwardWords(forwarded)] : parts;
  return `${all.map((part) => terminalSafe(typeof part === 'string' ? part : '')).join('\t')}\n`;
}

/** The JSON of an event, unchanged. With --forward-to it gets a field `forward`. */
function eventJson({ event }: EventReception, forwarded: ForwardResult | undefined): string {
  const { status, ms, error = null } = forwarded ?? {};
  return jsonText(forwarded ? { ...event, forward: { status, duration_ms: ms, error } } : event);
}

function forwardWords({ status, ms, error }: ForwardResult): string {
  return error === undefined
    ? `forwarded: HTTP ${status} in ${ms} ms`
    : `not forwarded: ${error} after ${ms} ms; answered ${status}, so the service sends it again`;
}

function addressOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'email' in data ? data.email : '';
}
