import type { Caller } from '../context.ts';
import type { RequestHead } from '../http/messages.ts';

/** Where the MCP endpoint is, at the root of the emulator. */
export const MCP_PATH = '/mcp';

/** Whose request it is, and under which id it is logged. */
export interface McpCaller {
  readonly caller: Caller;
  readonly requestId: string;
}

/** True for a request of the MCP endpoint. */
export function isMcp(request: RequestHead): boolean {
  return request.path.split('?')[0] === MCP_PATH;
}
