import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import { isRunId } from '../base/lib/run.ts';
import { ensurePrivateFolder } from '../base/os/files.ts';

/**
 * The folder that keeps runs, locks and ledgers: flag, else `$SVC_STATE_DIR`, else `$XDG_STATE_HOME/svc`, else
 * `~/.local/state/svc`. Empty variables count as unset, and so does a relative `$XDG_STATE_HOME`, as its
 * specification says. A relative flag is the caller's to resolve.
 */
export function stateFolder(
  env: Readonly<Record<string, string | undefined>>,
  flag: string | undefined,
  home: string | undefined,
): string {
  const given = flag || env.SVC_STATE_DIR;
  if (given) {
    return given;
  }
  const xdg = env.XDG_STATE_HOME;
  if (xdg?.startsWith('/')) {
    return join(xdg, 'svc');
  }
  if (!home) {
    throw new SvcError(EXIT.usage, 'no_state_folder', 'nowhere to keep runs: there is no home folder', {
      hint: 'name a folder with --state-dir <dir> or SVC_STATE_DIR',
    });
  }
  return join(home, '.local', 'state', 'svc');
}

/** Where the parts of the state folder are. */
export interface StateLayout {
  readonly runs: string;
  readonly locks: string;
  readonly ledgers: string;
}

/** The parts of a state folder, made and closed to other users (rule D6). */
export function prepareState(state: string): StateLayout {
  const layout = stateLayout(state);
  refuseNonFolder(state);
  for (const folder of [state, layout.runs, layout.locks, layout.ledgers]) {
    ensurePrivateFolder(folder);
  }
  return layout;
}

/** A path that is, or leads through, something else than a folder is a wrong flag, not a failing disk. */
function refuseNonFolder(path: string): void {
  for (let at = path; ; at = dirname(at)) {
    const found = statOf(at);
    if (found && !found.isDirectory()) {
      throw new SvcError(EXIT.usage, 'state_not_folder', `${at} is not a folder`, {
        hint: 'name a folder with --state-dir <dir> or SVC_STATE_DIR',
      });
    }
    if (found || at === dirname(at)) {
      return;
    }
  }
}

/** Undefined also where something above is no folder. */
function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The same parts, without touching the disk. */
export function stateLayout(state: string): StateLayout {
  return { runs: join(state, 'runs'), locks: join(state, 'locks'), ledgers: join(state, 'ledgers') };
}

/** Where everything of one run is. Only `db` and `lock` are there from the start; `rejects` is a folder. */
export interface RunFiles {
  readonly folder: string;
  readonly db: string;
  readonly lock: string;
  /** A folder: the copies of the inputs, until the run is finished. */
  readonly inputs: string;
  readonly rejects: string;
  readonly consent: string;
  readonly outcomes: string;
  readonly report: string;
}

/** The files of a run; refuses text that is no run id, because it would become a path (rule K2). */
export function runFiles(state: string, run: string): RunFiles {
  if (!isRunId(run)) {
    throw new SvcError(EXIT.usage, 'run_not_found', `not a run id: ${JSON.stringify(run)}`, { hint: 'svc runs ls' });
  }
  const folder = join(stateLayout(state).runs, run);
  return {
    folder,
    db: join(folder, 'run.db'),
    lock: join(folder, 'lock.db'),
    inputs: join(folder, 'inputs'),
    rejects: join(folder, 'rejects'),
    consent: join(folder, 'consent.csv'),
    outcomes: join(folder, 'outcomes.csv'),
    report: join(folder, 'report.json'),
  };
}
