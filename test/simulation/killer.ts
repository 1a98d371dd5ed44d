import { cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from './random.ts';

/** What a killed program meets wherever it turns. */
export class Killed extends Error {
  constructor() {
    super('this program was killed');
    this.name = 'Killed';
  }
}

/**
 * kill -9 for a program that runs inside this process. Every touch of the outside world is a moment at which it may
 * die; between two of them it writes to its journal at most. At the chosen moment its state folder is copied, as it is
 * on disk, to where the next program will find it, and from then on nothing that the killed one does can reach anybody.
 */
export interface Killer {
  /** To be called at every touch of the outside; throws at the moment of death and ever after. */
  touch(): void;
  /** Dies at once, leaving nothing: the machine itself went down. */
  die(): void;
  /** Aborts when the program dies. */
  readonly death: AbortSignal;
  readonly dead: boolean;
}

export interface KillPlan {
  /** The touch at which the program dies; undefined: it lives. */
  readonly at: number | undefined;
  readonly state: string;
  /** Where the next program finds what the killed one left. */
  readonly heir: string;
  readonly random: Random;
  /** True while another program works in the same state folder: its journal has to stay as it is. */
  readonly shared: () => boolean;
  /** Called once the state is copied. */
  readonly onDeath: () => void;
}

export function createKiller(plan: KillPlan): Killer {
  const { at, state, heir } = plan;
  const death = new AbortController();
  let touches = 0;
  let logs: ReadonlyMap<string, number> = new Map();
  const die = () => {
    if (existsSync(state)) {
      cpSync(state, heir, { recursive: true, filter: (path) => !path.endsWith('-shm') });
      if (!plan.shared()) {
        loseLastCommits(heir, { known: logs, random: plan.random });
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
          logs = new Map([...logSizes(state), ...ledgerLogSizes(state)]);
        }
        if (touches === at) {
          die();
        }
      }
      death.signal.throwIfAborted();
    },
  };
}

/** Sizes of the write-ahead logs under a state folder, by path from there. */
function logSizes(state: string): Map<string, number> {
  const runs = join(state, 'runs');
  const names = existsSync(runs) ? readdirSync(runs) : [];
  const logs = names.map((name) => join('runs', name, 'run.db-wal')).filter((path) => existsSync(join(state, path)));
  return new Map(logs.map((path) => [path, statSync(join(state, path)).size]));
}

/** The same for the ledgers of accepted contacts. */
function ledgerLogSizes(state: string): Map<string, number> {
  const folder = join(state, 'ledgers');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const logs = names.filter((name) => /^contacts-.*\.db-wal$/.test(name)).map((name) => join('ledgers', name));
  return new Map(logs.map((path) => [path, statSync(join(state, path)).size]));
}

/**
 * What was committed since the touch before may have been written or not: a write-ahead log only grows, so the kill
 * between any two commits, or in the middle of one, is the same log cut short.
 */
function loseLastCommits(
  heir: string,
  { known, random }: { known: ReadonlyMap<string, number>; random: Random },
): void {
  let cut = false;
  for (const [path, size] of logSizes(heir)) {
    const before = Math.min(known.get(path) ?? 0, size);
    if (size > before && random.chance(0.8)) {
      truncateSync(join(heir, path), random.int(before, size));
      cut = true;
    }
  }
  loseLedgerCommits(heir, known, cut || random.chance(0.5));
}

/**
 * The ledger holds an outcome after the journal does, so it lost its commits where the journal did. It may have lost
 * them alone too: then the kill was between the two.
 */
function loseLedgerCommits(heir: string, known: ReadonlyMap<string, number>, loses: boolean): void {
  for (const [path, size] of loses ? ledgerLogSizes(heir) : []) {
    const before = Math.min(known.get(path) ?? 0, size);
    if (size > before) {
      truncateSync(join(heir, path), before);
    }
  }
}

/** Removes files that no later step reads. */
export function forget(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
