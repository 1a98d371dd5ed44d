import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { openPrivateWriter, syncFolder } from './files.ts';

/** The file that collects the text of a file until it is complete. */
export function draftOf(path: string): string {
  return `${path}.part`;
}

/**
 * Replaces a file of the user by a text that is made in parts. After a kill the file holds its old text or the whole
 * new one (D2). Returns false and leaves no file if there is no text. `draft` is a path in the same file system.
 */
export async function replaceByText(
  path: string,
  parts: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  draft = draftOf(path),
): Promise<boolean> {
  const file = openPrivateWriter(draft);
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
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  if (isEmpty) {
    rmSync(path);
  }
  // A power cut may undo the rename until the folder is synced.
  syncFolder(dirname(path));
  return !isEmpty;
}
