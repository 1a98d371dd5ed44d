import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const ROOM = 1024 ** 3;

/**
 * The parent of temporary folders. It is in memory if there is room, because the program syncs each write. A simulated
 * kill isn't a power cut, so tests need no disk. Programs can't always be started from there.
 */
export function memoryRoot(): string {
  return hasRoom(MEMORY) ? MEMORY : tmpdir();
}

/** A container often has only 64 MB there. */
function hasRoom(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}
