/** Simulates `kill -9` for programs that run inside this process. */

import { cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../random.ts';

/** Thrown by every call of a killed program. */
export class Killed extends Error {
  constructor() {
    super('this program was killed');
    this.name = 'Killed';
  }
}

/**
 * Simulates kill -9 for a program that runs inside this process. Each access to network, disk or clock is a "touch",
 * and the program can die at each. Between two touches it writes at most to its journal. At the chosen touch the state
 * folder is copied for the next program. After that, nothing that the killed program does has an effect.
 */
export interface Killer {
  /** Must be called at every access to network, disk or clock. Throws from the kill on. */
  touch(): void;
  /** Kills the program at once without a copy of the state: the whole machine failed. */
  die(): void;
  /** Aborts when the program is killed. */
  readonly death: AbortSignal;
  readonly dead: boolean;
}

export interface KillPlan {
  /** The number of the touch at which the program is killed. Undefined: never. */
  readonly at: number | undefined;
  readonly state: string;
  /** The folder with the copied state, which the next program uses. */
  readonly nextState: string;
  readonly random: Random;
  /** True while another program works in the same state folder. Its journal must not be changed. */
  readonly shared: () => boolean;
  /** Called after the state is copied. */
  readonly onDeath: () => void;
}

export function createKiller(plan: KillPlan): Killer {
  const { at, state, nextState } = plan;
  const death = new AbortController();
  let touches = 0;
  const sizes = () => new Map([...logSizes(state), ...ledgerLogSizes(state)]);
  // A kill at the first touch loses nothing that an earlier program wrote.
  let logs: ReadonlyMap<string, number> = at === 1 ? sizes() : new Map();
  const die = () => {
    if (existsSync(state)) {
      cpSync(state, nextState, { recursive: true, filter: (path) => !path.endsWith('-shm') });
      if (!plan.shared()) {
        loseLastCommits(nextState, { known: logs, random: plan.random });
      }
    }
    death.abort(new Killed());
    plan.onDeath();
  };
  return {
    get dead() {
      return death.signal.aborted;
    },
    death: death.signal,
    die: () => death.abort(new Killed()),
    touch() {
      if (!death.signal.aborted) {
        touches += 1;
        if (touches === (at ?? 0) - 1) {
          logs = sizes();
        }
        if (touches === at) {
          die();
        }
      }
      death.signal.throwIfAborted();
    },
  };
}

/** Sizes of the write-ahead logs in a state folder, by relative path. */
function logSizes(state: string): Map<string, number> {
  const runs = join(state, 'runs');
  const names = existsSync(runs) ? readdirSync(runs) : [];
  const logs = names.map((name) => join('runs', name, 'run.db-wal')).filter((path) => existsSync(join(state, path)));
  return new Map(logs.map((path) => [path, statSync(join(state, path)).size]));
}

/** Sizes of the write-ahead logs of all ledgers, by relative path. */
function ledgerLogSizes(state: string): Map<string, number> {
  const folder = join(state, 'ledgers');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const logs = names.filter((name) => name.endsWith('.db-wal')).map((name) => join('ledgers', name));
  return new Map(logs.map((path) => [path, statSync(join(state, path)).size]));
}

/**
 * Commits since the previous touch may or may not have reached the disk. A write-ahead log only grows. So a kill
 * between or during commits equals the same log, cut short.
 */
function loseLastCommits(
  nextState: string,
  { known, random }: { known: ReadonlyMap<string, number>; random: Random },
): void {
  let cut = false;
  for (const [path, size] of logSizes(nextState)) {
    const before = Math.min(known.get(path) ?? 0, size);
    if (size > before && random.chance(0.8)) {
      truncateSync(join(nextState, path), random.int(before, size));
      cut = true;
    }
  }
  loseLedgerCommits(nextState, known, { journal: cut, contacts: cut || random.chance(0.5) });
}

/**
 * A contact ledger stores an outcome after the journal does. So if the journal loses its last commits, the ledger loses
 * them too. After a kill between the two, only the ledger loses them. An enrollment ledger never knows more than the
 * journal of its run.
 */
function loseLedgerCommits(
  nextState: string,
  known: ReadonlyMap<string, number>,
  loses: { readonly journal: boolean; readonly contacts: boolean },
): void {
  for (const [path, size] of ledgerLogSizes(nextState)) {
    const before = Math.min(known.get(path) ?? 0, size);
    const isLost = path.includes('contacts-') ? loses.contacts : loses.journal;
    if (isLost && size > before) {
      truncateSync(join(nextState, path), before);
    }
  }
}

/** Removes files that no later step needs. */
export function forget(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
