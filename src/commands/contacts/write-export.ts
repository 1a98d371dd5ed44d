import { createReadStream, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Client } from '../../api/client.ts';
import { ApiError } from '../../api/http/api-error.ts';
import { listContactPages } from '../../api/resources/contacts.ts';
import type { OutputStream } from '../../base/context.ts';
import type { Emit } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { shellFile } from '../../base/lib/text.ts';
import { openPrivateWriter, syncFolder } from '../../base/os/files.ts';
import { replaceFileByText } from '../../base/os/replace-file.ts';
import type { Contact } from '../../wire/shapes.ts';
import { receivedJson } from '../framework/output/print.ts';
import { csvOfJsonLines } from './export-csv.ts';
import {
  deleteCursor,
  type ExportCursor,
  type ExportSource,
  isCursorRecent,
  readCursor,
  saveCursor,
  truncateToCursor,
} from './export-cursor.ts';

/** One export: what svc reads, and where it writes it. Paths are absolute. */
export interface ExportPlan {
  readonly source: ExportSource;
  /** The output file. Undefined for stdout. */
  readonly output: string | undefined;
  /** The file that records the progress. Undefined if the export cannot be resumed. */
  readonly cursorFile: string | undefined;
  /** The part file: one contact a line, as JSON. Undefined if contacts go straight to stdout. */
  readonly temporaryPath: string | undefined;
  readonly spreadsheet: boolean;
}

interface ExportContext {
  readonly client: Client;
  readonly stdout: OutputStream;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly total: number | undefined;
  note(text: string): void;
}

/** How many contacts were exported. `resumed` of them came from an earlier, interrupted command. */
interface ExportCounts {
  readonly contacts: number;
  readonly resumed: number;
}

/**
 * Writes an audience page by page, with a cursor file from which an interrupted export continues. The output gets its
 * final name once it is complete. Starts over if the earlier pages are an hour old, because people may have opted out
 * since (V2). Also starts over if the service does not know the cursor any more.
 */
export async function writeExport(plan: ExportPlan, context: ExportContext): Promise<ExportCounts> {
  const { cursorFile, source } = plan;
  const earlierCursor = cursorFile === undefined ? undefined : readCursor(cursorFile, source);
  const isOld = earlierCursor !== undefined && !isCursorRecent(earlierCursor, context.clock.now());
  try {
    if (isOld) {
      startOver(plan, context, 'the export was interrupted more than an hour ago');
    }
    return await readAndWrite(plan, context, isOld ? undefined : earlierCursor);
  } catch (error) {
    if (!(error instanceof CursorRefused)) {
      throw error;
    }
    startOver(plan, context, 'the service no longer knows how far the export was');
    return await readAndWrite(plan, context, undefined);
  } finally {
    if (plan.cursorFile === undefined && plan.temporaryPath !== undefined) {
      rmSync(plan.temporaryPath, { force: true });
    }
  }
}

/** Prepares to start over, and says why. Throws if contacts went to stdout, because svc can't take them back. */
function startOver({ temporaryPath, cursorFile }: ExportPlan, { note }: ExportContext, why: string): void {
  if (temporaryPath === undefined) {
    throw new SvcError(EXIT.usage, 'cursor_expired', `${why}, so it must start over`, {
      hint: `Delete what was printed before. Then run the same command after:\nrm ${shellFile(cursorFile ?? '')}`,
    });
  }
  deleteCursor(cursorFile);
  note(`Starting over, because ${why}. The audience may have changed since.`);
}

/** Thrown if the service refuses the cursor that an earlier process stored. */
class CursorRefused extends Error {}

async function readAndWrite(
  plan: ExportPlan,
  context: ExportContext,
  earlierCursor: ExportCursor | undefined,
): Promise<ExportCounts> {
  const { source, cursorFile, temporaryPath } = plan;
  beginOutput(plan, earlierCursor);
  const start = { object: 'export_cursor', ...source, after: null, contacts: 0, bytes: 0 } as const;
  let cursor: ExportCursor = earlierCursor ?? start;
  context.emit({ type: 'phase', phase: 'export', total: context.total, done: cursor.contacts, unit: 'rows' });
  const isRead = earlierCursor !== undefined && earlierCursor.after === null;
  for await (const { items, nextCursor: next } of isRead ? [] : listFrom(cursor, plan, context)) {
    const found = source.status === null ? items : items.filter(({ status }) => status === source.status);
    const bytes = writePage(found, temporaryPath, context.stdout);
    if (temporaryPath === undefined && context.stdout.closed) {
      // The reader closed the pipe (D3). This page did not arrive, so the cursor does not move.
      return { contacts: cursor.contacts, resumed: earlierCursor?.contacts ?? 0 };
    }
    const contacts = cursor.contacts + found.length;
    cursor = { ...cursor, after: next ?? null, contacts, bytes, at: context.clock.now() };
    if (cursorFile !== undefined) {
      saveCursor(cursorFile, cursor);
    }
    context.emit({ type: 'progress', phase: 'export', done: cursor.contacts });
  }
  await finishOutput(plan, context.stdout);
  deleteCursor(cursorFile);
  return { contacts: cursor.contacts, resumed: earlierCursor?.contacts ?? 0 };
}

async function* listFrom({ after }: ExportCursor, { source }: ExportPlan, { client, signal }: ExportContext) {
  let isFirst = true;
  try {
    for await (const page of listContactPages(client, source.audience, { after: after ?? undefined, signal })) {
      isFirst = false;
      yield page;
    }
  } catch (error) {
    const isOldCursor = isFirst && after !== null && error instanceof ApiError && error.status === 400;
    throw isOldCursor ? new CursorRefused('the cursor is old', { cause: error }) : error;
  }
}

function beginOutput({ temporaryPath, cursorFile }: ExportPlan, earlierCursor: ExportCursor | undefined): void {
  if (temporaryPath === undefined) {
    return;
  }
  if (earlierCursor && cursorFile !== undefined) {
    truncateToCursor(temporaryPath, earlierCursor, cursorFile);
  } else {
    openPrivateWriter(temporaryPath).close();
  }
}

/**
 * Appends a page to the part file, and returns the size of the file. Without a part file, writes to stdout and returns
 * 0.
 */
function writePage(contacts: readonly Contact[], part: string | undefined, stdout: OutputStream): number {
  const text = contacts.map((contact) => receivedJson(contact)).join('');
  if (part === undefined) {
    stdout.write(text);
    return 0;
  }
  const writer = openPrivateWriter(part, { append: true });
  writer.write(text);
  writer.close();
  return statSync(part).size;
}

async function finishOutput(plan: ExportPlan, stdout: OutputStream): Promise<void> {
  const { output, temporaryPath, source } = plan;
  if (temporaryPath === undefined) {
    return;
  }
  if (source.format === 'ndjson') {
    await (output === undefined
      ? print(createReadStream(temporaryPath, 'utf8'), stdout)
      : publish(temporaryPath, output));
  } else {
    await writeCsv(plan, temporaryPath, stdout);
  }
  rmSync(temporaryPath, { force: true });
}

function publish(part: string, output: string): void {
  renameSync(part, output);
  // Without this sync of the folder, a power cut could undo the rename.
  syncFolder(dirname(output));
}

async function writeCsv({ output, spreadsheet }: ExportPlan, part: string, stdout: OutputStream): Promise<void> {
  const lines = csvOfJsonLines(part, { guarded: spreadsheet, escaped: output === undefined });
  await (output === undefined ? print(lines, stdout) : replaceFileByText(output, lines, `${part}.csv`));
}

/** Writes texts to stdout until the reader closes the pipe (D3). */
async function print(texts: AsyncIterable<unknown>, stdout: OutputStream): Promise<void> {
  for await (const text of texts) {
    if (stdout.closed) {
      break;
    }
    stdout.write(String(text));
  }
}
