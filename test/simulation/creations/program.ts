import type { Transport } from '../../../src/base/context.ts';
import { createInterruption } from '../../../src/base/lib/interruption.ts';
import { runCli } from '../../../src/cli.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { capture, killableContext } from '../machine/killable-context.ts';
import { Killed } from '../machine/killer.ts';
import type { Disturbance, ProgramEnd } from '../machine/machine.ts';
import type { Random } from '../random.ts';
import type { Disk } from './disk.ts';

/** Where programs run: a folder with state and secrets, a clock, a key, and perhaps a terminal. */
export interface ProgramHome {
  readonly folder: string;
  readonly state: string;
  apiKey: string;
  readonly clock: ManualClock;
  readonly skewMs: number;
  readonly terminal: boolean;
  readonly random: Random;
  readonly disk: Disk;
  /** The transport of one program. `death` aborts its requests. */
  readonly open: (death: AbortSignal) => Transport;
}

/** Runs one command line. After a kill, no further byte reaches the disk, the service or the terminal. */
export async function runAt(home: ProgramHome, disturbance: Disturbance, argv: readonly string[]): Promise<ProgramEnd> {
  const death = new AbortController();
  const stop = new AbortController();
  let touches = 0;
  const touch = () => {
    if (!death.signal.aborted) {
      touches += 1;
      if (touches === disturbance.killAt) {
        death.abort(new Killed());
      }
      if (touches === disturbance.interruptAt) {
        stop.abort(createInterruption('SIGINT'));
      }
    }
    death.signal.throwIfAborted();
  };
  const out = capture(home.terminal, touch);
  const err = capture(home.terminal, touch);
  const context = killableContext(home, {
    touch,
    death: death.signal,
    stop: stop.signal,
    out,
    err,
    open: () => outside(home.open(death.signal), home.disk),
  });
  const code = await home.disk
    .watch(touch, () => runCli([...argv], context))
    .catch((error: unknown) => {
      if (death.signal.aborted) {
        return 'killed' as const;
      }
      throw error;
    });
  return { code: death.signal.aborted ? 'killed' : code, out: out.text(), err: err.text(), touches };
}

/** The service isn't part of the program. Its writes don't count as writes of the program. */
function outside(inner: Transport, disk: Disk): Transport {
  return {
    send: (request, signal) => disk.outside(() => inner.send(request, signal)),
    close: () => inner.close(),
  };
}
