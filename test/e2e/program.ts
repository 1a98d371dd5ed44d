import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** How a program ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A running program. */
export interface Program {
  readonly child: ChildProcess;
  readonly exit: Promise<Exit>;
  /** Resolves with the first line of stdout. */
  readonly firstLine: Promise<string>;
}

const BIN = new URL('../../bin/svc.js', import.meta.url).pathname;

/** Starts the built program with an environment of its own; it is stopped by its handle when the test ends. */
export function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    detached: true,
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data;
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data;
  });
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal, out, err }));
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      if (out.includes('\n')) {
        resolve(out.split('\n', 1)[0] ?? '');
      }
    });
    exit.then((end) => reject(new Error(`ended before it said anything: ${end.err}`)));
  });
  firstLine.catch(() => undefined);
  return { child, exit, firstLine };
}

/** An emulated service in a process of its own, and the environment in which programs find it. */
export async function startEmulator(args: readonly string[] = []): Promise<{
  readonly env: Record<string, string>;
  readonly url: string;
  readonly key: string;
  readonly audience: string;
}> {
  const program = start(['emulator', 'start', '--json', ...args]);
  const { url, api_key: key, audience_id: audience } = JSON.parse(await program.firstLine);
  return { env: { SVC_BASE_URL: url, SVC_API_KEY: key }, url, key, audience };
}
