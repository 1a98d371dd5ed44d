import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { memoryRoot } from './node/memory.ts';

const ROOT = memoryRoot();

/** A folder that is deleted after the test. It is in memory if the machine has room there. */
export function tempFolder(): string {
  return folderIn(ROOT);
}

/** A folder on the disk that is deleted after the test. Programs can be started from there. */
export function diskFolder(): string {
  return folderIn(tmpdir());
}

function folderIn(root: string): string {
  const folder = mkdtempSync(join(root, 'svc-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
