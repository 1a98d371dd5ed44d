import { userInfo } from 'node:os';
import type { OutputStream, ProcessContext } from './base/context.ts';
import { createSystemClock } from './base/lib/clock.ts';
import { createInterruption, interruptionOf, resumeLineOf } from './base/lib/interruption.ts';
import { possibleFlagsOf } from './base/lib/text.ts';
import { createTerminalPrompter } from './base/os/prompter.ts';
import { runCli } from './cli.ts';

const stop = new AbortController();

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    const first = interruptionOf(stop.signal);
    if (first) {
      // The second signal ends the process at once (D4). Ending at once is safe, because the journal is on disk. The
      // line end moves the shell's prompt to a new line.
      const resumeLine = resumeLineOf(stop.signal);
      process.stderr.write(`${process.stderr.isTTY ? '\n' : ''}${resumeLine === undefined ? '' : `${resumeLine}\n`}`);
      process.exit(first.exit);
    }
    stop.abort(createInterruption(name));
  });
}

// Drops two kinds of Node's warnings: about experimental features, such as node:sqlite in Node 22, and about NO_COLOR
// beside FORCE_COLOR. The user can't change either. With --json, stderr must hold one object only.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning' && !warning.message.startsWith("The 'NO_COLOR' env is ignored")) {
    process.stderr.write(`${warning.name}: ${warning.message}\n`);
  }
});

// The library that asks questions takes its colors from the environment only.
if (possibleFlagsOf(process.argv).includes('--no-color')) {
  process.env.NO_COLOR = '1';
  delete process.env.FORCE_COLOR;
}

let input: NodeJS.ReadStream | undefined;

const processContext: ProcessContext = {
  // Each stream is created on first use, because that takes as long as loading a module.
  stdout: outputStream(() => process.stdout),
  stderr: outputStream(() => process.stderr),
  get stdin() {
    input ??= process.stdin;
    return input;
  },
  // Looks for a terminal at the first question, because most commands ask none.
  get prompter() {
    return createTerminalPrompter(stop.signal, () => stop.abort(createInterruption('SIGINT')));
  },
  env: process.env,
  cwd: process.cwd(),
  platform: { pid: process.pid, home: homeFolder(), user: process.geteuid?.() },
  clock: createSystemClock(),
  signal: stop.signal,
  randomHex,
  tuneForMuchData,
  onEvent: undefined,
  openTransport: async (options) => {
    delayParserOptimization();
    return (await import('./api/http/transport.ts')).createUndiciTransport(options);
  },
};

const exit = await runCli(process.argv.slice(2), processContext);
await processContext.stderr.flushed?.().catch(() => undefined);
// Without `exit`, Node would first remove its signal handlers and then free its memory, for up to a second. A signal in
// that time would end a finished command with the exit code of an interrupted one, and a script would repeat the
// command (D4).
process.exit(exit);

/**
 * $HOME, else the home folder of the user, else empty. Never the working directory, because another user may put a
 * configuration there.
 */
function homeFolder(): string {
  try {
    return process.env.HOME || userInfo().homedir;
  } catch {
    return '';
  }
}

/** Loads node:crypto only here: it takes a tenth of the start time of a short command, which does not need it. */
function randomHex(length: number): string {
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);
}

/**
 * Makes V8 collect garbage more often, so that memory stays near the size of the live data. A long run makes garbage
 * with every batch, and V8 would let the heap grow to several times that size. V8 reads these flags when it uses them,
 * so they also work when set late. `--no-regexp-tier-up` is left out: set late, it made about 3 of 100 programs end
 * with SIGSEGV. Loads node:v8 on use, because a short command does not need it.
 */
function tuneForMuchData(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Lets V8 optimize undici's parser, which is WebAssembly, only after the parser has read much. Otherwise V8 would begin
 * after two or three responses, in a thread that takes a third of a second. A process that ends waits for that thread.
 * A signal in that time ends the process with the exit code of the signal, although its work is done and shown (D4).
 */
function delayParserOptimization(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--wasm-tiering-budget=1000000000');
}

/**
 * An output stream that ignores a closed pipe (`| head`), so that it never stops the work (D3). `flushed` rejects
 * after any other write error, such as a full disk.
 */
function outputStream(make: () => NodeJS.WriteStream): OutputStream {
  let stream: NodeJS.WriteStream | undefined;
  let isOpen = true;
  let lost: Error | undefined;
  const openStream = () => {
    stream ??= make().on('error', (error: NodeJS.ErrnoException) => {
      isOpen = false;
      lost = error.code === 'EPIPE' ? undefined : error;
    });
    return stream;
  };
  return {
    write: (text) => {
      if (isOpen) {
        openStream().write(text);
      }
    },
    flushed: async () => {
      if (stream && isOpen) {
        await new Promise((resolve) => openStream().write('', resolve));
        // The error of a write arrives after the write.
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (lost) {
        throw lost;
      }
    },
    get closed() {
      return !isOpen;
    },
    get isTTY() {
      return openStream().isTTY === true;
    },
    get columns() {
      // A terminal without a known size reports 0.
      return openStream().isTTY ? openStream().columns || undefined : undefined;
    },
  };
}
