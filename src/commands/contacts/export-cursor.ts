import { existsSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { isRecord, parseJson } from '../../base/lib/json.ts';
import { shellFile, terminalSafe } from '../../base/lib/text.ts';
import { writePrivateFile } from '../../base/os/files.ts';
import { isPageRecent } from '../../contacts-check/read-audience.ts';

/**
 * What an export reads, and its format. A cursor is valid only for the same source. `status` is null for contacts of
 * any status.
 */
export interface ExportSource {
  readonly origin: string;
  readonly audience: string;
  readonly format: string;
  readonly status: string | null;
}

/**
 * How far an export is. `after` is the cursor of the next page, and null after the last page. `contacts` and `bytes`
 * count what is in the part file so far.
 */
export interface ExportCursor extends ExportSource {
  readonly object: 'export_cursor';
  readonly after: string | null;
  readonly contacts: number;
  readonly bytes: number;
  /** When the last page was read, in milliseconds since the epoch. Missing in cursors of earlier versions. */
  readonly at?: number;
  /** The number of this reading of the audience. Like the next two fields, missing in cursors of earlier versions. */
  readonly pass?: number;
  /** How many contacts of any status the service counted when this reading began. 0 if it showed no count. */
  readonly expected?: number;
  /** How many contacts of any status this reading has listed so far. A contact on two pages counts once (V2). */
  readonly listed?: number;
}

/** The cursor before the first page of a reading. `expected` is undefined if the service shows no count. */
export function newCursor(source: ExportSource, pass: number, expected: number | undefined): ExportCursor {
  const empty = { after: null, contacts: 0, bytes: 0, listed: 0 };
  return { object: 'export_cursor', ...source, ...empty, pass, expected: expected ?? 0 };
}

/**
 * Reads the cursor file of an interrupted export. Undefined if there is none. Throws if the file belongs to an export
 * from another source.
 */
export function readCursor(path: string, source: ExportSource): ExportCursor | undefined {
  if (!existsSync(path) || statSync(path).size === 0) {
    return undefined;
  }
  const earlierCursor = parse(readFileSync(path, 'utf8'));
  const fields = ['origin', 'audience', 'format', 'status'] as const;
  if (!earlierCursor || fields.some((field) => earlierCursor[field] !== source[field])) {
    throw new SvcError(EXIT.usage, 'another_export', `${terminalSafe(path)} belongs to another export`, {
      hint: `Repeat that export, or start again after:\nrm ${shellFile(path)}`,
    });
  }
  return earlierCursor;
}

/** True if the last page is recent, so that the export can continue. */
export function isCursorRecent({ at: time }: ExportCursor, now: number): boolean {
  return time !== undefined && isPageRecent(time, now);
}

/** Writes the cursor file. The contacts that the cursor counts must be on disk before. */
export function saveCursor(path: string, cursor: ExportCursor): void {
  writePrivateFile(path, `${JSON.stringify(cursor)}\n`);
}

/**
 * Cuts off what was written to the part file after its last cursor. Throws if the file is shorter than the cursor says.
 */
export function truncateToCursor(part: string, cursor: ExportCursor, cursorFile: string): void {
  const size = existsSync(part) ? statSync(part).size : -1;
  if (size < cursor.bytes) {
    throw new SvcError(EXIT.usage, 'part_missing', `${terminalSafe(part)} is shorter than the export left it`, {
      hint: `To start again, run the same command after:\nrm ${shellFile(cursorFile)}`,
    });
  }
  truncateSync(part, cursor.bytes);
}

export function deleteCursor(path: string | undefined): void {
  if (path !== undefined) {
    rmSync(path, { force: true });
  }
}

function parse(text: string): ExportCursor | undefined {
  const value = parseJson(text);
  return isRecord(value) && isCursor(value) ? (value as unknown as ExportCursor) : undefined;
}

/**
 * True if all fields have the expected types. If a number were wrong, svc would cut contacts off and not read them
 * again.
 */
function isCursor({ object, after, contacts, bytes, ...newer }: Record<string, unknown>): boolean {
  const isPlace = after === null || typeof after === 'string';
  const { at: time, pass, expected, listed } = newer;
  const areNumbers = [time, pass, expected, listed].every((one) => one === undefined || typeof one === 'number');
  return object === 'export_cursor' && isPlace && areNumbers && [contacts, bytes].every(Number.isSafeInteger);
}
