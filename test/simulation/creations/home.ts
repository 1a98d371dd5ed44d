import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../folder.ts';
import { forget } from '../machine/killer.ts';
import { passTime } from '../machine/pass-time.ts';
import { watchDisk } from './disk.ts';
import type { ProgramHome } from './program.ts';
import { createScenario, type Kind } from './scenario.ts';
import { openService, type Service } from './service.ts';

/** What a test needs to play programs without faults. */
export interface Stage {
  readonly kind: Kind;
  readonly terminal: boolean;
  /** The text of `list.csv` in the folder of the programs. */
  readonly list: string;
}

/** Plays programs against a service without faults, in a folder of their own, and removes everything afterwards. */
export async function playWithoutFaults<T>(
  { kind, terminal, list }: Stage,
  play: (service: Service, home: ProgramHome) => Promise<T>,
): Promise<T> {
  const folder = createFolder();
  const disk = watchDisk();
  const scenario = { ...createScenario(1), kind, faults: [], variants: {}, prior: 0 };
  const service = await openService(scenario, scenario.random.fork(), undefined);
  try {
    const place = mkdtempSync(join(folder, 'desk-'));
    writeFileSync(join(place, 'list.csv'), list);
    const home: ProgramHome = {
      folder: place,
      state: join(place, 'state'),
      apiKey: service.emulator.apiKey,
      clock: service.clock,
      skewMs: 0,
      terminal,
      random: scenario.random.fork(),
      disk,
      open: (death) => service.open(false, death),
    };
    return await passTime(service.clock, play(service, home));
  } finally {
    await service.close();
    disk.release();
    forget(folder);
  }
}
