import type { EmulatorContext } from '../context/action-context.ts';
import { encodeBody } from '../protocol/envelope.ts';
import type { RequestHead, ServiceRequest, ServiceResponse } from '../protocol/request-response.ts';
import type { McpCaller } from './tool.ts';

export const MCP_PATH = '/mcp';

export function isMcp(request: RequestHead): boolean {
  return request.path.split('?')[0] === MCP_PATH;
}

/**
 * The MCP endpoint: streamable HTTP without sessions. Loads the MCP SDK at the first POST, because loading it would
 * slow down the start.
 */
export function createMcp(
  context: EmulatorContext,
): (request: ServiceRequest, caller: McpCaller) => Promise<ServiceResponse> {
  return async (request, caller) => {
    if (request.method !== 'POST') {
      return NO_STREAM;
    }
    const { serveMcp } = await import('./serve.ts');
    return serveMcp(context, request, caller);
  };
}

// GET would open a stream, and DELETE would end a session. The endpoint has neither, so both get a 405.
const NO_STREAM: ServiceResponse = {
  status: 405,
  headers: { allow: 'POST' },
  body: encodeBody({ jsonrpc: '2.0', error: { code: -32000, message: 'Method not allowed.' }, id: null }),
};
