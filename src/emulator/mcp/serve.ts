import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { VERSION } from '../../version.ts';
import type { World } from '../context.ts';
import type { GateRequest, GateResponse } from '../http/messages.ts';
import { callTool } from './call-tool.ts';
import { MCP_PATH, type McpCaller } from './endpoint.ts';
import { TOOLS } from './tools.ts';

/** Answers one POST with the SDK's server. Each request has a server of its own: nothing is kept from one to the next. */
export async function serveMcp(world: World, request: GateRequest, by: McpCaller): Promise<GateResponse> {
  const server = createServer(world, by);
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: world.quirks.mcp_answers === 'json',
  });
  await server.connect(transport);
  try {
    return await toGate(await transport.handleRequest(toWeb(request)));
  } finally {
    await server.close();
  }
}

// The SDK's high-level server wants schemas of a library; ours are plain JSON Schema, and judged by the actions.
function createServer(world: World, by: McpCaller): Server {
  const server = new Server({ name: 'svc-emulator', version: VERSION }, { capabilities: { tools: {} } });
  const tools = TOOLS.map(({ name, title, description, inputSchema, annotations }) => {
    return { name, title, description, inputSchema: { ...inputSchema }, annotations };
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined) {
      throw new McpError(ErrorCode.InvalidParams, `no such tool: ${params.name}`);
    }
    return callTool(world, tool, { ...by, args: params.arguments ?? {} });
  });
  return server;
}

function toWeb({ method, headers, body }: GateRequest): Request {
  return new Request(`http://localhost${MCP_PATH}`, { method, headers, body: new Uint8Array(body) });
}

async function toGate(response: Response): Promise<GateResponse> {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}
