import { type CallToolResult, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject, World } from '../context.ts';
import { errorBody, Refusal } from '../http/envelope.ts';
import { assertScope } from '../http/scope.ts';
import type { Quirks } from '../variants/variants.ts';
import type { McpCaller } from './endpoint.ts';
import type { Tool } from './tool.ts';

/**
 * Runs a tool: all of it happens or nothing does. The result is text and the same as an object; a refusal is a result
 * marked as an error, in the one error envelope of the document.
 */
export function callTool(world: World, tool: Tool, by: McpCaller & { readonly args: JsonObject }): CallToolResult {
  const { caller, args, requestId } = by;
  try {
    assertScope(tool, caller);
    return asResult(
      world.store.transaction(() => tool.run({ world, caller, args })),
      world.quirks,
    );
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
    const body = Object(errorBody(error, requestId));
    if (world.quirks.mcp_errors === 'protocol') {
      throw new McpError(ErrorCode.InvalidRequest, `${error.code}: ${error.message}`, body.error);
    }
    return { ...asResult(body, world.quirks), isError: true };
  }
}

function asResult(body: JsonObject, quirks: Quirks): CallToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(body) }];
  return quirks.mcp_results === 'text' ? { content } : { content, structuredContent: { ...body } };
}
