import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** How a program ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** The built program at work. */
export interface Program {
  readonly child: ChildProcess;
  readonly exit: Promise<Exit>;
}

const BIN = new URL('../../bin/svc.js', import.meta.url).pathname;

/** Starts the built program with nothing in its environment but what is given. */
export function start(args: readonly string[], env: Readonly<Record<string, string>>): Program {
  const child = spawn(process.execPath, [BIN, ...args], { env: { PATH: process.env.PATH ?? '', ...env } });
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data;
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data;
  });
  // A test that closes the pipe doesn't want to hear of it.
  child.stdout.on('error', () => undefined);
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal, out, err }));
  return { child, exit };
}
