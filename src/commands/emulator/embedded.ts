import { resolve } from 'node:path';
import type { Context } from '../../base/context.ts';
import { badUsage } from '../../base/lib/errors.ts';
import { createEmulator, type Emulator } from '../../emulator/emulator.ts';
import type { ListeningServer } from '../../emulator/http/server.ts';
import type { Settings } from '../framework/settings/settings.ts';
import { reconcileKeptStore } from './kept-store.ts';

/** The emulator for one command, on its own port. */
export interface Embedded {
  readonly emulator: Emulator;
  readonly listening: ListeningServer;
  close(): Promise<void>;
}

/** Starts the emulator for `--emulator`. A flag that names another service is a usage error. */
export async function openEmbedded(settings: Settings, context: Context): Promise<Embedded> {
  refuseBoth('--base-url', settings.baseUrl.source);
  refuseBoth('--mcp-url', settings.mcpUrl.source);
  const emulator = await createEmulator({
    clock: context.clock,
    plan: settings.plan.value,
    randomHex: context.randomHex,
    ...(settings.emulatorData === undefined ? {} : { dataDir: resolve(context.cwd, settings.emulatorData) }),
  });
  reconcileKeptStore({ emulator, folder: settings.emulatorData }, settings, context);
  const listening = await emulator.listen(0);
  const close = async () => {
    await listening.close();
    await emulator.close();
  };
  return { emulator, listening, close };
}

function refuseBoth(flag: string, source: string): void {
  if (source === 'flag') {
    throw badUsage(`--emulator and ${flag} exclude each other`, 'Leave one of them out.');
  }
}
