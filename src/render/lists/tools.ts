import { parseJsonStrictly } from '../../base/lib/json.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import type { Cell } from '../text/cell.ts';
import { jsonText } from '../text/object.ts';
import type { Style } from '../text/style.ts';
import { itemTable } from '../text/table.ts';

/** A tool as an MCP server lists it. JSON output keeps all further fields. */
export interface ListedTool {
  readonly name: string;
  readonly description?: unknown;
  readonly annotations?: { readonly readOnlyHint?: unknown; readonly destructiveHint?: unknown } | null;
}

export function isDestructive({ annotations }: ListedTool): boolean {
  return annotations?.destructiveHint === true;
}

/** The table of `svc mcp ls`: what each tool may do. Destructive tools need `--confirm`. */
export function toolsTable(tools: readonly ListedTool[], style: Style): string {
  return itemTable(
    [
      { title: 'tool', neverCut: true, cell: ({ name }) => name },
      { title: 'may', cell: accessCell },
      { title: 'what it does', cell: ({ description }) => (typeof description === 'string' ? description : '') },
    ],
    tools,
    style,
  );
}

function accessCell(tool: ListedTool): Cell {
  if (isDestructive(tool)) {
    return { text: 'destroy', tone: 'red', raw: 'destructive' };
  }
  return tool.annotations?.readOnlyHint === true
    ? { text: 'read', tone: 'green', raw: 'read_only' }
    : { text: 'write', raw: 'write' };
}

type Fields = Readonly<Record<string, unknown>>;

/** The result of a tool as text for users. JSON is indented, and a short note stands for content other than text. */
export function toolResultText(result: Fields): string {
  const content = contentOf(result);
  if (content.length === 0) {
    return result.structuredContent === undefined ? '' : jsonText(result.structuredContent, 2);
  }
  return content.map(blockText).join('');
}

/** The text parts of a tool's result, unchanged. */
export function textsOf(result: Fields): string[] {
  return contentOf(result).flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
}

function contentOf({ content }: Fields): Fields[] {
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  return blocks.filter((block): block is Fields => typeof block === 'object' && block !== null);
}

function blockText({ type, text, mimeType, uri, resource }: Fields): string {
  if (type === 'text' && typeof text === 'string') {
    return formattedText(text);
  }
  const about = [type, mimeType, uri, Object(resource).uri].filter((part) => typeof part === 'string');
  return `[${about.map((part) => terminalSafe(String(part))).join(' ')}]\n`;
}

/** Indents a text that is JSON. In any other text, escapes control characters. */
function formattedText(text: string): string {
  try {
    return jsonText(parseJsonStrictly(text), 2);
  } catch {
    return `${text.split(/\r?\n/).map(terminalSafe).join('\n')}\n`;
  }
}
