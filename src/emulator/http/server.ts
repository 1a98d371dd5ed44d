import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSystemClock } from '../../base/lib/clock.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { MCP_PATH } from '../mcp/mcp.ts';
import {
  type ArrivingRequest,
  type ConnectionEnd,
  ConnectionEnded,
  type ServiceResponse,
} from '../protocol/request-response.ts';
import { createIncomingBody, hasBody, type IncomingBody } from './incoming-body.ts';

/** The emulator on a TCP port of this machine. */
export interface ListeningServer {
  /** The URL without a slash at its end: `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly mcpUrl: string;
  close(): Promise<void>;
}

/** What the server calls for each request. */
export interface Handlers {
  /** Returns the response. Rejects only with ConnectionEnded, if a scripted fault closes the connection. */
  handle(request: ArrivingRequest): Promise<ServiceResponse>;
  /** Returns the response to bytes that are no HTTP request, or to a request with wrong headers. */
  refuseUnreadable(status: number): ServiceResponse;
}

/**
 * Serves only on 127.0.0.1 (K7). Rejects with SvcError if the port is in use. `clock` limits the time of uploads. It is
 * the real clock, because the speed of an upload does not depend on emulated time.
 */
export async function listenOnPort(
  handlers: Handlers,
  port: number,
  clock = createSystemClock(),
): Promise<ListeningServer> {
  const serve = (request: IncomingMessage, response: ServerResponse, asksFirst: boolean) => {
    // The handler sets `Date` from the emulator's clock. Without this line, Node adds the real time.
    response.sendDate = false;
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      refuseHead(handlers, response, 400);
      return;
    }
    const incomingBody = createIncomingBody(request, clock);
    serveExchange(handlers, { request, response, asksFirst, incomingBody }).catch(() => response.destroy());
  };
  // Without this option, Node itself refuses a request that has no `Host`, and sends no error body of the service.
  const server = createServer({ requireHostHeader: false }, (request, response) => serve(request, response, false));
  // With `Expect: 100-continue`, the client sends its body only once it gets `100 Continue`.
  server.on('checkContinue', (request, response) => serve(request, response, true));
  server.on('checkExpectation', (_, response) => refuseHead(handlers, response, 417));
  server.on('connect', (_, socket) => refuseTunnel(handlers, socket));
  // There is no time limit for the whole request, because a scripted pause may take minutes. `createIncomingBody`
  // limits the time of the body.
  server.requestTimeout = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(handlers, error, socket));
  // Longer than clients keep an idle connection. Otherwise the server could close a connection just as a request
  // arrives.
  server.keepAliveTimeout = 75_000;
  await start(server, port);
  // The type allows a string or null, but a listening TCP server has an address with a port.
  const address = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${address.port}`;
  return { url, mcpUrl: url + MCP_PATH, close: () => stop(server) };
}

function start(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `the emulator can't listen on port ${port}: ${cause.message}`;
      reject(new SvcError(EXIT.usage, 'port_unusable', message, { cause, hint: 'For any free port: --port 0' }));
    });
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** True if the client waits for `100 Continue` before it sends its body. */
  readonly asksFirst: boolean;
  readonly incomingBody: IncomingBody;
}

async function serveExchange(handlers: Handlers, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const arriving = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: flatten(request),
    body: hasBody(request) ? () => receive(exchange) : Buffer.alloc(0),
  };
  try {
    const { status, headers, body } = await handlers.handle(arriving);
    const isWhole = await dropRest(exchange);
    const close = isWhole ? {} : { connection: 'close' };
    response.writeHead(status, { ...headers, ...close, 'content-length': body.length }).end(body);
  } catch (error) {
    if (!(error instanceof ConnectionEnded)) {
      throw error;
    }
    end(error.connectionEnd, response);
  }
}

function receive({ response, asksFirst, incomingBody }: Exchange): Promise<Buffer> {
  if (asksFirst) {
    response.writeContinue();
  }
  return incomingBody.read();
}

/**
 * Reads and drops the rest of a refused body, because some clients read a response only after they have sent the whole
 * body. A client that waits for `100 Continue` sends nothing more. Returns true if the whole body arrived.
 */
async function dropRest({ request, asksFirst, incomingBody }: Exchange): Promise<boolean> {
  return asksFirst ? request.complete : incomingBody.drop();
}

// Refuses bytes that are no HTTP. They reach no handler, but the client still gets the usual error body.
function refuse(handlers: Handlers, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  refuseBytes(handlers, socket, error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400);
}

function refuseBytes(handlers: Handlers, socket: Duplex, code: number): void {
  const { status, headers, body } = handlers.refuseUnreadable(code);
  const all = { ...headers, 'content-length': body.length, connection: 'close' };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const first = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  socket.end(Buffer.concat([Buffer.from(`${[first, ...head].join('\r\n')}\r\n\r\n`), body]));
}

// Refuses a CONNECT request. After such a request, Node neither handles errors of the socket nor closes it.
function refuseTunnel(handlers: Handlers, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.on('finish', () => socket.destroy());
  refuseBytes(handlers, socket, 400);
}

/** Refuses a request because of its headers, and does not read the body. */
function refuseHead(handlers: Handlers, response: ServerResponse, code: number): void {
  const { status, headers, body } = handlers.refuseUnreadable(code);
  response.writeHead(status, { ...headers, connection: 'close', 'content-length': body.length }).end(body);
}

// All `Host` headers of a request, joined into one. Node would use only the first of them. If there are several, the
// joined text names no host, so the request is refused.
function joinedHostHeader(request: IncomingMessage): Record<string, string> {
  const { host } = request.headersDistinct;
  return host === undefined ? {} : { host: host.join(', ') };
}

function flatten(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headers).map(
    ([name, value]) => [name, [value ?? ''].flat().join(', ')] as const,
  );
  return { ...Object.fromEntries(entries), ...joinedHostHeader(request) };
}

function end(connectionEnd: ConnectionEnd, response: ServerResponse): void {
  if (connectionEnd.kind === 'cut') {
    const { status, headers, body } = connectionEnd.partial;
    response.writeHead(status, { ...headers, 'content-length': body.length });
    response.write(body.subarray(0, connectionEnd.bytes), () => response.socket?.end());
  } else if (connectionEnd.kind === 'reset') {
    response.socket?.resetAndDestroy();
  } else {
    response.socket?.end();
  }
}
