import type { Context, OutputStream } from '../../../src/base/context.ts';
import { interruption } from '../../../src/base/interruption.ts';
import type { ManualClock } from '../../../src/base/manual-clock.ts';
import type { Transport } from '../../../src/base/transport.ts';
import { runCli } from '../../../src/cli.ts';
import { Killed } from '../killer.ts';
import { BASE_URL, type Ended, type Mishap, mortal } from '../machine.ts';
import type { Random } from '../random.ts';
import type { Disk } from './disk.ts';

/** Where programs run: a folder with the state and the secrets, a clock, a key, and whether somebody sits at a terminal. */
export interface Desk {
  readonly folder: string;
  readonly state: string;
  apiKey: string;
  readonly clock: ManualClock;
  readonly skewMs: number;
  readonly terminal: boolean;
  readonly random: Random;
  readonly disk: Disk;
  /** A wire for one program. */
  readonly open: () => Transport;
}

/** Runs one command line. Where it is killed, not another byte of it reaches the disk, the service or the terminal. */
export async function runAt(desk: Desk, mishap: Mishap, argv: readonly string[]): Promise<Ended> {
  const death = new AbortController();
  const stop = new AbortController();
  let touches = 0;
  const touch = () => {
    if (!death.signal.aborted) {
      touches += 1;
      if (touches === mishap.killAt) {
        death.abort(new Killed());
      }
      if (touches === mishap.interruptAt) {
        stop.abort(interruption('SIGINT'));
      }
    }
    death.signal.throwIfAborted();
  };
  const out = capture(desk.terminal, touch);
  const err = capture(desk.terminal, touch);
  const context = contextOf(desk, { touch, death: death.signal, stop: stop.signal, out, err });
  const code = await desk.disk
    .watch(touch, () => runCli([...argv], context))
    .catch((error: unknown) => {
      if (death.signal.aborted) {
        return 'killed' as const;
      }
      throw error;
    });
  return { code: death.signal.aborted ? 'killed' : code, out: out.text(), err: err.text(), touches };
}

interface Insides {
  readonly touch: () => void;
  readonly death: AbortSignal;
  readonly stop: AbortSignal;
  readonly out: OutputStream;
  readonly err: OutputStream;
}

function contextOf(desk: Desk, { touch, death, stop, out, err }: Insides): Context {
  const { clock, skewMs, random, folder, disk } = desk;
  return {
    stdout: out,
    stderr: err,
    stdin: (async function* () {})(),
    prompter: undefined,
    env: { SVC_BASE_URL: BASE_URL, SVC_API_KEY: desk.apiKey, SVC_STATE_DIR: desk.state },
    cwd: folder,
    platform: { pid: 1, home: folder },
    clock: {
      now: () => {
        touch();
        return Math.floor(clock.now() + skewMs);
      },
      sleep: async (ms, signal) => {
        touch();
        await clock.sleep(ms, signal ? AbortSignal.any([signal, death]) : death);
      },
    },
    signal: stop,
    randomHex: (length) => {
      touch();
      return random.hex(length);
    },
    openTransport: async () => mortal(outside(desk.open(), disk), { death }, touch),
  };
}

/** The service is no part of the program, and writes to a disk of its own. */
function outside(inner: Transport, disk: Disk): Transport {
  return {
    send: (request, signal) => disk.outside(() => inner.send(request, signal)),
    close: () => inner.close(),
  };
}

/** What was written before a kill was seen by somebody. */
function capture(isTTY: boolean, touch: () => void): OutputStream & { text(): string } {
  let text = '';
  return {
    isTTY,
    columns: isTTY ? 200 : undefined,
    write: (part) => {
      touch();
      text += part;
    },
    text: () => text,
  };
}
