import { accessSync, constants, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/** A temporary folder in memory where the machine has one: a simulated kill is no power cut, so nothing has to be synced. */
export function createFolder(): string {
  return mkdtempSync(join(isWritable(MEMORY) ? MEMORY : tmpdir(), 'svc-simulate-'));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
