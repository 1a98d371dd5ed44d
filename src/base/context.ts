import type { Emit } from './events.ts';
import type { Clock } from './lib/clock.ts';
import { createScrub, type Scrub } from './lib/scrub.ts';

/** A stream for output. `columns` is the width of its terminal, undefined if it is no terminal. */
export interface OutputStream {
  write(text: string): void;
  /** Waits until all writes are done. Rejects if a write failed. A closed pipe is no failure. */
  flushed?(): Promise<void>;
  /** True once a write failed or the reader closed the pipe. Further writes do nothing. */
  readonly closed?: boolean;
  readonly isTTY: boolean;
  readonly columns: number | undefined;
}

/** Asks the user at the terminal. Without a terminal, the `prompter` of the context is undefined. */
export interface Prompter {
  /** Asks a question, and returns one line of text. The question may have further lines above it. */
  ask(question: string): Promise<string>;
  /** Asks a question, and returns one line of text. The terminal does not show what the user types. */
  askHidden(question: string): Promise<string>;
  /** Shows a list of answers. Returns the index of the chosen answer, or undefined after Escape. */
  choose(list: ChoiceList): Promise<number | undefined>;
}

/** A question with a list of answers. The answer with the index `initial` is selected at first. */
export interface ChoiceList {
  /** Text to show above the question, including its line breaks. */
  readonly textAbove?: string;
  readonly question: string;
  readonly labels: readonly string[];
  readonly initial: number;
}

/** The effective user id of the process. Undefined on a system without user ids. */
export type UserId = number | undefined;

/** What `main.ts` provides: a context whose output does not hide secrets yet. */
export type ProcessContext = Omit<Context, 'hideSecret' | 'scrub'>;

/** The environment of a command: its only way to the streams, the environment variables, the time and the network. */
export interface Context {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: AsyncIterable<Buffer>;
  readonly prompter: Prompter | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** What the operating system knows about this process. */
  readonly platform: { readonly pid: number; readonly home: string; readonly user: UserId };
  readonly clock: Clock;
  /**
   * Aborts at the first SIGINT, SIGTERM or SIGHUP. The reason is an Interruption. Once it has aborted, start nothing
   * new, and finish the requests in flight.
   */
  readonly signal: AbortSignal;
  /** Returns random hex digits in lower case, `length` of them. */
  randomHex(length: number): string;
  /**
   * Sets up this process for much data, so that its memory stays small. Does nothing in a process that also does other
   * work, such as a test process. Not optional, so that TypeScript reports a context without it.
   */
  tuneForMuchData(): void;
  /** Gets every event of the command. Undefined outside of a command. */
  readonly onEvent: Emit | undefined;
  /** Replaces this secret in all later output (K8). */
  hideSecret(secret: string, mark?: string): void;
  /** Removes the hidden secrets from a text. For output that does not go to a stream of this context. */
  scrub(text: string): string;
  /** Opens a connection to an origin. Tests connect to the emulator here, without a socket. */
  openTransport(options: TransportOptions): Promise<Transport>;
}

/** Where to connect, and how many sockets may be open at once. `env` has the proxy and TLS settings. */
export interface TransportOptions {
  readonly origin: URL;
  readonly connections: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One attempt of one HTTP request. `url` is absolute, and `body` is the exact bytes to send. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

/** A response with its whole body. Header names are in lower case. Repeated headers are joined by ", ". */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * The access to the network. It sends one attempt, and follows no redirect. It rejects if no complete response arrived.
 * If the signal aborts, it closes the socket (I5).
 */
export interface Transport {
  send(request: WireRequest, signal: AbortSignal): Promise<WireResponse>;
  close(): Promise<void>;
}

/**
 * A context that replaces each secret in standard output and standard error, once `hideSecret` was called with it (K8).
 */
export function withHiddenSecrets(processContext: ProcessContext): Context {
  const scrubs = new Map<string, Scrub>();
  const scrub: Scrub = (text) => [...scrubs.values()].reduce((clean, one) => one(clean), text);
  const hideSecret = (secret: string, mark?: string) => {
    scrubs.set(secret, createScrub(secret, mark));
  };
  // Copies getters as getters, so that their values are made only when they are used. To open standard input or a
  // terminal is costly, and most commands need neither.
  return Object.defineProperties({} as Context, {
    ...Object.getOwnPropertyDescriptors(processContext),
    stdout: {
      value: withWrite(processContext.stdout, (text) => processContext.stdout.write(scrub(text))),
      enumerable: true,
    },
    stderr: {
      value: withWrite(processContext.stderr, (text) => processContext.stderr.write(scrub(text))),
      enumerable: true,
    },
    hideSecret: { value: hideSecret, enumerable: true },
    scrub: { value: scrub, enumerable: true },
  } satisfies Partial<Record<keyof Context, PropertyDescriptor>>);
}

/** Like `stream`, but with this `write`. Reads the other properties from `stream` each time: they can change. */
export function withWrite(stream: OutputStream, write: (text: string) => void): OutputStream {
  return {
    write,
    flushed: async () => stream.flushed?.(),
    get closed() {
      return stream.closed === true;
    },
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns;
    },
  };
}
