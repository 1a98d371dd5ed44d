import type { DatabaseSync } from 'node:sqlite';
import type { Phase } from '../../base/events.ts';
import type { ExitCode } from '../../base/lib/errors.ts';
import { cachedStatement, transaction } from '../../base/os/sqlite.ts';

/** What a resume must know about a run. It is on disk before the run sends anything. */
export interface RunHeader {
  readonly run: string;
  readonly command: string;
  /** True once the user agreed to the run, at the terminal or with --yes (M7). Then a resume does not ask again. */
  readonly agreed?: boolean;
  /** All options of the run, as plain data. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The last command line of the run. Undefined if it names people, and for runs of older versions. */
  readonly typed?: TypedCommand | undefined;
  readonly origin: string;
  readonly destination: Destination | undefined;
  /** The inputs, in the order of the command line. `sha256` and `size` (in bytes) are those of the input copy. */
  readonly inputs: readonly {
    readonly path: string;
    readonly sha256: string;
    readonly size: number;
    /**
     * `place` is the absolute path of the file. `stamp` is a text that changes when the file changes. Undefined for
     * pipes and standard input.
     */
    readonly original?: { readonly place: string; readonly stamp: string };
  }[];
  /** The first 16 hex digits of the SHA-256 of the API key. They identify the key without revealing it. */
  readonly keyFingerprint: string;
  readonly startedAt: number;
  /**
   * When the run started, by the service's clock. svc compares this time with other times of the service. Undefined if
   * no response showed a time.
   */
  readonly serviceTime?: number | undefined;
  /**
   * The service's time after the last write. Undefined if no response showed a time, or if the run ended before its
   * last write.
   */
  readonly serviceTimeAtEnd?: number | undefined;
  /** The value of `HEADER_VERSION` when the run began. */
  readonly version: number;
}

/** The version of the run header. Raise it when the meaning of a stored option changes. */
export const HEADER_VERSION = 1;

/** A command line as the user typed it, so that a resume can print it with further flags. */
export interface TypedCommand {
  /** The words after `svc`, without the flags that choose the account and the state folder. */
  readonly words: readonly string[];
  /** The flags that stand for the answers at the terminal. */
  readonly answers: readonly string[];
  /** The working directory. Relative file names in `words` start there. */
  readonly cwd: string;
}

/**
 * What a run writes to: an audience, an audience that it must still create, or an automation. `createdAt` is the date
 * that the service shows for it.
 */
export interface Destination {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** The audience of an automation. */
  readonly audienceId?: string;
}

/** The placeholder for the id of an audience that must still be created. */
export function placeholderAudienceId(name: string): string {
  return `new:${name}`;
}

/** The audience whose contacts a run writes. Undefined if the run writes no contacts. */
export function writtenAudienceId({
  destination,
  options,
}: Pick<RunHeader, 'destination' | 'options'>): string | undefined {
  return destination?.kind === 'automation' && options.createContacts !== true
    ? undefined
    : (destination?.audienceId ?? destination?.id);
}

/**
 * When the run started, in milliseconds since the epoch. Takes the later time of two clocks: the machine's and the
 * service's. By a clock that is behind, a consent that has ended would still seem to hold (C10).
 */
export function latestStart({ startedAt, serviceTime }: Pick<RunHeader, 'startedAt' | 'serviceTime'>): number {
  return Math.max(startedAt, serviceTime ?? startedAt);
}

/** The parts of a header that may change after the run began. */
export type HeaderChange = Partial<
  Pick<RunHeader, 'destination' | 'inputs' | 'options' | 'typed' | 'keyFingerprint' | 'agreed' | 'serviceTimeAtEnd'>
>;

/**
 * The progress of a run. `status` is `running` until the run ends. It also stays `running` after a kill, but then no
 * process has the lock.
 */
export interface RunState {
  readonly status: string;
  readonly phase: Phase | undefined;
  readonly exitCode: ExitCode | undefined;
  readonly endedAt: number | undefined;
}

/** Named JSON values, in the table `meta` of a database. */
export interface Meta {
  /** Reads a value. Undefined if no value is stored under this name. */
  read(name: string): unknown;
  /** Reads several values as they are at one moment. A name without a value is left out. */
  readAll(names: readonly string[]): Readonly<Record<string, unknown>>;
  /** Writes all values in one transaction. The value `undefined` removes its name. */
  write(values: Readonly<Record<string, unknown>>): void;
}

/**
 * The values whose names begin with `prefix`. The journal's own values and the notes of its callers have different
 * prefixes.
 */
export function createMeta(db: DatabaseSync, prefix: string): Meta {
  return {
    read(name) {
      const text = cachedStatement(db, GET).get(prefix + name)?.value;
      return typeof text === 'string' ? JSON.parse(text) : undefined;
    },
    readAll(names) {
      const rows = cachedStatement(db, GET_ALL).all(JSON.stringify(names.map((name) => prefix + name)));
      return Object.fromEntries(
        rows.map(({ key, value }) => [String(key).slice(prefix.length), JSON.parse(String(value))]),
      );
    },
    write(values) {
      transaction(db, () => {
        for (const [name, value] of Object.entries(values)) {
          value === undefined
            ? cachedStatement(db, REMOVE).run(prefix + name)
            : cachedStatement(db, PUT).run(prefix + name, JSON.stringify(value));
        }
      });
    },
  };
}

const GET = 'SELECT value FROM meta WHERE key = ?';
const GET_ALL = 'SELECT key, value FROM meta WHERE key IN (SELECT value FROM json_each(?))';
const PUT = 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value';
const REMOVE = 'DELETE FROM meta WHERE key = ?';

/** Reads the progress of a run. `createJournal`, `resumeJournal`, `setPhase` and `setStatus` write it. */
export function readRunState(journalValues: Meta): RunState {
  const { status, phase, exitCode, endedAt } = journalValues.readAll(['status', 'phase', 'exitCode', 'endedAt']);
  return {
    status: String(status),
    phase: phase as Phase | undefined,
    exitCode: exitCode as ExitCode | undefined,
    endedAt: endedAt as number | undefined,
  };
}
