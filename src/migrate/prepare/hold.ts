import { type Lock, lockDestination } from '../../runs/lock.ts';
import type { RunContext } from '../context.ts';

/** The destinations that a run locks until it ends. */
export interface Hold {
  /** Locks an audience, an automation or a name to create. Throws `busy` if another run has the lock. */
  take(place: string): Promise<void>;
  release(): void;
}

/** Starts without a lock. `resume` is the run to resume, named in the error of a run that does not get the lock. */
export function createHold({ account, context, state, waitMs, emit }: RunContext, resume: string | undefined): Hold {
  const { clock, signal } = context;
  const asked = { run: resume ?? 'another run', waitMs, clock, signal, emit };
  const locks = new Map<string, Lock>();
  const unguard: (() => void)[] = [];
  return {
    take: async (place) => {
      if (!locks.has(place)) {
        const lock = await lockDestination(state, `${account?.origin}/${place}`, asked);
        locks.set(place, lock);
        unguard.push(account?.client.guard(lock.lost) ?? (() => undefined));
      }
    },
    release: () => {
      unguard.forEach((undo) => undo());
      locks.forEach((lock) => lock.release());
    },
  };
}
