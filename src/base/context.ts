import type { Emit } from './events.ts';
import type { Clock } from './lib/clock.ts';
import { createScrub, type Scrub } from './lib/scrub.ts';
import type { UserId } from './os/ownership.ts';

/** A stream for output. `columns` is the width of its terminal. Undefined if the stream is not a terminal. */
export interface OutputStream {
  write(text: string): void;
  /** Waits until all writes are done. Rejects if one failed. A closed pipe is not a failure. */
  flushed?(): Promise<void>;
  /** True after a write failed or the reader closed the pipe. Further writes are ignored. */
  readonly closed?: boolean;
  readonly isTTY: boolean;
  readonly columns: number | undefined;
}

/** Asks the user at the terminal. `prompter` of the context is undefined if there is no terminal. */
export interface Prompter {
  /** Returns one line of text. The question may have lines above it, for example a page of text. */
  ask(question: string): Promise<string>;
  /** Returns one line of text that the terminal does not show. */
  askHidden(question: string): Promise<string>;
  /** Shows a list of answers. Returns the index of the chosen answer, or undefined after Escape. */
  choose(list: ChoiceList): Promise<number | undefined>;
}

/** A question with a list of answers, of which one is selected at first. */
export interface ChoiceList {
  /** Text to show above the question. It includes its line endings. */
  readonly textAbove?: string;
  readonly question: string;
  readonly labels: readonly string[];
  readonly initial: number;
}

/** What `main.ts` provides: a context whose output does not hide secrets yet. */
export type ProcessContext = Omit<Context, 'hideSecret' | 'scrub'>;

/** The environment of a command. Commands reach files, streams, time and network only through it. */
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
   * Aborts at the first SIGINT, SIGTERM or SIGHUP; the reason is an Interruption. Start nothing new then, and finish
   * the requests in flight.
   */
  readonly signal: AbortSignal;
  /** Returns `length` random characters of lower-case hex. */
  randomHex(length: number): string;
  /**
   * Limits the memory of this process, for a command that handles much data. Does nothing in a process that also does
   * other work. Not optional, so that TypeScript reports a context without it.
   */
  keepHeapSmall(): void;
  /** Receives every event of the command. Undefined outside of a command. */
  readonly onEvent: Emit | undefined;
  /** Replaces the secret in all later output (K8). */
  hideSecret(secret: string, mark?: string): void;
  /** The text without the hidden secrets, for output that does not go to a stream of this context. */
  scrub(text: string): string;
  /** Opens a connection to an origin. Tests connect the emulator here without a socket. */
  openTransport(options: TransportOptions): Promise<Transport>;
}

/** Where to connect, and the maximum number of open sockets. `env` holds the proxy and TLS settings. */
export interface TransportOptions {
  readonly origin: URL;
  readonly connections: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One attempt of one HTTP request. `url` is absolute, and `body` holds the exact bytes. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

/** A response with its whole body. Header names are lower-case. Repeated headers are joined with ", ". */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * The access to the network. Sends one attempt and follows no redirect. Rejects if no complete response arrived. An
 * abort of the signal closes the socket (I5).
 */
export interface Transport {
  send(request: WireRequest, signal: AbortSignal): Promise<WireResponse>;
  close(): Promise<void>;
}

/** A context whose standard output and error replace every secret that was hidden before the write (K8). */
export function withHiddenSecrets(processContext: ProcessContext): Context {
  const scrubs = new Map<string, Scrub>();
  const scrub: Scrub = (text) => [...scrubs.values()].reduce((clean, one) => one(clean), text);
  const hideSecret = (secret: string, mark?: string) => {
    scrubs.set(secret, createScrub(secret, mark));
  };
  // Copies getters as getters: opening stdin or a terminal is costly, and most commands need neither.
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

/**
 * The stream with another `write`. All other properties are read from `stream` at each use, because they can change.
 */
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
