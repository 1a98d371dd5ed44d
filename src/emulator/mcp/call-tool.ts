import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { errorBody, Refusal } from '../envelope.ts';
import { assertScope } from '../scope.ts';
import type { JsonObject, World } from '../world.ts';
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
    return asResult(world.store.transaction(() => tool.run({ world, caller, args })));
  } catch (error) {
    if (error instanceof Refusal) {
      return { ...asResult(Object(errorBody(error, requestId))), isError: true };
    }
    throw error;
  }
}

function asResult(body: JsonObject): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: { ...body } };
}
