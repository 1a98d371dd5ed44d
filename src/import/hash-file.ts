import { createHash } from 'node:crypto';
import { fileBytes } from './disk.ts';

/** SHA-256 in hex of a file as it is on disk, and its size in bytes. Throws SvcError `input_unreadable`. */
export async function hashFile(
  path: string,
  onBytes?: (bytes: number) => void,
): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of fileBytes({ place: path, label: path })) {
    hash.update(chunk);
    size += chunk.length;
    onBytes?.(chunk.length);
  }
  return { sha256: hash.digest('hex'), size };
}
