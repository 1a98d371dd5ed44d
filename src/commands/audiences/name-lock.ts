import type { Client } from '../../api/client.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { lockOfNewAudience } from '../../migrate/prepare/locks.ts';
import { lockDestination } from '../../runs/lock.ts';

interface NameUser {
  readonly client: Client;
  readonly clock: Clock;
  readonly stateFolder: string;
  /** The name that an audience gets. */
  readonly name: string;
  /** Names this command in the errors of others: the id of its run, or the command line. */
  readonly run: string;
}

/** Keeps other commands away that give an audience the same name: the account would have two of them (I11). */
export async function whileNameLocked<T>(
  { client, clock, stateFolder, name, run }: NameUser,
  work: () => Promise<T>,
): Promise<T> {
  const destination = `${client.origin}/${lockOfNewAudience(name)}`;
  const hint = 'Wait until it ends. See: svc runs ls';
  const lock = await lockDestination(stateFolder, destination, { run, waitMs: 0, clock, hint });
  const unguard = client.guard(lock.problemIfLost);
  try {
    return await work();
  } finally {
    unguard();
    lock.release();
  }
}
