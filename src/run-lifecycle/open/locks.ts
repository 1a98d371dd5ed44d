import { looseNameKey } from '../../base/lib/text.ts';
import { type Lock, lockDestination } from '../../runs/store/lock.ts';
import { newestRunId } from '../../runs/store/state-folder.ts';
import type { RunContext } from '../data/run-context.ts';

/** When a command was given, before it waited for other runs. */
export interface CommandStart {
  /** In milliseconds since the epoch. */
  readonly askedAt: number;
  /** The id of the newest run at that time. Undefined if there was none. */
  readonly newestRun: string | undefined;
}

/** The locks that a run holds, so that no other run writes to the same destinations. */
export interface RunLocks {
  /** When the command was given, before it waited for any of these locks. */
  readonly start: CommandStart;
  /**
   * Locks an audience, an automation, or the name of a new audience. Throws `busy` if another run still has the lock
   * after the time of --wait.
   */
  acquire(destination: string): Promise<void>;
  /**
   * Like `acquire`, but locks the id for all origins, because one service may have several origins. The id must be
   * unique among all services.
   */
  acquireEverywhere(id: string): Promise<void>;
  release(): void;
}

/**
 * The name of the lock for an audience that must still be created. Two names share a lock if the service may take them
 * for the same name (L3).
 */
export function newAudienceLockName(name: string): string {
  return `new:${looseNameKey(name)}`;
}

/**
 * Makes the locks of a run. At first the run has no lock. `resume` is the id of the run to resume. Each lock stores
 * this id, so that a process that does not get the lock can name the run in its error. A new run has no id yet, so its
 * locks store the words `another run`.
 */
export function createRunLocks(context: RunContext, resume: string | undefined): RunLocks {
  const { account, clock, signal, stateFolder, lockWaitMs, emit } = context;
  const hint = resume === undefined ? undefined : `To wait for it: svc runs resume ${resume} --wait 10m`;
  const request = { run: resume ?? 'another run', waitMs: lockWaitMs, clock, signal, emit, hint };
  const locks = new Map<string, Lock>();
  const unguard: (() => void)[] = [];
  const acquire = async (name: string) => {
    if (!locks.has(name)) {
      const lock = await lockDestination(stateFolder, name, request);
      locks.set(name, lock);
      unguard.push(account?.client.addStateCheck(lock.problemIfLost) ?? (() => undefined));
    }
  };
  return {
    start: { askedAt: clock.now(), newestRun: newestRunId(stateFolder) },
    acquire: (destination) => acquire(`${account?.origin}/${destination}`),
    acquireEverywhere: acquire,
    release: () => {
      unguard.forEach((undo) => undo());
      locks.forEach((lock) => lock.release());
    },
  };
}
