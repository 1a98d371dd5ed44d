import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ErrorCode, McpError, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, interruptionOf } from '../../base/lib/exit.ts';
import { createProgress } from '../../render/progress/progress.ts';
import { VERSION } from '../../version.ts';
import type { Invocation } from '../framework/invocation.ts';
import { createClientTransport } from './client-transport.ts';
import { type Endpoint, openEndpoint } from './endpoint.ts';
import { createLink, type McpLink } from './link.ts';

/** A session with an MCP endpoint. Answers keep unknown fields (O6). */
export interface McpSession {
  request(method: string, params?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
}

/** Opens a session with `-v` lines on stderr, and always closes it. */
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
  const link = createLink({ ...addressOf(endpoint), transport, clock, emit: progress.emit, signal });
  try {
    return await converse(link, use);
  } catch (error) {
    throw asSvcError(error, signal);
  } finally {
    await transport.close();
    await endpoint.close();
    progress.stop();
  }
}

function addressOf({ url, apiKey }: Endpoint) {
  return { url, apiKey, userAgent: `svc/${VERSION}` };
}

async function converse<T>(link: McpLink, use: (session: McpSession) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'svc', version: VERSION });
  await client.connect(createClientTransport(link), TIME).catch(rethrowReadable);
  try {
    // The loosest schema, because the SDK's own ones drop unknown fields.
    return await use({
      request: (method, params = {}) => client.request({ method, params }, ResultSchema, TIME).catch(rethrowReadable),
    });
  } finally {
    await client.close();
  }
}

/** Replaces the schema errors that the SDK throws for an answer outside of the protocol. */
function rethrowReadable(error: unknown): never {
  if (error instanceof SvcError || error instanceof McpError) {
    throw error;
  }
  throw new SvcError(EXIT.failed, 'unexpected_answer', 'the answer of the MCP endpoint does not follow the protocol', {
    hint: 'Check the MCP URL.',
    cause: error,
  });
}

// The connection ends each attempt earlier.
const TIME = { timeout: 600_000 };

function asSvcError(error: unknown, signal: AbortSignal): unknown {
  const interrupted = interruptionOf(signal);
  if (interrupted) {
    return new SvcError(interrupted.exit, 'interrupted', `stopped by ${interrupted.signal}`);
  }
  if (!(error instanceof McpError)) {
    return error;
  }
  const exit = exitOf(error.code);
  return new SvcError(exit, 'mcp_error', `the MCP endpoint answers with an error: ${error.message}`, { cause: error });
}

function exitOf(code: number) {
  if (code === ErrorCode.InvalidParams) {
    return EXIT.usage;
  }
  return code === ErrorCode.InternalError ? EXIT.failed : EXIT.stopped;
}
