import { createReadStream, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OutputStream } from '../../base/context.ts';
import { openPrivateWriter, syncFolder } from '../../base/os/files.ts';
import { replaceFileByText } from '../../base/os/replace-file.ts';
import type { Contact } from '../../wire/shapes.ts';
import { receivedJson } from '../framework/output/print.ts';
import { csvOfJsonLines } from './export-csv.ts';
import { type ExportCursor, type ExportSource, truncateToCursor } from './export-cursor.ts';

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

/** Prepares the part file: it becomes empty, or ends where the earlier process stored its cursor. */
export function beginOutput({ temporaryPath, cursorFile }: ExportPlan, earlierCursor: ExportCursor | undefined): void {
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
export function writePage(contacts: readonly Contact[], part: string | undefined, stdout: OutputStream): number {
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

/** Makes the output of the part file, and removes the part file. */
export async function finishOutput(plan: ExportPlan, stdout: OutputStream): Promise<void> {
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
