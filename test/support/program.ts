import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
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
  readonly child: ChildProcessWithoutNullStreams;
  readonly exit: Promise<Exit>;
}

const BIN = new URL('../../bin/svc.js', import.meta.url).pathname;

/** `detached`: in a process group of its own. `under`: the words of a program that starts ours, such as a tracer. */
export interface StartOptions {
  readonly detached?: boolean;
  readonly cwd?: string | undefined;
  readonly under?: readonly string[];
}

/** Starts the built program with nothing in its environment but what is given. */
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
  // A test that closes the pipe doesn't want to hear of it.
  child.stdout.on('error', () => undefined);
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal, out, err }));
  return { child, exit };
}
