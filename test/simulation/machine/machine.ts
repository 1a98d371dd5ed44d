/** A simulated machine, and one run of the program on it. */

import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Context, Transport } from '../../../src/base/context.ts';
import { createInterruption } from '../../../src/base/lib/interruption.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import type { Random } from '../random.ts';
import { createListFile, type ListFile } from '../scenario/list-file.ts';
import { capture, killableContext } from './killable-context.ts';
import { createKiller, Killed, type Killer } from './killer.ts';
import type { Service } from './service.ts';

/** A machine on which programs run: its disk, clock and key. */
export interface Machine {
  readonly folder: string;
  readonly list: ListFile;
  /** The state folder as the last program left it. */
  state: string;
  apiKey: string;
  readonly clock: ManualClock;
  readonly skewMs: number;
  readonly random: Random;
  readonly transport: () => Transport;
  /** Number of programs that were started here. */
  started: number;
  /** The running programs of this machine. A kill of one takes the whole machine down, because they share a disk. */
  readonly running: Set<Killer>;
  /** True if two people use it at once. */
  readonly shared: boolean;
}

interface NewMachine extends Partial<Pick<Machine, 'skewMs' | 'shared' | 'transport'>> {
  /** The bytes of the list at the beginning. */
  readonly list: Buffer;
  readonly random: Random;
}

/** Makes a machine with a folder of its own in `folder`, and a key for the service. */
export function createMachine(
  folder: string,
  { emulator, clock, watch }: Pick<Service, 'emulator' | 'clock' | 'watch'>,
  { list, ...rest }: NewMachine,
): Machine {
  const place = mkdtempSync(join(folder, 'machine-'));
  return {
    skewMs: 0,
    shared: false,
    transport: watch.open,
    ...rest,
    folder: place,
    list: createListFile(join(place, 'list.csv'), list),
    state: join(place, 'state'),
    apiKey: emulator.apiKey,
    clock,
    started: 0,
    running: new Set(),
  };
}

/** A disturbance of one program at one of its touches (see killer.ts): a kill, an interrupt, or an edit of its list. */
export interface Disturbance {
  readonly killAt?: number | undefined;
  readonly interruptAt?: number | undefined;
  /** The touch at which the list is edited. `copy`: while svc copies the list. */
  readonly editAt?: number | 'copy' | undefined;
  /** Random source for the edit. */
  readonly editor?: Random | undefined;
}

export interface ProgramEnd {
  readonly code: number | 'killed';
  readonly out: string;
  readonly err: string;
  readonly touches: number;
}

/** Runs one program on a machine. After a kill, the machine continues with the state folder of that moment. */
export async function runOn(
  machine: Machine,
  disturbance: Disturbance,
  program: (context: Context) => Promise<number>,
): Promise<ProgramEnd> {
  machine.started += 1;
  const nextState = join(machine.folder, `state${machine.started}`);
  const killer = createKiller({
    at: disturbance.killAt,
    state: machine.state,
    nextState,
    random: machine.random,
    shared: () => machine.running.size > 1,
    onDeath: () => {
      machine.state = nextState;
      machine.running.forEach((other) => other.die());
    },
  });
  machine.running.add(killer);
  const stop = new AbortController();
  let touches = 0;
  let edited = false;
  const touch = () => {
    touches += 1;
    if (touches === disturbance.interruptAt) {
      stop.abort(createInterruption('SIGINT'));
    }
    const edits = disturbance.editAt === 'copy' ? isCopying(machine.state) : touches === disturbance.editAt;
    if (edits && disturbance.editor && !edited && !killer.dead) {
      edited = true;
      machine.list.edit(disturbance.editor);
    }
    killer.touch();
  };
  const out = capture(false, touch);
  const err = capture(false, touch);
  const context = killableContext(machine, {
    touch,
    death: killer.death,
    stop: stop.signal,
    out,
    err,
    open: machine.transport,
  });
  const code = await program(context)
    .catch((error: unknown) => {
      if (error instanceof Killed) {
        return 70;
      }
      throw error;
    })
    .finally(() => machine.running.delete(killer));
  if (killer.dead) {
    return { code: 'killed', out: '', err: '', touches };
  }
  return { code, out: out.text(), err: err.text(), touches };
}

function isCopying(state: string): boolean {
  const runs = join(state, 'runs');
  return existsSync(runs) && readdirSync(runs).some((run) => existsSync(join(runs, run, 'inputs', '1.part')));
}
