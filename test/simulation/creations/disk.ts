import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

/** The disk of this process, with an observer of each write. */
export interface Disk {
  /**
   * Runs a program; `touch` is called right before each of its writes, and what that throws keeps it from happening.
   */
  watch<T>(touch: () => void, program: () => T): T;
  /** Runs what is no part of the program that calls it. */
  outside<T>(work: () => T): T;
  /** Leaves the disk as it was. */
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
  const put = WRITES.map((name) => stand(fs, name, () => touch));
  const exec = stand(DatabaseSync.prototype, 'exec', (sql) => (sql === 'COMMIT' ? touch : () => undefined));
  syncBuiltinESMExports();
  return {
    watch: (told, program) => programs.run(told, program),
    outside: (work) => programs.run(undefined, work),
    release() {
      [...put, exec].forEach((undo) => undo());
      syncBuiltinESMExports();
    },
  };
}

const WRITES = ['openSync', 'writeSync', 'ftruncateSync', 'mkdirSync', 'renameSync', 'rmSync'] as const;

/** Stands before a function of an object; returns the way back. */
function stand(owner: object, name: string, tell: (first: unknown) => () => void): () => void {
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
