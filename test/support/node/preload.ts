import { readdirSync } from 'node:fs';
import { type ResolveFnOutput, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SOURCE = join(import.meta.dirname, '../../../src');
const SOURCE_URL = pathToFileURL(SOURCE).href;

/**
 * Loads the whole program. Commands are loaded on demand, which takes turns of the event loop that no clock counts.
 * Without this, the first process of a seed would behave differently.
 */
export async function preload(): Promise<void> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && name !== 'main.ts')) {
    await import(join(SOURCE, file));
  }
  resolveOnce();
}

let isHooked = false;

/**
 * Resolves each import of the program once in this process. Each command repeats its imports, and Vitest sends a
 * message to its main process for each one.
 */
function resolveOnce(): void {
  if (isHooked) {
    return;
  }
  isHooked = true;
  const known = new Map<string, ResolveFnOutput>();
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (!context.parentURL?.startsWith(SOURCE_URL)) {
        return nextResolve(specifier, context);
      }
      const key = `${context.parentURL} ${specifier}`;
      const found = known.get(key) ?? { ...nextResolve(specifier, context), shortCircuit: true };
      known.set(key, found);
      return found;
    },
  });
}
