import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { openPrivateWriter, syncFolder } from './files.ts';

/**
 * The path of the temporary file to which a new text is written. It replaces the file at `path` once the text is
 * complete.
 */
export function temporaryPathFor(path: string): string {
  return `${path}.part`;
}

/**
 * Replaces an output file by a text that is made in parts. After a kill, the file has its old text or the whole new
 * text (D2). If the new text is empty, deletes the file and returns false. `partFile` must be in the same file system.
 */
export async function replaceFileByText(
  path: string,
  parts: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  partFile = temporaryPathFor(path),
): Promise<boolean> {
  const file = openPrivateWriter(partFile);
  let isEmpty = true;
  try {
    try {
      for await (const part of parts) {
        file.write(part);
        isEmpty &&= part.length === 0;
      }
    } finally {
      file.close();
    }
    renameSync(partFile, path);
  } catch (error) {
    rmSync(partFile, { force: true });
    throw error;
  }
  if (isEmpty) {
    rmSync(path);
  }
  // Without this sync of the folder, a power cut could undo the rename.
  syncFolder(dirname(path));
  return !isEmpty;
}
