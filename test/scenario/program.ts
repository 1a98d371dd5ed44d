import { onTestFinished } from 'vitest';
import { type Program as Started, startProgram } from '../support/program.ts';

export interface Program extends Started {
  /** Resolves with the first line of stdout. */
  readonly firstLine: Promise<string>;
}

/** Starts the built program in its own process group. The end of the test stops it. */
export function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const { child, exit } = startProgram(args, env, { detached: true });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const firstLine = new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data;
      if (output.includes('\n')) {
        resolve(output.split('\n', 1)[0] ?? '');
      }
    });
    exit.then((end) => reject(new Error(`ended before it said anything: ${end.err}`)));
  });
  firstLine.catch(() => undefined);
  return { child, exit, firstLine };
}

/** An emulated service in its own process, and the environment for programs that use it. */
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
