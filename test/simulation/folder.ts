import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { memoryRoot } from '../support/node/memory.ts';

/** A temporary folder for the state of a simulation. */
export function createFolder(): string {
  return mkdtempSync(join(memoryRoot(), 'svc-simulate-'));
}
