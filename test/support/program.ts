import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

/** How a program ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exit: Promise<Exit>;
}

const BIN = new URL('../../bin/svc.js', import.meta.url).pathname;

/** `detached`: in its own process group. `under`: the command that starts the program, such as a tracer. */
export interface StartOptions {
  readonly detached?: boolean;
  readonly cwd?: string | undefined;
  readonly under?: readonly string[];
}

/** Starts the built program with these environment variables only. */
export function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { detached = false, cwd, under = [] }: StartOptions = {},
): Program {
  const [command = process.execPath, ...words] = [...under, process.execPath, BIN, ...args];
  const child = spawn(command, words, { env: { PATH: process.env.PATH ?? '', ...env }, detached, cwd });
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data;
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data;
  });
  // A test may close the pipe, so an error of it is expected.
  child.stdout.on('error', () => undefined);
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal, out, err }));
  return { child, exit };
}
