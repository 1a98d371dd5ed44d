import { createReadStream, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Client } from '../../api/client.ts';
import { listContactPages } from '../../api/resources/contacts.ts';
import type { OutputStream } from '../../base/context.ts';
import type { Emit } from '../../base/events.ts';
import { openPrivateWriter, syncFolder } from '../../base/os/files.ts';
import { replaceByText } from '../../base/os/replace-file.ts';
import { jsonText } from '../../render/text/object.ts';
import type { Contact } from '../../wire/shapes.ts';
import { csvOf } from './export-csv.ts';
import { cutBack, dropCursor, type ExportCursor, type ExportSource, keepCursor, readCursor } from './export-cursor.ts';

/** One export: what is read, and where it goes. Paths are absolute. */
export interface ExportPlan {
  readonly source: ExportSource;
  /** Undefined for stdout. */
  readonly output: string | undefined;
  /** Undefined if the export cannot be resumed. */
  readonly cursorFile: string | undefined;
  /** The file that collects contacts, one JSON object a line. Undefined if they go straight to stdout. */
  readonly part: string | undefined;
  readonly spreadsheet: boolean;
}

interface ExportContext {
  readonly client: Client;
  readonly stdout: OutputStream;
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

/** How an export ended. `resumed` counts the contacts that an earlier attempt had read. */
interface ExportCounts {
  readonly contacts: number;
  readonly resumed: number;
}

/** Writes an audience page by page, with a cursor to resume from. The output gets its name once it is complete. */
export async function writeExport(plan: ExportPlan, context: ExportContext): Promise<ExportCounts> {
  try {
    return await readAndWrite(plan, context);
  } finally {
    if (plan.cursorFile === undefined && plan.part !== undefined) {
      rmSync(plan.part, { force: true });
    }
  }
}

async function readAndWrite(plan: ExportPlan, context: ExportContext): Promise<ExportCounts> {
  const { source, cursorFile, part } = plan;
  const kept = cursorFile === undefined ? undefined : readCursor(cursorFile, source);
  begin(plan, kept);
  let cursor: ExportCursor = kept ?? { object: 'export_cursor', ...source, after: null, contacts: 0, bytes: 0 };
  const isRead = kept !== undefined && kept.after === null;
  for await (const { items, next } of isRead ? [] : listFrom(cursor, plan, context)) {
    const found = source.status === null ? items : items.filter(({ status }) => status === source.status);
    const bytes = write(found, part, context.stdout);
    if (part === undefined && context.stdout.closed) {
      // The reader closed the pipe (D3). The cursor stays before the page that did not arrive.
      return { contacts: cursor.contacts, resumed: kept?.contacts ?? 0 };
    }
    cursor = { ...cursor, after: next ?? null, contacts: cursor.contacts + found.length, bytes };
    if (cursorFile !== undefined) {
      keepCursor(cursorFile, cursor);
    }
    context.emit({ type: 'progress', phase: 'export', done: cursor.contacts });
  }
  await conclude(plan, context.stdout);
  dropCursor(cursorFile);
  return { contacts: cursor.contacts, resumed: kept?.contacts ?? 0 };
}

function listFrom({ after }: ExportCursor, { source }: ExportPlan, { client, signal }: ExportContext) {
  return listContactPages(client, source.audience, { after: after ?? undefined, signal });
}

function begin({ part, cursorFile }: ExportPlan, kept: ExportCursor | undefined): void {
  if (part === undefined) {
    return;
  }
  if (kept && cursorFile !== undefined) {
    cutBack(part, kept, cursorFile);
  } else {
    openPrivateWriter(part).close();
  }
}

/** Writes a page to disk and returns the size of the part file. */
function write(contacts: readonly Contact[], part: string | undefined, stdout: OutputStream): number {
  const text = contacts.map((contact) => jsonText(contact)).join('');
  if (part === undefined) {
    stdout.write(text);
    return 0;
  }
  const writer = openPrivateWriter(part, { append: true });
  writer.write(text);
  writer.close();
  return statSync(part).size;
}

async function conclude(plan: ExportPlan, stdout: OutputStream): Promise<void> {
  const { output, part, source } = plan;
  if (part === undefined) {
    return;
  }
  if (source.format === 'ndjson') {
    await (output === undefined ? copyTo(stdout, part) : publish(part, output));
  } else {
    await writeCsv(plan, part, stdout);
  }
  rmSync(part, { force: true });
}

function publish(part: string, output: string): void {
  renameSync(part, output);
  // A power cut may undo the rename until the folder is synced.
  syncFolder(dirname(output));
}

async function writeCsv({ output, spreadsheet }: ExportPlan, part: string, stdout: OutputStream): Promise<void> {
  const lines = csvOf(part, { guarded: spreadsheet, escaped: output === undefined });
  if (output === undefined) {
    for await (const line of lines) {
      if (stdout.closed) {
        break;
      }
      stdout.write(line);
    }
    return;
  }
  await replaceByText(output, lines, `${part}.csv`);
}

async function copyTo(stdout: OutputStream, path: string): Promise<void> {
  for await (const text of createReadStream(path, 'utf8')) {
    if (stdout.closed) {
      break;
    }
    stdout.write(String(text));
  }
}
