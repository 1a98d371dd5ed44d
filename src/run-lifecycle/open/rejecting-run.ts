import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadingOptions } from '../../import/mapping/reading-answers.ts';
import { type FileForm, FORM_FLAGS, formOf, formThatCounts, NO_FORM } from '../../import/rejects/file-form.ts';
import {
  hasRejectedRows,
  openRejectsFile,
  type RejectsFile,
  readRejectedRows,
  unlessUnreadable,
} from '../../import/rejects/given-rejects.ts';
import { statsOf } from '../../import/source/input-changes.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { hasWrittenNothing } from '../../runs/find/matching-run.ts';
import type { RunSummary } from '../../runs/find/summarize-run.ts';
import { tryReadRun } from '../../runs/store/open-journal.ts';
import { runFiles } from '../../runs/store/state-folder.ts';
import type { RunOptions } from '../data/run-options.ts';
import type { RunReport } from '../data/run-report.ts';
import { withAnswersOf } from './earlier-answers.ts';

/** A run that rejected the rows of a rejects file. */
export interface RejectingRun {
  readonly run: string;
  /** The rejects file in the folder of the run. */
  readonly path: string;
  /** The answers of the run that count for the file. */
  readonly earlier: ReadingOptions;
  /** `earlier`, together with the answers of this command. */
  readonly reading: ReadingOptions;
  /** The flags of the run that describe the bytes of a file, if they don't count because the file has another form. */
  readonly droppedFlags: readonly string[];
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
 * file, and otherwise each run that has the same rows in a rejects file with the same header. The name of a copy says
 * nothing, because each night may have a list of that name. A run that wrote nothing, such as a dry run, counts only
 * for a file in its own folder, because its answers were never used.
 */
export function createRunFinder(
  { command, reading }: Pick<RunOptions, 'command' | 'reading'>,
  stateFolder: string,
): (given: GivenRejects) => Promise<readonly RejectingRun[]> {
  const stored = listReadableRuns(stateFolder).flatMap((summary) => storedRejects(summary, stateFolder));
  return async ({ file, path }) => {
    const atHome = stored.find((one) => isSameFile(one.path, path));
    if (atHome) {
      return atHome.command === command ? [runFor(atHome, await formFor(file, atHome, undefined), reading)] : [];
    }
    const copy = { file, readRows: readRejectedRows(file) };
    const found: RejectingRun[] = [];
    for (const one of stored) {
      if (one.command === command && one.wasCarriedOut) {
        // A file in the folder of a run that can't be read is none that the user gave.
        const run = await unlessUnreadable(() => runWithRowsOf(copy, one, reading));
        run && found.push(run);
      }
    }
    return found.length > 1 ? withoutEarlierRounds(found, stateFolder) : found;
  };
}

/** The name of a note in run.db: the ids of the runs that rejected the rows that this run read. */
export const REJECTS_OF_NOTE = 'rejects_of';

// A row can be rejected again when its rejects file is given back. The run that read this file took the answers of the
// run before, and may have further ones.
function withoutEarlierRounds(found: readonly RejectingRun[], stateFolder: string): readonly RejectingRun[] {
  const earlier = found.flatMap(
    ({ run }) => (tryReadRun(stateFolder, run, ({ readNote }) => readNote(REJECTS_OF_NOTE)) ?? []) as readonly string[],
  );
  return found.filter(({ run }) => !earlier.includes(run));
}

interface CopiedRejects {
  readonly file: RejectsFile;
  readonly readRows: ReturnType<typeof readRejectedRows>;
}

// The run, if its rejects file has the rows of a copy in another folder. Throws SvcError if a file can't be read.
async function runWithRowsOf(
  { file, readRows }: CopiedRejects,
  one: StoredRejects,
  typed: ReadingOptions,
): Promise<RejectingRun | undefined> {
  const original = await openRejectsFile({ path: one.path, diskPath: one.path });
  if (!original) {
    return undefined;
  }
  const run = runFor(one, await formFor(file, one, original), typed);
  const rows = await readRows(formOf(run.reading));
  return (await hasRejectedRows(original, await formFor(original, one, undefined), rows)) ? run : undefined;
}

interface StoredRejects extends Pick<RejectingRun, 'run' | 'path' | 'inputs' | 'reading'> {
  readonly command: string;
  readonly wasCarriedOut: boolean;
  /** The delimiters of the inputs, and so of the rejects files. None if the run recorded no report. */
  delimiters(): readonly string[];
}

function storedRejects(summary: RunSummary, stateFolder: string): readonly StoredRejects[] {
  const { run, command, header } = summary;
  const { reading } = (header?.options ?? {}) as Partial<RunOptions>;
  const folder = runFiles(stateFolder, run).rejects;
  const inputs = (header?.inputs ?? []).flatMap(({ original }) => original?.place ?? []);
  const wasCarriedOut = !hasWrittenNothing(summary);
  const delimiters = () => {
    const report = tryReadRun(stateFolder, run, (journal) => journal.readReport()) as Partial<RunReport> | undefined;
    return (report?.inputs ?? []).map(({ delimiter }) => delimiter ?? '\t');
  };
  return reading === undefined
    ? []
    : filesIn(folder).map((path) => ({ run, command, wasCarriedOut, reading, inputs, delimiters, path }));
}

function filesIn(folder: string): readonly string[] {
  try {
    const paths = readdirSync(folder).map((name) => join(folder, name));
    return paths.filter((path) => statsOf(path)?.isFile());
  } catch {
    // The run rejected no rows, or another process deleted it meanwhile.
    return [];
  }
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [statsOf(one), statsOf(other)];
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

function runFor(stored: StoredRejects, form: FileForm, typed: ReadingOptions): RejectingRun {
  const { run, path, inputs, reading } = stored;
  const isDropped = (flag: keyof FileForm) => [form, typed].every((answers) => answers[flag] === undefined);
  const droppedFlags = FORM_FLAGS.filter((flag) => reading[flag] !== undefined && isDropped(flag));
  const earlier = { ...reading, ...form };
  return { run, path, inputs, earlier, reading: withAnswersOf(earlier, typed), droppedFlags };
}

/**
 * The answers of a run about the bytes of its files, as far as they count for this file. `original` is the file in the
 * folder of the run. Undefined if that is the file itself.
 */
async function formFor(
  file: RejectsFile,
  { reading, delimiters }: StoredRejects,
  original: RejectsFile | undefined,
): Promise<FileForm> {
  const form = formOf(reading);
  const isPlain = FORM_FLAGS.every((flag) => form[flag] === undefined);
  const hasSameHead = original === undefined || original.head === file.head;
  if (isPlain) {
    return form;
  }
  return hasSameHead ? formThatCounts(file, form, delimiters()) : NO_FORM;
}
