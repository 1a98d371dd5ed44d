import { EXIT, SvcError } from '../../base/lib/errors.ts';
import type { ListedTool } from '../../render/lists/tools.ts';
import type { McpSession } from './session.ts';

/**
 * Reads all pages of the list of tools. A list without an end is an error (L1). Its signs are: a page that names a next
 * page but has no new tools, a repeated cursor, or too many pages.
 */
export async function readTools(session: McpSession): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  const names = new Set<string>();
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await session.request('tools/list', cursor === undefined ? {} : { cursor });
    if (!Array.isArray(page.tools) || !page.tools.every(isTool)) {
      throw invalidList('the endpoint sent no valid list of tools');
    }
    const known = names.size;
    for (const tool of page.tools) {
      tools.push(tool);
      names.add(tool.name);
    }
    const { nextCursor } = page;
    if (nextCursor === undefined || nextCursor === null) {
      return tools;
    }
    if (typeof nextCursor !== 'string') {
      throw endlessList('a cursor is no text');
    }
    if (names.size === known) {
      throw endlessList('a page has no new tools, and names a next page');
    }
    if (cursors.has(nextCursor)) {
      throw endlessList('a cursor was repeated');
    }
    cursors.add(nextCursor);
    if (cursors.size >= MAX_TOOL_PAGES) {
      throw endlessList(`${MAX_TOOL_PAGES} pages were read, and the last one names a next page`);
    }
    cursor = nextCursor;
  }
}

// An endpoint has few tools, and svc reads the pages without a pause. So a list with more pages is an error.
const MAX_TOOL_PAGES = 100;

function isTool(value: unknown): value is ListedTool {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

function endlessList(what: string): SvcError {
  return invalidList(`the list of tools cannot be read to its end: ${what}`);
}

function invalidList(message: string): SvcError {
  return new SvcError(EXIT.failed, 'unexpected_answer', message);
}
