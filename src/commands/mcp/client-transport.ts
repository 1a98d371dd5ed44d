import type { Transport as McpTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isJSONRPCRequest, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { createParser } from 'eventsource-parser';
import { scrubbedTransport } from '../../api/api-key.ts';
import { ApiError } from '../../api/http/api-error.ts';
import { INTERRUPTED_GRACE_MS, MAX_ATTEMPT_MS, runWithTimeLimit } from '../../api/http/attempt-time.ts';
import { faultWithoutResponse } from '../../api/http/no-response.ts';
import { readResponse } from '../../api/http/read-response.ts';
import { readRateLimitHeaders } from '../../api/rate-limit/response-headers.ts';
import type { Transport, WireResponse } from '../../base/context.ts';
import type { Emit } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { EXIT, rewordError, SvcError } from '../../base/lib/errors.ts';
import { parseJson } from '../../base/lib/json.ts';
import { createScrub } from '../../base/lib/scrub.ts';

/**
 * The MCP transport "Streamable HTTP" for the client of the MCP SDK. Sends each message as one POST, once. Keeps no
 * stream open, follows no redirect and resumes nothing. Throws if a message is a request and the response has no reply
 * to it.
 */
export function createClientTransport(link: McpLink): McpTransport {
  let session: string | undefined;
  let protocol: string | undefined;
  const createHeaders = () => ({
    accept: 'application/json, text/event-stream',
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
    ...(protocol === undefined ? {} : { 'mcp-protocol-version': protocol }),
  });
  const transport: McpTransport = {
    start: async () => undefined,
    async send(message) {
      const body = Buffer.from(JSON.stringify(message));
      const sent = { ...createHeaders(), 'content-type': 'application/json' };
      const response = await link.send({ method: 'POST', headers: sent, body });
      session = response.headers['mcp-session-id'] ?? session;
      for (const answer of read(response, message)) {
        transport.onmessage?.(answer);
      }
    },
    async close() {
      if (session !== undefined) {
        // An error is ignored, because the command is done even if the server does not end the session.
        await link.send({ method: 'DELETE', headers: createHeaders() }).catch(() => undefined);
      }
      transport.onclose?.();
    },
    setProtocolVersion: (version) => {
      protocol = version;
    },
  };
  return transport;
}

function read(response: WireResponse, message: JSONRPCMessage): JSONRPCMessage[] {
  if (!isJSONRPCRequest(message)) {
    return [];
  }
  const answers = messagesOf(response).flatMap((value) => JSONRPCMessageSchema.safeParse(value).data ?? []);
  if (!answers.some((answer) => 'id' in answer && answer.id === message.id && !('method' in answer))) {
    throw new SvcError(EXIT.failed, 'unexpected_answer', 'the response is not from an MCP endpoint', {
      hint: 'Check the MCP URL.',
    });
  }
  return answers;
}

/** The JSON values in a response: one value, a list of values, or the events of a stream. Empty for any other body. */
function messagesOf({ headers, body }: WireResponse): unknown[] {
  const type = headers['content-type'] ?? '';
  // TextDecoder drops a byte order mark, which is not part of the text.
  const text = new TextDecoder().decode(body);
  if (/^text\/event-stream\b/i.test(type)) {
    return eventsOf(text).flatMap(parse);
  }
  return /^application\/json\b/i.test(type) ? parse(text) : [];
}

/** The data of each complete event of a stream. Other fields of events are ignored. */
function eventsOf(text: string): string[] {
  const events: string[] = [];
  // After a CR at the end, the parser would wait for an LF. So svc adds an LF.
  createParser({ onEvent: ({ data }) => events.push(data) }).feed(text.endsWith('\r') ? `${text}\n` : text);
  return events;
}

function parse(text: string): unknown[] {
  const value = parseJson(text);
  return value === undefined ? [] : [value].flat();
}

export interface McpLink {
  /** Sends one request, once, and follows no redirect. Returns a 2xx response. Throws SvcError for any other result. */
  send(request: LinkRequest): Promise<WireResponse>;
}

interface LinkRequest {
  readonly method: 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

interface LinkOptions {
  readonly url: URL;
  readonly apiKey: string;
  readonly userAgent: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** Creates the connection, but sends nothing. The API key is in the header of each request, and nowhere else. */
export function createLink(options: LinkOptions): McpLink {
  const { apiKey, clock, signal } = options;
  const scrub = createScrub(apiKey);
  const transport = scrubbedTransport(options.transport, scrub);
  return {
    async send(request) {
      signal.throwIfAborted();
      const startedAt = clock.monotonic();
      options.emit({ type: 'asking', method: request.method, path: options.url.pathname, attempt: 1 });
      const response = await attempt({ ...options, transport }, request).catch((cause) =>
        aboutMcpUrl(faultWithoutResponse(cause, scrub, false).error),
      );
      const answered = response instanceof SvcError ? undefined : response;
      const problem = response instanceof SvcError ? response : problemOf(response);
      options.emit({
        type: 'request',
        method: request.method,
        path: options.url.pathname,
        status: answered?.status,
        ms: clock.monotonic() - startedAt,
        attempt: 1,
        requestId: problem?.requestId,
        remaining: answered && readRateLimitHeaders(answered.headers).remaining,
        replayed: false,
        problem: problem?.code,
      });
      if (answered === undefined || problem !== undefined) {
        throw problem;
      }
      return answered;
    },
  };
}

function attempt({ transport, clock, signal, ...to }: LinkOptions, request: LinkRequest): Promise<WireResponse> {
  const identity = { authorization: `Bearer ${to.apiKey}`, 'user-agent': to.userAgent };
  const headers = { ...identity, 'accept-encoding': 'identity', ...request.headers };
  const sent = { method: request.method, url: to.url, headers, body: request.body };
  const time = { limitMs: MAX_ATTEMPT_MS, graceMs: INTERRUPTED_GRACE_MS };
  return runWithTimeLimit((closer) => transport.send(sent, closer), time, { clock, signal });
}

/**
 * The error for a response that is not 2xx. Its body is read like an error of the REST API. Without such a body, a 401
 * or 403 still means that the key was refused. Undefined for a 2xx.
 */
function problemOf(response: WireResponse): SvcError | undefined {
  const { status } = response;
  if (status >= 200 && status < 300) {
    return undefined;
  }
  const answer = readResponse(response, 'POST');
  if (answer.kind === 'limited') {
    return limitError(answer.error, answer.meta.retryAfterMs);
  }
  if (answer.kind === 'fault' && (status === 401 || status === 403)) {
    return new SvcError(EXIT.auth, 'unauthorized', `the MCP endpoint refuses the API key (status ${status})`);
  }
  if (answer.kind === 'fault') {
    return aboutMcpUrl(answer.error);
  }
  return answer.kind === 'success' ? undefined : answer.error;
}

function limitError(error: SvcError, retryAfterMs: number | undefined): SvcError {
  const hint =
    retryAfterMs === undefined ? undefined : `Nothing was done. Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
  const { code, message, requestId } = error;
  const cause = error instanceof ApiError ? error : undefined;
  return new SvcError(EXIT.failed, code, message, { hint, requestId, cause });
}

/** Corrects the hint of a connection error: --mcp-url is wrong here, not --base-url. */
function aboutMcpUrl(problem: SvcError): SvcError {
  const hint = problem.hint?.replace('--base-url (or SVC_BASE_URL)', '--mcp-url (or SVC_MCP_URL)');
  return hint === problem.hint ? problem : rewordError(problem, { hint });
}
