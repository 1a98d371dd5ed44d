import type { Cell } from '../table/cell.ts';
import { table } from '../table/table.ts';
import type { Style } from '../text/style.ts';

/** A tool of an MCP endpoint; whatever else it carries stays in it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: unknown;
  readonly annotations?: { readonly readOnlyHint?: unknown; readonly destructiveHint?: unknown } | null;
}

/** True for a tool that its server marks destructive. */
export function isDestructive({ annotations }: ListedTool): boolean {
  return annotations?.destructiveHint === true;
}

/** `svc mcp ls`: what each tool may do, and which ones want `--confirm`. */
export function toolsTable(tools: readonly ListedTool[], style: Style): string {
  return table(
    [{ title: 'tool', whole: true }, { title: 'may' }, { title: 'what it does' }],
    tools.map(toolRow),
    style,
  );
}

function toolRow(tool: ListedTool): Cell[] {
  const { name, description } = tool;
  return [name, mayCell(tool), typeof description === 'string' ? description : ''];
}

function mayCell(tool: ListedTool): Cell {
  if (isDestructive(tool)) {
    return { text: 'destroy', tone: 'red', raw: 'destructive' };
  }
  return tool.annotations?.readOnlyHint === true
    ? { text: 'read', tone: 'green', raw: 'read_only' }
    : { text: 'write', raw: 'write' };
}
