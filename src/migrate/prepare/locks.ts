import { type Lock, lockDestination } from '../../runs/lock.ts';
import type { RunContext } from '../run-context.ts';

export interface RunLocks {
  /** Locks an audience, an automation or a name to create. Throws `busy` if another run has the lock. */
  acquire(destination: string): Promise<void>;
  release(): void;
}

/**
 * The locks of a run, none at first. `resume` is the run to resume. If another process does not get a lock, its error
 * names this run.
 */
export function createLocks(context: RunContext, resume: string | undefined): RunLocks {
  const { account, clock, signal, state, waitMs, emit } = context;
  const request = { run: resume ?? 'another run', waitMs, clock, signal, emit };
  const locks = new Map<string, Lock>();
  const unguard: (() => void)[] = [];
  return {
    acquire: async (destination) => {
      if (!locks.has(destination)) {
        const lock = await lockDestination(state, `${account?.origin}/${destination}`, request);
        locks.set(destination, lock);
        unguard.push(account?.client.guard(lock.lost) ?? (() => undefined));
      }
    },
    release: () => {
      unguard.forEach((undo) => undo());
      locks.forEach((lock) => lock.release());
    },
  };
}
