import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { type ListedTool, toolsTable } from '../../render/lists/tools.ts';
import type { Invocation } from '../framework/invocation.ts';
import { checkListFlags, type ListFlags } from '../framework/output/list-flags.ts';
import { printList } from '../framework/output/print-list.ts';
import { type McpSession, withMcp } from './session.ts';

/** `mcp ls`: lists the tools of the endpoint. */
export async function listTools(invocation: Invocation<ListFlags>): Promise<ExitCode> {
  checkListFlags(invocation);
  await printList(invocation, await withMcp(invocation, readTools), toolsTable);
  return EXIT.ok;
}

/** Reads all pages of tools, with all fields that the endpoint sent. */
export async function readTools(session: McpSession): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  const seen = new Set<unknown>();
  for (let cursor: unknown; ; ) {
    const page = await session.request('tools/list', cursor === undefined ? {} : { cursor });
    if (!Array.isArray(page.tools) || !page.tools.every(isTool)) {
      throw unexpected('the endpoint sent no valid list of tools');
    }
    page.tools.forEach((tool) => tools.push(tool));
    cursor = page.nextCursor;
    if (cursor === undefined || cursor === null) {
      return tools;
    }
    if (seen.has(cursor)) {
      throw unexpected('the list of tools repeats a page');
    }
    seen.add(cursor);
  }
}

function isTool(value: unknown): value is ListedTool {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

function unexpected(message: string): SvcError {
  return new SvcError(EXIT.failed, 'unexpected_answer', message);
}
