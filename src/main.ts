import { userInfo } from 'node:os';
import type { OutputStream, Surroundings } from './base/context.ts';
import { createSystemClock } from './base/lib/clock.ts';
import { interruption, interruptionOf } from './base/lib/exit.ts';
import { createTerminalPrompter } from './base/os/prompter.ts';
import { runCli } from './cli.ts';

const stop = new AbortController();

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    const first = interruptionOf(stop.signal);
    if (first) {
      // The second signal leaves at once (rule D4); the journal makes that safe.
      process.exit(first.exit);
    }
    stop.abort(interruption(name));
  });
}

// Node 22 calls node:sqlite experimental at every start, and every Node remarks on NO_COLOR beside FORCE_COLOR. Nobody who
// reads the terminal can do anything about that, and with --json stderr holds one object and nothing else.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning' && !warning.message.startsWith("The 'NO_COLOR' env is ignored")) {
    process.stderr.write(`${warning.name}: ${warning.message}\n`);
  }
});

let input: NodeJS.ReadStream | undefined;

const processContext: Surroundings = {
  // Made when they are needed: a stream takes as long to make as a module to load.
  stdout: outputStream(() => process.stdout),
  stderr: outputStream(() => process.stderr),
  get stdin() {
    input ??= process.stdin;
    return input;
  },
  // Looked for when a question comes up: most commands have none.
  get prompter() {
    return createTerminalPrompter(stop.signal, () => stop.abort(interruption('SIGINT')));
  },
  env: process.env,
  cwd: process.cwd(),
  platform: { pid: process.pid, home: homeFolder(), user: process.geteuid?.() },
  clock: createSystemClock(),
  signal: stop.signal,
  randomHex,
  openTransport: async (options) => (await import('./api/http/transport.ts')).createUndiciTransport(options),
};

process.exitCode = await runCli(process.argv.slice(2), processContext);
// A list that nobody waits for any more would keep the program alive.
input?.destroy();

/** $HOME, else what the system knows of the user; never the working directory, in which anybody may put a configuration. */
function homeFolder(): string {
  try {
    return process.env.HOME || userInfo().homedir;
  } catch {
    return '';
  }
}

/** node:crypto is a tenth of the start of a short command that needs none of it. */
function randomHex(length: number): string {
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);
}

/** A closed pipe (`| head`) never stops the work (rule D3); what a full disk took is reported when the work is done. */
function outputStream(make: () => NodeJS.WriteStream): OutputStream {
  let made: NodeJS.WriteStream | undefined;
  let open = true;
  let lost: Error | undefined;
  const stream = () => {
    made ??= make().on('error', (error: NodeJS.ErrnoException) => {
      open = false;
      lost = error.code === 'EPIPE' ? undefined : error;
    });
    return made;
  };
  return {
    write: (text) => {
      if (open) {
        stream().write(text);
      }
    },
    settled: async () => {
      if (made && open) {
        await new Promise((resolve) => stream().write('', resolve));
        // The error of a write comes after the write.
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (lost) {
        throw lost;
      }
    },
    get closed() {
      return !open;
    },
    get isTTY() {
      return stream().isTTY === true;
    },
    get columns() {
      // A terminal that nobody has given a size says 0.
      return stream().isTTY ? stream().columns || undefined : undefined;
    },
  };
}
