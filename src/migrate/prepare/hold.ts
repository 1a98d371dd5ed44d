import { type Lock, lockDestination } from '../../runs/lock.ts';
import type { RunContext } from '../context.ts';

/** The places that a run keeps to itself until it ends. */
export interface Hold {
  /** Keeps other runs away from an audience, an automation or a name that is to be created; `busy` where one is there. */
  take(place: string): Promise<void>;
  release(): void;
}

/** A hold on nothing yet; `resume` is the run that goes on, as a loser is told. */
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
