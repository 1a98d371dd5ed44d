import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

/** The disk of this process, with an observer of each write. */
export interface Disk {
  /** Runs a program. Calls `touch` before each of its writes; if that throws, the write doesn't happen. */
  watch<T>(touch: () => void, program: () => T): T;
  /** Runs work that isn't part of the observed program. */
  outside<T>(work: () => T): T;
  /** Restores the functions of the file system. */
  release(): void;
}

type Call = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Reports each write, because a program can be killed between any two writes. The disk is real, and writes of other
 * programs pass through.
 */
export function watchDisk(): Disk {
  const programs = new AsyncLocalStorage<(() => void) | undefined>();
  const touch = () => programs.getStore()?.();
  const put = WRITES.map((name) => wrapFunction(fs, name, () => touch));
  const exec = wrapFunction(DatabaseSync.prototype, 'exec', (sql) => (sql === 'COMMIT' ? touch : () => undefined));
  syncBuiltinESMExports();
  return {
    watch: (results, program) => programs.run(results, program),
    outside: (work) => programs.run(undefined, work),
    release() {
      [...put, exec].forEach((undo) => undo());
      syncBuiltinESMExports();
    },
  };
}

const WRITES = ['openSync', 'writeSync', 'ftruncateSync', 'mkdirSync', 'renameSync', 'rmSync'] as const;

/** Wraps a function of an object. Returns the function that restores it. */
function wrapFunction(owner: object, name: string, tell: (first: unknown) => () => void): () => void {
  const original = Reflect.get(owner, name) as Call;
  const watched: Call = function (...args) {
    tell(args[0])();
    return original.apply(this, args);
  };
  Reflect.set(owner, name, watched);
  return () => {
    Reflect.set(owner, name, original);
  };
}
