import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../../../src');

/**
 * Loads the whole program. Commands are loaded on demand, which takes turns of the event loop that no clock counts.
 * Without this, the first process of a seed would behave differently.
 */
export async function preload(): Promise<void> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && name !== 'main.ts')) {
    await import(join(SOURCE, file));
  }
}
