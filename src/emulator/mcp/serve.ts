import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { VERSION } from '../../version.ts';
import { assertScope, type EmulatorContext } from '../context/action-context.ts';
import type { Variants } from '../context/variants.ts';
import type { JsonObject } from '../protocol/body.ts';
import { errorBody, Refusal } from '../protocol/envelope.ts';
import type { ServiceRequest, ServiceResponse } from '../protocol/request-response.ts';
import { CAMPAIGN_TOOLS } from './campaign-tools.ts';
import { AUTOMATION_TOOLS, READING_TOOLS, SENDING_TOOLS } from './service-tools.ts';
import type { McpCaller, Tool } from './tool.ts';

/** Every tool of the MCP endpoint. */
const TOOLS: readonly Tool[] = [...READING_TOOLS, ...CAMPAIGN_TOOLS, ...SENDING_TOOLS, ...AUTOMATION_TOOLS];

/**
 * Responds to one POST with the server of the MCP SDK. Each request gets a new server, so that no request depends on an
 * earlier one.
 */
export async function serveMcp(
  context: EmulatorContext,
  request: ServiceRequest,
  caller: McpCaller,
): Promise<ServiceResponse> {
  const server = createServer(context, caller);
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: context.variants.mcp_answers === 'json',
  });
  await server.connect(transport);
  try {
    return await toServiceResponse(await transport.handleRequest(toWebRequest(request)));
  } finally {
    await server.close();
  }
}

// Uses the low-level `Server`. The high-level class of the SDK needs schema objects of a library, but here the schemas
// are plain JSON, and the actions check the values.
function createServer(context: EmulatorContext, caller: McpCaller): Server {
  const server = new Server({ name: 'svc-emulator', version: VERSION }, { capabilities: { tools: {} } });
  const tools = TOOLS.map(({ name, title, description, inputSchema, annotations }) => {
    return { name, title, description, inputSchema: { ...inputSchema }, annotations };
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined) {
      throw new McpError(ErrorCode.InvalidParams, `unknown tool: ${params.name}`);
    }
    return callTool(context, tool, { ...caller, args: params.arguments ?? {} });
  });
  return server;
}

function toWebRequest({ method, headers, body }: ServiceRequest): Request {
  return new Request('http://localhost/mcp', { method, headers, body: new Uint8Array(body) });
}

async function toServiceResponse(response: Response): Promise<ServiceResponse> {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/**
 * Runs a tool in a transaction. The result has the same data twice, as text and as an object. A refusal is a result
 * that is marked as an error and has the usual error body. The variants `mcp_results` and `mcp_errors` can change this.
 */
function callTool(
  context: EmulatorContext,
  tool: Tool,
  call: McpCaller & { readonly args: JsonObject },
): CallToolResult {
  const { caller, args, requestId } = call;
  try {
    assertScope(tool, caller);
    return asResult(
      context.store.transaction(() => tool.run({ context, caller, args })),
      context.variants,
    );
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
    const body = Object(errorBody(error, requestId));
    if (context.variants.mcp_errors === 'protocol') {
      throw new McpError(ErrorCode.InvalidRequest, `${error.code}: ${error.message}`, body.error);
    }
    return { ...asResult(body, context.variants), isError: true };
  }
}

function asResult(body: JsonObject, variants: Variants): CallToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(body) }];
  return variants.mcp_results === 'text' ? { content } : { content, structuredContent: { ...body } };
}
