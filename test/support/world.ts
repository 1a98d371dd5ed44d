import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { ChoiceList, OutputStream, ProcessContext, Transport } from '../../src/base/context.ts';
import type { Emit } from '../../src/base/events.ts';
import { runCli } from '../../src/cli.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/emulator.ts';
import type { FaultRule } from '../../src/emulator/faults/fault.ts';
import type { Keyboard } from './keyboard.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { preload } from './node/preload.ts';
import { nextTurn, readingFiles } from './node/reading-files.ts';
import { schemaErrors } from './report-schema.ts';
import { tempFolder } from './temp-folder.ts';

// The program loads its commands on demand. In a test that would count for its time limit.
await preload();

/** The result of one command. `json` parses stdout. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Text on the terminal besides standard output and error. */
  readonly terminal: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into reports of every shape
  readonly json: any;
}

/** An emulated service, a state folder and a clock. Commands run against them in this process, without sockets. */
export interface World {
  readonly emulator: Emulator;
  readonly clock: ManualClock;
  readonly folder: string;
  /** Requests that reached the service since the last call, in order. */
  requests(): SeenRequest[];
  /** Lets the service refuse the requests of a route, before they have an effect unless `when` says so. */
  refuse(route: string, refusal: ScriptedRefusal): void;
  /** Writes a file into the folder and returns its path. */
  file(name: string, content: string | Buffer): string;
  /** Runs one command line. A text is split at blanks. */
  svc(line: string | readonly string[], options?: RunOptions): Promise<CommandResult>;
}

type ScriptedRefusal = Partial<Extract<FaultRule, { kind: 'error' }>> & {
  readonly status: number;
  readonly code: string;
};

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number | undefined;
  readonly at: number;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory; by default the folder of this test setup. */
  readonly cwd?: string;
  readonly stdin?: string | AsyncIterable<Buffer>;
  /** Typed answers. Without them there is no terminal, and a writing command gets --yes as in a script. */
  readonly answers?: readonly string[];
  /** Keys for questions with a list. Without it, `answers` hold the labels or numbers. */
  readonly keyboard?: Keyboard;
  /** Called when the command limits the memory of its process. */
  tuneForMuchData?(): void;
  /** Called at every question, before it is answered. */
  onAsk?(question: string): void;
  /** The time that each answer takes. */
  readonly answerAfterMs?: number;
  /** True to add no --yes. */
  readonly asTyped?: boolean;
  /** Standard error is a pipe, and the questions appear only in `terminal`. Needs `answers`. */
  readonly pipedError?: boolean;
  /**
   * Columns of the terminal for stdout; without it stdout is a pipe. With answers, also the columns of standard error.
   */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** The reader of stdout closes after this many writes. */
  readonly readerLeavesAfter?: number;
  /** The user id of the program, if not that of the test. Then every file belongs to another user. */
  readonly user?: number;
  /** Called at every event of a run. */
  onEvent?: Emit;
  /** Called before each write to stdout. An error that it throws is thrown by the write. */
  onWrite?(part: string): void;
  /** Called before each write to stderr. */
  onWriteToStderr?(part: string): void;
  /** Wraps the transport to the service. */
  transport?(inner: Transport): Transport;
}

/** The route of a contact batch, for faults. */
export const BATCH = 'POST /v1/audiences/*/contacts/batch';

const BASE_URL = 'https://mail.example.test/api';

/** Makes the service, state folder and clock of one test. They are closed when the test ends. */
export async function createWorld(options: Partial<EmulatorOptions> = {}): Promise<World> {
  const clock = createManualClock();
  const emulator = await createEmulator({ clock, randomHex, ...options });
  const folder = tempFolder();
  const seen: SeenRequest[] = [];
  onTestFinished(async () => {
    await emulator.close();
  });
  return {
    emulator,
    clock,
    folder,
    requests: () => seen.splice(0),
    refuse: (route, refusal) => {
      emulator.admin.addFault({ when: 'before', ...refusal, kind: 'error', match: { route } });
    },
    file: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    svc: async (line, run = {}) => {
      const typed = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;
      const words = run.asTyped || run.answers || !writes(typed) ? typed : ['--yes', ...typed];
      const out = capture(run.columns, run);
      const columns = run.answers && !run.pipedError ? (run.columns ?? 100) : undefined;
      const err = capture(columns, run.onWriteToStderr && { onWrite: run.onWriteToStderr });
      const terminal = run.pipedError ? capture() : err;
      const context = contextOf({ out, err, terminal, clock, folder, emulator, seen }, run);
      const code = await whileTimePasses(clock, runCli([...words], context));
      refuseUnknownReport(out.text());
      return resultOf(code, { out: out.text(), err: err.text(), terminal: run.pipedError ? terminal.text() : '' });
    },
  };
}

/** True for the commands that ask for confirmation (M7). */
function writes(words: readonly string[]): boolean {
  return ['migrate', 'import', 'enroll', 'send'].some((word) => words.slice(0, 2).includes(word));
}

/** Throws if a command printed a report that the JSON schema of reports does not describe. */
function refuseUnknownReport(out: string): void {
  if (/^{\s*"object":\s*"run_report"/.test(out) && out.endsWith('}\n')) {
    expect(schemaErrors(JSON.parse(out)), 'the report fits schema/run-report.schema.json').toEqual([]);
  }
}

function resultOf(
  code: number,
  { out, err, terminal }: Pick<CommandResult, 'out' | 'err' | 'terminal'>,
): CommandResult {
  return {
    code,
    out,
    err,
    terminal,
    get json() {
      if (out === '') {
        throw new Error(`nothing on stdout, exit ${code}; stderr: ${err}`);
      }
      return JSON.parse(out);
    },
  };
}

interface CapturedStream extends OutputStream {
  text(): string;
}

function capture(
  columns?: number,
  { onWrite, readerLeavesAfter }: Pick<RunOptions, 'onWrite' | 'readerLeavesAfter'> = {},
): CapturedStream {
  let text = '';
  let writes = 0;
  return {
    isTTY: columns !== undefined,
    columns,
    write: (part) => {
      onWrite?.(part);
      writes += 1;
      text += part;
    },
    get closed() {
      return readerLeavesAfter !== undefined && writes >= readerLeavesAfter;
    },
    text: () => text,
  };
}

interface Insides {
  readonly out: CapturedStream;
  readonly err: CapturedStream;
  readonly terminal: CapturedStream;
  readonly clock: ManualClock;
  readonly folder: string;
  readonly emulator: Emulator;
  readonly seen: SeenRequest[];
}

function contextOf({ out, err, terminal, clock, folder, emulator, seen }: Insides, run: RunOptions): ProcessContext {
  const answers = [...(run.answers ?? [])];
  const ask = async (question: string) => {
    terminal.write(question);
    run.onAsk?.(question);
    await clock.sleep(run.answerAfterMs ?? 0);
    return answers.shift() ?? '';
  };
  const choose = async ({ textAbove = '', question: text, labels }: ChoiceList) => {
    const typed = await ask(`${textAbove}${text}\n${labels.join('\n')}\n`);
    const named = labels.findIndex((label) => typed !== '' && label.includes(typed));
    const index = /^\d+$/.test(typed) ? Number(typed) - 1 : named;
    return index < 0 ? undefined : index;
  };
  return {
    stdout: out,
    stderr: err,
    stdin: typeof run.stdin === 'object' ? run.stdin : stdinOf(run.stdin ?? ''),
    prompter: run.answers ? { ask, askHidden: ask, choose: run.keyboard?.choose ?? choose } : undefined,
    env: {
      SVC_BASE_URL: BASE_URL,
      SVC_API_KEY: emulator.apiKey,
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      ...run.env,
    },
    cwd: run.cwd ?? folder,
    platform: { pid: 1, home: folder, user: run.user ?? process.geteuid?.() },
    clock,
    onEvent: run.onEvent,
    signal: run.keyboard?.signal ?? run.signal ?? new AbortController().signal,
    randomHex,
    tuneForMuchData: run.tuneForMuchData ?? (() => undefined),
    openTransport: async () => {
      const transport = recordingTransport(emulator, clock, seen);
      return run.transport?.(transport) ?? transport;
    },
  };
}

/** The emulator as a transport without a socket, under the path of the base URL. Records every attempt. */
function recordingTransport(
  emulator: Emulator,
  clock: ManualClock,
  seen: SeenRequest[],
): ReturnType<Emulator['transport']> {
  const inner = emulator.transport();
  return {
    close: () => inner.close(),
    send: async (request, signal) => {
      const url = new URL(request.url.href.replace('/api/v1/', '/v1/'));
      const entry = {
        method: request.method,
        path: url.pathname + url.search,
        headers: request.headers,
        body: request.body?.toString('utf8') ?? '',
        at: clock.now(),
      };
      const response = await inner.send({ ...request, url }, signal).catch((error: unknown) => {
        seen.push({ ...entry, status: undefined });
        throw error;
      });
      seen.push({ ...entry, status: response.status });
      return response;
    },
  };
}

async function* stdinOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** Moves the clock to the next sleeper when the program has nothing else to do. */
async function whileTimePasses<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  ended.catch(() => undefined);
  for (let idle = 0; !done; idle += 1) {
    await nextTurn();
    // A program that waits for the disk isn't idle. All other work takes a few turns of the event loop.
    if (readingFiles() || (idle >= IDLE_TURNS && (await clock.next()))) {
      idle = 0;
    }
  }
  return ended;
}

const IDLE_TURNS = 96;

// Node asks the system for random bytes each time, so many of them are read at once.
let randomDigits = '';

function randomHex(length: number): string {
  if (randomDigits.length < length) {
    randomDigits = randomBytes(RANDOM_BYTES + length).toString('hex');
  }
  const digits = randomDigits.slice(0, length);
  randomDigits = randomDigits.slice(length);
  return digits;
}

const RANDOM_BYTES = 4_096;
