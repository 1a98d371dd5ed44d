/** The context of a program that can be killed at each access to network, disk or clock. */

import type { Context, OutputStream, Transport } from '../../../src/base/context.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import type { Random } from '../random.ts';

export const BASE_URL = 'https://mail.example.test';

/** The environment of a started program. */
export interface Place {
  readonly folder: string;
  readonly state: string;
  readonly apiKey: string;
  readonly clock: ManualClock;
  readonly skewMs: number;
  readonly random: Random;
}

/** The hooks of a program that can be killed at each touch, see killer.ts. */
export interface KillHooks {
  readonly touch: () => void;
  readonly death: AbortSignal;
  readonly stop: AbortSignal;
  readonly out: OutputStream;
  readonly err: OutputStream;
  readonly open: () => Transport;
}

/** The context of a program that can be killed. */
export function killableContext(place: Place, { touch, death, stop, out, err, open }: KillHooks): Context {
  const { clock, skewMs, random, folder } = place;
  return {
    stdout: out,
    stderr: err,
    stdin: (async function* () {})(),
    prompter: undefined,
    tuneForMuchData: () => undefined,
    onEvent: undefined,
    env: { SVC_BASE_URL: BASE_URL, SVC_API_KEY: place.apiKey, SVC_STATE_DIR: place.state },
    cwd: folder,
    platform: { pid: 1, home: folder, user: undefined },
    clock: {
      now: () => {
        touch();
        return Math.floor(clock.now() + skewMs);
      },
      monotonic: () => clock.monotonic(),
      sleep: async (ms, signal, background) => {
        touch();
        await clock.sleep(ms, signal ? AbortSignal.any([signal, death]) : death, background);
      },
    },
    signal: stop,
    hideSecret: () => undefined,
    scrub: (text) => text,
    randomHex: (length) => {
      touch();
      return random.hex(length);
    },
    openTransport: async () => killableTransport(open(), death, touch),
  };
}

/** A stream that keeps what was written before a kill, because a user could read it. */
export interface CapturedStream extends OutputStream {
  text(): string;
}

/** A new stream. As a terminal it is wide enough for any line. */
export function capture(isTTY: boolean, touch: () => void): CapturedStream {
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

/** A kill can lose a request before it is sent, while it is in flight, or when its response arrives. */
function killableTransport(inner: Transport, death: AbortSignal, touch: () => void): Transport {
  return {
    close: () => inner.close(),
    send: async (request, signal) => {
      touch();
      // A killed process closes its sockets.
      const answer = await orDie(inner.send(request, AbortSignal.any([signal, death])), death);
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
