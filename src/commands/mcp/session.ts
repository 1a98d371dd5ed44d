import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ErrorCode, McpError, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { checkApiKey } from '../../api/api-key.ts';
import { invalidUrlError, isLoopback } from '../../api/http/base-url.ts';
import type { Context } from '../../base/context.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { interruptedError, interruptionOf } from '../../base/lib/interruption.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { createProgress } from '../../render/progress/progress.ts';
import { VERSION } from '../../version.ts';
import { checkSetting, type Invocation } from '../framework/invocation.ts';
import { readApiKey } from '../framework/settings/api-key.ts';
import type { Settings } from '../framework/settings/settings.ts';
import { createClientTransport, createLink, type McpLink } from './client-transport.ts';

/** A session with an MCP endpoint. Results keep fields that svc does not know (O6). */
export interface McpSession {
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
}

/** Opens a session, calls `use`, and closes the session, also after an error. -v prints a line for each request. */
export async function withMcp<T>(
  invocation: Invocation<unknown>,
  use: (session: McpSession) => Promise<T>,
): Promise<T> {
  const { context, settings } = invocation;
  const { output } = settings;
  const { stderr, clock, env, signal, onEvent } = context;
  const progress = createProgress({ ...output, progress: false, color: output.color.stderr, stderr, clock, onEvent });
  const endpoint = await openEndpoint(settings, context);
  const transport = await context.openTransport({ origin: endpoint.url, connections: 1, env });
  const { url, apiKey } = endpoint;
  const userAgent = `svc/${VERSION}`;
  const link = createLink({ url, apiKey, userAgent, transport, clock, emit: progress.emit, signal });
  try {
    return await converse(link, use);
  } catch (error) {
    throw unlessInterrupted(error, signal);
  } finally {
    await transport.close();
    await endpoint.close();
    progress.stop();
  }
}

async function converse<T>(link: McpLink, use: (session: McpSession) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'svc', version: VERSION });
  await client.connect(createClientTransport(link), TIME).catch(rethrowReadable);
  try {
    // Uses the loosest schema, because the other schemas of the SDK drop unknown fields.
    return await use({
      request: (method, params) => client.request({ method, params }, ResultSchema, TIME).catch(rethrowReadable),
    });
  } finally {
    await client.close();
  }
}

/**
 * Replaces an error of the MCP SDK by a readable one. If it is no `McpError`, a schema of the SDK refused the response,
 * because the response does not follow the protocol.
 */
function rethrowReadable(error: unknown): never {
  if (error instanceof SvcError) {
    throw error;
  }
  if (error instanceof McpError) {
    const message = `the MCP endpoint responds with an error: ${error.message}`;
    throw new SvcError(exitOf(error.code), 'mcp_error', message, { cause: error });
  }
  throw new SvcError(
    EXIT.failed,
    'unexpected_answer',
    'the response of the MCP endpoint does not follow the protocol',
    {
      hint: 'Check the MCP URL.',
      cause: error,
    },
  );
}

// The time limit of the SDK. It is never reached, because the connection has a shorter one.
const TIME = { timeout: 600_000 };

function unlessInterrupted(error: unknown, signal: AbortSignal): unknown {
  const interrupted = interruptionOf(signal);
  return interrupted ? interruptedError(interrupted) : error;
}

function exitOf(code: number) {
  if (code === ErrorCode.InvalidParams) {
    return EXIT.usage;
  }
  return REFUSALS.has(code) ? EXIT.stopped : EXIT.failed;
}

// The errors after which no tool has run. After any other error, such as -32000 of a server or a proxy, a tool may have
// run.
const REFUSALS: ReadonlySet<number> = new Set([
  ErrorCode.ParseError,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
]);

/** Takes the MCP endpoint from the settings, or starts the emulator for --emulator. Sends nothing. */
async function openEndpoint(settings: Settings, context: Context) {
  if (settings.emulator) {
    const { openEmbeddedEmulator } = await import('../framework/settings/embedded-emulator.ts');
    const { emulator, listening, close } = await openEmbeddedEmulator(settings, context);
    return { url: new URL(listening.mcpUrl), apiKey: emulator.apiKey, close };
  }
  const text = settings.mcpUrl.value;
  if (text === undefined) {
    throw new SvcError(EXIT.usage, 'no_mcp_url', 'no MCP URL is set', {
      hint: 'Give --mcp-url https://…, or set SVC_MCP_URL. To rehearse without an account:\n--emulator',
    });
  }
  const url = checkSetting('--mcp-url', settings.mcpUrl, () => parseMcpUrl(text));
  const apiKey = checkApiKey(await readApiKey(settings.key, url, context));
  return { url, apiKey, close: () => Promise.resolve() };
}

/**
 * Parses an MCP URL: https, or http to loopback. Throws a usage error for any other URL, and for credentials or a
 * fragment.
 */
function parseMcpUrl(text: string): URL {
  const url = URL.parse(text.trim());
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw invalidUrlError(`not an MCP URL: ${terminalSafe(text)}`, 'give it as https://host/path');
  }
  if (url.username || url.password || url.hash) {
    throw invalidUrlError(
      'an MCP URL holds no credentials and no fragment',
      `use ${url.origin}${url.pathname}${url.search}`,
    );
  }
  // A dot at the end of a host has no meaning. Removes it, because the origin to which a key is bound has no such dot.
  url.hostname = url.hostname.replace(/\.$/, '');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalidUrlError(
      `plain http is for loopback only: ${terminalSafe(text)}`,
      `use https://${url.host}${url.pathname}`,
    );
  }
  return url;
}
