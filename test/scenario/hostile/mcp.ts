import type { WireRequest, WireResponse } from '../../../src/base/context.ts';

/** True for a request to the MCP endpoint of COMMANDS. */
export function isMcp({ url }: WireRequest): boolean {
  return url.pathname === '/mcp';
}

const RESULTS: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } },
  'tools/list': {
    tools: [{ name: 'service_list_automations', description: 'Lists.', inputSchema: {}, annotations: {} }],
    nextCursor: null,
  },
  'tools/call': {
    content: [{ type: 'text', text: '{"data":[1]}' }],
    structuredContent: { data: [1], error: { code: 'not_found', message: 'm', param: 'p', request_id: 'r' } },
  },
};

/** Responds for the MCP endpoint without a wait, so that the clock of the test does not move. */
export function playMcp({ body }: WireRequest): WireResponse {
  const { id, method } = JSON.parse(String(body ?? '{}')) as { id?: number; method?: string };
  const result = RESULTS[method ?? ''];
  return result
    ? {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result })),
      }
    : { status: 202, headers: {}, body: Buffer.alloc(0) };
}
