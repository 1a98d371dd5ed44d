import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadingOptions } from '../../import/mapping/reading-answers.ts';
import {
  type FileForm,
  hasRejectedRows,
  openRejectsFile,
  type RejectsFile,
  readRejectedRows,
} from '../../import/rejects/given-rejects.ts';
import { statsOf } from '../../import/source/input-changes.ts';
import { listReadableRuns, type RunSummary } from '../../runs/find/list-runs.ts';
import { runFiles } from '../../runs/store/state-folder.ts';
import type { RunOptions } from '../data/run-options.ts';

/** A run that rejected the rows of a rejects file. */
export interface RejectingRun {
  readonly run: string;
  /** The rejects file in the folder of the run. */
  readonly path: string;
  readonly reading: ReadingOptions;
  /** The absolute paths of the inputs of the run. */
  readonly inputs: readonly string[];
}

interface GivenRejects {
  readonly file: RejectsFile;
  /** The absolute path of the file as the user named it. */
  readonly path: string;
}

/**
 * Makes a function that finds the runs of a command that rejected the rows of a file: the run whose folder has the
 * file, and otherwise each run that has the same rows in a rejects file with the same header. The name of a moved file
 * says nothing, because each night may have a list of that name. A dry run or a refused run counts only for a file in
 * its own folder, because its answers were never used.
 */
export function createRunFinder(command: string, stateFolder: string) {
  const stored = listReadableRuns(stateFolder).flatMap((summary) => storedRejects(summary, stateFolder));
  return async ({ file, path }: GivenRejects): Promise<readonly RejectingRun[]> => {
    const atHome = stored.find((one) => isSameFile(one.path, path));
    if (atHome) {
      return [atHome].filter((one) => one.command === command);
    }
    const found: RejectingRun[] = [];
    for (const one of stored) {
      if (one.command === command && one.wasCarriedOut && (await hasRowsOf(one, file))) {
        found.push(one);
      }
    }
    return found;
  };
}

interface StoredRejects extends RejectingRun {
  readonly command: string;
  readonly wasCarriedOut: boolean;
}

function storedRejects({ run, command, status, header }: RunSummary, stateFolder: string): readonly StoredRejects[] {
  const { reading, dryRun } = (header?.options ?? {}) as Partial<RunOptions>;
  const folder = runFiles(stateFolder, run).rejects;
  const inputs = (header?.inputs ?? []).flatMap(({ original }) => original?.place ?? []);
  const wasCarriedOut = dryRun !== true && status !== 'refused';
  return reading === undefined
    ? []
    : namesIn(folder).map((name) => ({ run, command, wasCarriedOut, reading, inputs, path: join(folder, name) }));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The run rejected no rows, or another process deleted it meanwhile.
    return [];
  }
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [statsOf(one), statsOf(other)];
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

async function hasRowsOf({ path, reading }: RejectingRun, file: RejectsFile): Promise<boolean> {
  const stored = await openRejectsFile({ path, diskPath: path });
  const rows = stored && (await readRejectedRows(file, formOf(reading)));
  return stored !== undefined && rows !== undefined && hasRejectedRows(stored, formOf(reading), rows);
}

function formOf({ encoding, delimiter, quote, escape: before }: ReadingOptions): FileForm {
  return { encoding, delimiter, quote, escape: before };
}
