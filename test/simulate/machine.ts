import { join } from 'node:path';
import type { Context, OutputStream } from '../../src/base/context.ts';
import { interruption } from '../../src/base/interruption.ts';
import type { ManualClock } from '../../src/base/manual-clock.ts';
import type { Transport } from '../../src/base/transport.ts';
import { createKiller, Killed, type Killer } from './killer.ts';
import type { Random } from './random.ts';

/** A machine on which the program is run again and again: its disk, its clock, its key. */
export interface Machine {
  readonly folder: string;
  /** The state folder as the last program left it. */
  state: string;
  apiKey: string;
  readonly clock: ManualClock;
  readonly skewMs: number;
  readonly random: Random;
  readonly transport: () => Transport;
  /** How many programs were started here so far. */
  started: number;
  /** The programs at work here. When one is killed the whole machine goes down, because they share a disk. */
  readonly running: Set<Killer>;
  /** Whether two people use it at once. */
  readonly shared: boolean;
}

/** What happens to a program while it runs: it dies, or is interrupted, at one of its touches of the outside. */
export interface Mishap {
  readonly killAt?: number | undefined;
  readonly interruptAt?: number | undefined;
}

/** How one program ended. */
export interface Ended {
  readonly code: number | 'killed';
  readonly out: string;
  readonly err: string;
  readonly touches: number;
}

export const BASE_URL = 'https://mail.example.test';

/** Runs one program on a machine. Where it is killed, the machine goes on with the state folder as it was at that moment. */
export async function runOn(
  machine: Machine,
  mishap: Mishap,
  program: (context: Context) => Promise<number>,
): Promise<Ended> {
  machine.started += 1;
  const heir = join(machine.folder, `state${machine.started}`);
  const killer = createKiller({
    at: mishap.killAt,
    state: machine.state,
    heir,
    random: machine.random,
    shared: () => machine.running.size > 1,
    onDeath: () => {
      machine.state = heir;
      machine.running.forEach((other) => other.die());
    },
  });
  machine.running.add(killer);
  const stop = new AbortController();
  let touches = 0;
  const touch = () => {
    touches += 1;
    if (touches === mishap.interruptAt) {
      stop.abort(interruption('SIGINT'));
    }
    killer.touch();
  };
  const out = capture(touch);
  const err = capture(touch);
  const context = contextOf(machine, { killer, touch, stop, out, err });
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

interface Insides {
  readonly killer: Killer;
  readonly touch: () => void;
  readonly stop: AbortController;
  readonly out: Captured;
  readonly err: Captured;
}

function contextOf(machine: Machine, { killer, touch, stop, out, err }: Insides): Context {
  const { clock, skewMs, random, folder } = machine;
  return {
    stdout: out,
    stderr: err,
    stdin: (async function* () {})(),
    prompter: undefined,
    env: { SVC_BASE_URL: BASE_URL, SVC_API_KEY: machine.apiKey, SVC_STATE_DIR: machine.state },
    cwd: folder,
    platform: { pid: 1, home: folder },
    clock: {
      now: () => {
        touch();
        return Math.floor(clock.now() + skewMs);
      },
      sleep: async (ms, signal) => {
        touch();
        await clock.sleep(ms, signal ? AbortSignal.any([signal, killer.death]) : killer.death);
      },
    },
    signal: stop.signal,
    randomHex: (length) => {
      touch();
      return random.hex(length);
    },
    openTransport: async () => mortal(machine.transport(), killer, touch),
  };
}

/** A request may be lost with its sender before it leaves, while it is under way, or when its answer comes. */
export function mortal(inner: Transport, killer: Pick<Killer, 'death'>, touch: () => void): Transport {
  return {
    close: () => inner.close(),
    send: async (request, signal) => {
      touch();
      const answer = await orDie(inner.send(request, signal), killer.death);
      touch();
      return answer;
    },
  };
}

function orDie<T>(work: Promise<T>, death: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(death.reason);
    death.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => death.removeEventListener('abort', stop));
  });
}

interface Captured extends OutputStream {
  text(): string;
}

function capture(touch: () => void): Captured {
  let text = '';
  return {
    isTTY: false,
    columns: undefined,
    write: (part) => {
      touch();
      text += part;
    },
    text: () => text,
  };
}
