import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const ROOM = 1024 ** 3;

/**
 * The folder for temporary folders: in memory where the machine has room there, because the program syncs each write. A
 * simulated kill is no power cut, so tests need no disk. Programs can't always be started from there.
 */
export function memoryRoot(): string {
  return hasRoom(MEMORY) ? MEMORY : tmpdir();
}

/** A container often has 64 MB there, which is too little. */
function hasRoom(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}
