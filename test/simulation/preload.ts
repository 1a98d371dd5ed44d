import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../../src');

/**
 * Loads the whole program. It loads its commands when they are needed, which takes turns of the event loop that no
 * clock counts: without this a seed would go another way in the process that plays it first.
 */
export async function preload(): Promise<void> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && name !== 'main.ts')) {
    await import(join(SOURCE, file));
  }
}
