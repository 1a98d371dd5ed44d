import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, errorCode, rewordError, SvcError } from '../../base/lib/errors.ts';
import { ensurePrivateFolder, pathExists } from '../../base/os/files.ts';
import { toStorageError } from '../../base/os/storage-error.ts';

/**
 * The path of the state folder, which has the runs, locks and ledgers. It is the first of these that is set:
 * --state-dir, `$SVC_STATE_DIR`, `$XDG_STATE_HOME/svc`, `~/.local/state/svc`. An empty variable counts as unset. So
 * does a relative `$XDG_STATE_HOME`, as the XDG specification says. The result may be relative.
 */
export function stateFolderPath(
  env: Readonly<Record<string, string | undefined>>,
  flag: string | undefined,
  home: string | undefined,
): string {
  const namedFolder = flag || env.SVC_STATE_DIR;
  if (namedFolder) {
    return namedFolder;
  }
  const xdg = env.XDG_STATE_HOME;
  if (xdg?.startsWith('/')) {
    return join(xdg, 'svc');
  }
  if (!home) {
    throw new SvcError(
      EXIT.usage,
      'no_state_folder',
      'svc has no folder for its runs, because the home folder is unknown',
      { hint: NAME_A_FOLDER },
    );
  }
  return join(home, '.local', 'state', 'svc');
}

const NAME_A_FOLDER = 'Name a folder with --state-dir <dir> or SVC_STATE_DIR';

/** The paths of the parts of the state folder. */
export interface StateLayout {
  readonly runs: string;
  readonly locks: string;
  readonly ledgers: string;
}

/** Creates the state folder and its subfolders. Other users have no access to them (D6). */
export function createStateFolder(stateFolder: string): StateLayout {
  const layout = stateFolderLayout(stateFolder);
  refuseNonFolder(stateFolder);
  if (!pathExists(stateFolder)) {
    createNew(stateFolder);
  }
  for (const folder of [stateFolder, layout.runs, layout.locks, layout.ledgers]) {
    ensurePrivateFolder(folder);
  }
  return layout;
}

// Error codes after which a folder can never be created at this path. Other problems, such as a full disk, may pass.
const IMPOSSIBLE = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENAMETOOLONG', 'ELOOP'];

/** Creates the state folder. If that is impossible, throws a usage error, because the user must name another folder. */
function createNew(stateFolder: string): void {
  try {
    ensurePrivateFolder(stateFolder);
  } catch (error) {
    throw error instanceof SvcError && IMPOSSIBLE.includes(errorCode(error.cause))
      ? rewordError(error, { exit: EXIT.usage, hint: NAME_A_FOLDER })
      : error;
  }
}

/** Refuses a path that is a file or inside a file. The cause is a mistake in --state-dir, not a problem of the disk. */
function refuseNonFolder(path: string): void {
  for (let folder = path; ; folder = dirname(folder)) {
    const found = statOf(folder);
    if (found && !found.isDirectory()) {
      throw new SvcError(EXIT.usage, 'state_not_folder', `${folder} is not a folder`, {
        hint: NAME_A_FOLDER,
      });
    }
    if (found || folder === dirname(folder)) {
      return;
    }
  }
}

/** The file status of a path. Undefined if svc can't read it, for example because the path does not exist. */
function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The paths of a state folder. Does not access the disk. */
export function stateFolderLayout(stateFolder: string): StateLayout {
  return { runs: join(stateFolder, 'runs'), locks: join(stateFolder, 'locks'), ledgers: join(stateFolder, 'ledgers') };
}

/** The paths of one run. Only `db` and `lock` exist from the start. `rejects` and `inputs` are folders. */
export interface RunFiles {
  readonly folder: string;
  readonly db: string;
  readonly lock: string;
  /** The input copies. Deleted when the run is finished. */
  readonly inputs: string;
  readonly rejects: string;
  readonly consentCsv: string;
  readonly outcomesCsv: string;
  /** The database with the contacts that a check has read. Deleted when the check is finished. */
  readonly checkDb: string;
  readonly missingCsv: string;
  readonly report: string;
  readonly reportHtml: string;
}

/** The paths of a run. Throws for a text that is not a run id, because it becomes part of a path (K2). */
export function runFiles(stateFolder: string, run: string): RunFiles {
  if (!isRunId(run)) {
    throw new SvcError(EXIT.usage, 'run_not_found', `not a run id: ${JSON.stringify(run)}`, {
      hint: 'See: svc runs ls',
    });
  }
  const folder = join(stateFolderLayout(stateFolder).runs, run);
  return {
    folder,
    db: join(folder, 'run.db'),
    lock: join(folder, 'lock.db'),
    inputs: join(folder, 'inputs'),
    rejects: join(folder, 'rejects'),
    consentCsv: join(folder, 'consent.csv'),
    outcomesCsv: join(folder, 'outcomes.csv'),
    checkDb: join(folder, 'check.db'),
    missingCsv: join(folder, 'gone.csv'),
    report: join(folder, 'report.json'),
    reportHtml: join(folder, 'report.html'),
  };
}

/** Like `runFiles`, but throws if there is no such run. */
export function existingRunFiles(stateFolder: string, run: string): RunFiles {
  const files = runFiles(stateFolder, run);
  if (!pathExists(files.folder)) {
    throw new SvcError(EXIT.usage, 'run_not_found', `no run ${run} in ${stateFolder}`, { hint: 'svc runs ls' });
  }
  return files;
}

const RANDOM_LENGTH = 6;

/**
 * Creates a run id such as `run_20260101T093000123_4f1c0a`, which is safe in a shell and in a path. The id shows the
 * start in UTC, and ids sort in the order in which the runs began. If the clock was set back, the new id shows one
 * millisecond more than the latest one (P7).
 */
export function newRunId(stateFolder: string, now: number, randomHex: (length: number) => string): string {
  const names = namesInFolder(stateFolderLayout(stateFolder).runs);
  const latest = names.map(timeOfId).reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const time = new Date(Math.max(now, latest + 1)).toISOString().replace(/[-:.Z]/g, '');
  return `run_${time}_${randomHex(RANDOM_LENGTH)}`;
}

/** The id of the newest run. Undefined if there is none. */
export function newestRunId(stateFolder: string): string | undefined {
  return namesInFolder(stateFolderLayout(stateFolder).runs).filter(isRunId).sort().at(-1);
}

/** The time in a run id, in milliseconds since the epoch. Minus infinity for a name without a time. */
function timeOfId(name: string): number {
  const iso = name.replace(/^run_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})_.*$/, '$1-$2-$3T$4:$5:$6.$7Z');
  const time = iso === name ? Number.NaN : Date.parse(iso);
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

/** The names in a folder. Empty if the folder does not exist. Throws if the path is a file or inside a file. */
export function namesInFolder(folder: string): string[] {
  refuseNonFolder(folder);
  try {
    return pathExists(folder) ? readdirSync(folder) : [];
  } catch (error) {
    throw toStorageError(error, folder);
  }
}

/** True if the text can name the folder of a run. `..` and path separators are refused. */
export function isRunId(text: string): boolean {
  return /^run_[A-Za-z0-9_]{1,80}$/.test(text);
}
