import { existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { ensurePrivateFolder, openPrivateWriter } from '../base/files.ts';

/**
 * Writes standard input to `path` (0600), because it can't be read twice. What was spooled whole before is kept, and
 * the input left alone.
 */
export async function spoolStdin(stdin: AsyncIterable<Buffer>, path: string): Promise<void> {
  if (existsSync(path)) {
    return;
  }
  ensurePrivateFolder(dirname(path));
  // Under another name until it is whole: a run that dies here must not take the half for the list.
  const draft = openPrivateWriter(`${path}.part`);
  try {
    for await (const chunk of stdin) {
      draft.write(chunk);
    }
  } finally {
    draft.close();
  }
  renameSync(draft.path, path);
}
