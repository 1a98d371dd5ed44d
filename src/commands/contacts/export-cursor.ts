import { existsSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { writePrivateFile } from '../../base/os/files.ts';

/** What an export reads; another one can't go on with the same cursor. */
export interface ExportSource {
  readonly origin: string;
  readonly audience: string;
  readonly format: string;
  readonly status: string | null;
}

/** How far an export came: the cursor of the next page, and how much of the part file belongs to the pages before it. */
export interface ExportCursor extends ExportSource {
  readonly object: 'export_cursor';
  readonly after: string | null;
  readonly contacts: number;
  readonly bytes: number;
}

/** Reads the cursor file of an interrupted export; undefined where there is none. Another export's is a usage error. */
export function readCursor(path: string, source: ExportSource): ExportCursor | undefined {
  if (!existsSync(path) || statSync(path).size === 0) {
    return undefined;
  }
  const kept = parse(readFileSync(path, 'utf8'));
  const fields = ['origin', 'audience', 'format', 'status'] as const;
  if (!kept || fields.some((field) => kept[field] !== source[field])) {
    throw new SvcError(EXIT.usage, 'another_export', `${safe(path)} belongs to another export`, {
      hint: 'Repeat that one, or remove the file to begin anew.',
    });
  }
  return kept;
}

/** Keeps the cursor. What it counts must be on disk before. */
export function keepCursor(path: string, cursor: ExportCursor): void {
  writePrivateFile(path, `${JSON.stringify(cursor)}\n`);
}

/** Cuts off what was written after the last cursor. A part file that is shorter than that is a usage error. */
export function cutBack(part: string, cursor: ExportCursor, cursorFile: string): void {
  const size = existsSync(part) ? statSync(part).size : -1;
  if (size < cursor.bytes) {
    throw new SvcError(EXIT.usage, 'part_missing', `${safe(part)} is not what the export left`, {
      hint: `Remove ${safe(cursorFile)} to begin anew.`,
    });
  }
  truncateSync(part, cursor.bytes);
}

/** The export is whole: nothing is left to go on with. */
export function dropCursor(path: string | undefined): void {
  if (path !== undefined) {
    rmSync(path, { force: true });
  }
}

function parse(text: string): ExportCursor | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isOurs = typeof value === 'object' && value !== null && 'object' in value && value.object === 'export_cursor';
    return isOurs ? (value as ExportCursor) : undefined;
  } catch {
    return undefined;
  }
}
