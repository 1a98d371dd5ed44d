import { resolve } from 'node:path';
import type { Context } from '../../../base/context.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { pathExists } from '../../../base/os/files.ts';
import { createEmulator, type Emulator } from '../../../emulator/emulator.ts';
import { storeFile } from '../../../emulator/store/store.ts';
import { excludeEachOther } from '../output/lines-to-type.ts';
import { writeNote } from '../output/print.ts';
import type { Settings } from './settings.ts';

/** Starts the emulator of `--emulator` in this process. Throws a usage error if a flag names another service. */
export async function openEmbeddedEmulator(settings: Settings, context: Context) {
  const emulator = await createEmulatorOf(settings, context);
  reconcileExistingStore({ emulator, folder: settings.emulatorData }, settings, context);
  const listening = await emulator.listen(0);
  const close = async () => {
    await listening.close();
    await emulator.close();
  };
  return { emulator, origin: originOf(emulator), listening, close };
}

/** The origin of the emulator of `--emulator-data`. Undefined if its store is new, as with `--emulator` alone. */
export async function readEmbeddedOrigin(settings: Settings, context: Context): Promise<string | undefined> {
  const { emulatorData } = settings;
  if (emulatorData === undefined || !pathExists(storeFile(resolve(context.cwd, emulatorData)))) {
    return undefined;
  }
  const emulator = await createEmulatorOf(settings, context);
  await emulator.close();
  return originOf(emulator);
}

function originOf({ storeId }: Emulator): string {
  return `emulator:${storeId}`;
}

function createEmulatorOf(settings: Settings, context: Context): Promise<Emulator> {
  refuseBoth(settings, '--base-url', settings.baseUrl.source);
  refuseBoth(settings, '--mcp-url', settings.mcpUrl.source);
  return createEmulator({
    clock: context.clock,
    plan: settings.plan.value,
    randomHex: context.randomHex,
    ...(settings.emulatorData === undefined ? {} : { dataDir: resolve(context.cwd, settings.emulatorData) }),
  });
}

function refuseBoth({ emulatorData }: Settings, flag: string, source: string): void {
  if (source === 'flag') {
    throw excludeEachOther([emulatorData === undefined ? '--emulator' : '--emulator-data', flag]);
  }
}

/** An emulator that may have data of an earlier command, in `folder`. `seed` is the value of --seed. */
interface ExistingStore {
  readonly emulator: Emulator;
  readonly folder: string | undefined;
  readonly seed?: string | undefined;
}

/**
 * If an emulator has data of an earlier command, it keeps the plan of that data, unless the flag `--plan` is given.
 * Notes on stderr say that the plans differ, or that --seed is ignored.
 */
export function reconcileExistingStore(
  { emulator, folder, seed }: ExistingStore,
  settings: Settings,
  context: Context,
): void {
  if (!emulator.isExistingStore) {
    return;
  }
  const note = (text: string) => {
    if (!settings.output.quiet) {
      writeNote(context, `the emulator's data in ${terminalSafe(folder ?? '')} was kept: ${text}`);
    }
  };
  const { value: plan, source } = settings.plan;
  const storedPlan = emulator.admin.state().plan;
  if (plan !== undefined && plan !== storedPlan) {
    if (source === 'flag') {
      emulator.admin.setPlan(plan);
    }
    note(
      source === 'flag'
        ? `its plan was ${storedPlan} and is ${plan} now (--plan)`
        : `its plan is ${storedPlan}, not ${plan}`,
    );
  }
  if (seed !== undefined) {
    note('--seed is ignored, a seed is for new data');
  }
}
