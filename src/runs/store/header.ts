import type { DatabaseSync } from 'node:sqlite';
import type { Phase } from '../../base/events.ts';
import type { ExitCode } from '../../base/lib/exit.ts';
import { transaction } from '../../base/os/sqlite.ts';

/** What must be known to continue a run: written once, before anything is sent. */
export interface RunHeader {
  readonly run: string;
  readonly command: string;
  /** True once a person, or --yes, agreed to what the run writes (M7). A resume of such a run asks no more. */
  readonly agreed?: boolean;
  /** Options as plain data, enough to build the same stages again. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly origin: string;
  readonly destination:
    | { readonly kind: string; readonly id: string; readonly name: string; readonly createdAt: string }
    | undefined;
  /** In the order given. `sha256` and `size` (bytes) are those of the run's copy. */
  readonly inputs: readonly {
    readonly path: string;
    readonly sha256: string;
    readonly size: number;
    /** Absolute path of the file that was copied, and what it was then; left out for pipes and standard input. */
    readonly original?: { readonly place: string; readonly stamp: string };
  }[];
  /** SHA-256 of the API key, first 16 hex characters: tells another key from the same one, nothing more. */
  readonly keyFingerprint: string;
  readonly startedAt: number;
  readonly version: number;
}

/** What may still change in a header: what the survey finds out, and the key a resume comes with (rule K4). */
export type HeaderChange = Partial<Pick<RunHeader, 'destination' | 'inputs' | 'options' | 'keyFingerprint' | 'agreed'>>;

/** How a run stands. `status` is `running` until it ends; a killed run stays so, and nobody holds its lock. */
export interface RunState {
  readonly status: string;
  readonly phase: Phase | undefined;
  readonly exitCode: ExitCode | undefined;
  readonly endedAt: number | undefined;
}

/** Named JSON values kept in run.db. */
export interface Meta {
  /** Undefined where the name was never written. */
  read(name: string): unknown;
  /** Writes all of them in one transaction; a value of `undefined` removes its name. */
  write(values: Readonly<Record<string, unknown>>): void;
}

/** The values whose names start with `prefix`; the prefix keeps the notes of callers apart from svc's own. */
export function createMeta(db: DatabaseSync, prefix: string): Meta {
  const get = db.prepare('SELECT value FROM meta WHERE key = ?');
  const put = db.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  const remove = db.prepare('DELETE FROM meta WHERE key = ?');
  return {
    read(name) {
      const text = get.get(prefix + name)?.value;
      return typeof text === 'string' ? JSON.parse(text) : undefined;
    },
    write(values) {
      transaction(db, () => {
        for (const [name, value] of Object.entries(values)) {
          value === undefined ? remove.run(prefix + name) : put.run(prefix + name, JSON.stringify(value));
        }
      });
    },
  };
}

/** Written by createRun and setStatus alone. */
export function readState(own: Meta): RunState {
  return {
    status: String(own.read('status')),
    phase: own.read('phase') as Phase | undefined,
    exitCode: own.read('exitCode') as ExitCode | undefined,
    endedAt: own.read('endedAt') as number | undefined,
  };
}
