import type { Emit } from './events.ts';
import type { Clock } from './lib/clock.ts';
import type { User } from './os/ownership.ts';
import type { Transport } from './transport.ts';

/** Where output goes. `columns` is undefined where the stream is not a terminal. */
export interface OutputStream {
  write(text: string): void;
  /** Waits until what was written is out; rejects where it couldn't be, except where the reader just went away. */
  settled?(): Promise<void>;
  /** True once what is written arrives nowhere: the reader went away, or a write failed. */
  readonly closed?: boolean;
  readonly isTTY: boolean;
  readonly columns: number | undefined;
}

/** Asks a person at the terminal; undefined in Context where there is no terminal to ask at. */
export interface Prompter {
  /** One line of text. The question may have lines above it, a page to read before. */
  ask(question: string): Promise<string>;
  /** One line of text that is not shown while typed. */
  askHidden(question: string): Promise<string>;
}

/** What a process finds around it: a context in which nothing can be hidden yet. */
export type Surroundings = Omit<Context, 'hide'>;

/** The outside world, as the program sees it. Everything a command touches comes in through here. */
export interface Context {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: AsyncIterable<Buffer>;
  readonly prompter: Prompter | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** What the operating system says of this process. */
  readonly platform: { readonly pid: number; readonly home: string; readonly user: User };
  readonly clock: Clock;
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP, with an Interruption as reason: take nothing new, finish what is in flight. */
  readonly signal: AbortSignal;
  /** Random bytes as lower-case hex, `length` characters long. */
  randomHex(length: number): string;
  /** Sees every event of the command; undefined outside of one. */
  readonly watch?: Emit | undefined;
  /** Keeps a secret out of everything that is written from now on, whatever puts it there (K8). */
  hide(secret: string, mark?: string): void;
  /** Opens the way to an origin. Tests put the emulator here without a socket. */
  openTransport(options: TransportOptions): Promise<Transport>;
}

export interface TransportOptions {
  readonly origin: URL;
  readonly connections: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}
