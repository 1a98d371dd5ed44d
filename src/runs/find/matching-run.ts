import { SvcError } from '../../base/lib/errors.ts';
import { hashPlain } from '../../base/lib/hash.ts';
import type { RunHeader } from '../store/header.ts';
import type { Journal } from '../store/journal.ts';
import { readRun } from '../store/read-run.ts';
import { listReadableRuns, type RunSummary } from './list.ts';
import { hasSentRequests } from './run-status.ts';

/** Describes a run: its command, its content and its destination. */
export interface MatchingRunQuery {
  readonly command: string;
  readonly origin: string;
  readonly destinationId: string | undefined;
  /** The destination's name in a run that was killed before it knew the id of the created audience. */
  readonly previousId?: string | undefined;
  /** SHA-256 of every input, in order. */
  readonly inputs: readonly string[];
  /** `hashPlain(header.options)` of the options that decide what is sent. If omitted, options are not compared. */
  readonly optionsHash?: string | undefined;
}

/**
 * The unfinished matching run that the same command continues: the newest that sent something, else the newest. Runs in
 * use by another process are ignored.
 */
export function findUnfinishedMatch(state: string, query: MatchingRunQuery): RunSummary | undefined {
  return mostAdvanced(state, unfinishedMatches(listReadableRuns(state), state, query));
}

/**
 * The unfinished run of a creation. Throws if a run is damaged, because it may be that one, and the creation would be
 * repeated (D9). A disk that fails for a moment looks like damage too, so the first hint is to try again. `checkAt`
 * says where the user sees what was created.
 */
export function findUnfinishedCreation(
  state: string,
  query: MatchingRunQuery,
  checkAt: string,
): RunSummary | undefined {
  const runs = listReadableRuns(state);
  const damaged = runs.find(({ problem }) => problem && !NOTHING_SENT.includes(problem.code));
  if (damaged?.problem) {
    const { run, problem } = damaged;
    const message = `${run} can't be read, and may be a run of this command: ${problem.message}`;
    throw new SvcError(problem.exit, problem.code, message, {
      hint: `Nothing was sent. Run the same command again. If this error comes back, check what was done: ${checkAt}\nThen delete the record that can't be read: svc runs delete ${run} --confirm ${run}`,
    });
  }
  return mostAdvanced(state, unfinishedMatches(runs, state, query));
}

// The codes of runs without a journal. A journal is on disk before anything is sent.
const NOTHING_SENT = ['broken_run', 'state_missing'];

function mostAdvanced(state: string, matches: readonly RunSummary[]): RunSummary | undefined {
  return matches.find((run) => hasSentAnything(state, run)) ?? matches[0];
}

/** Other unfinished matching runs that sent nothing. They remain when a command is killed and started again. */
export function findEmptyMatches(state: string, query: MatchingRunQuery, continued: string): RunSummary[] {
  const matches = unfinishedMatches(listReadableRuns(state), state, query);
  return matches.filter((run) => run.run !== continued && !hasSentAnything(state, run));
}

function unfinishedMatches(runs: readonly RunSummary[], state: string, query: MatchingRunQuery): RunSummary[] {
  return runs.filter(
    (run) => run.finished === false && run.status !== 'running' && isMatch(headerOf(state, run), query),
  );
}

/** The newest finished matching run that wrote to the service. */
export function findLastFinishedMatch(state: string, query: MatchingRunQuery): RunSummary | undefined {
  return listReadableRuns(state).find(
    (run) => run.finished && !WROTE_NOTHING.includes(run.status) && isMatch(headerOf(state, run), query),
  );
}

/** An unfinished run of the same command and destination with an older version of one of these files. */
export function findOlderVersion(
  state: string,
  query: MatchingRunQuery,
  inputs: RunHeader['inputs'],
): { readonly run: string; readonly path: string } | undefined {
  for (const run of listReadableRuns(state)) {
    const header = run.finished === false && run.status !== 'running' ? headerOf(state, run) : undefined;
    const older = header && isSameWork(header, query) ? inputs.find((input) => isOlder(header, input)) : undefined;
    if (older) {
      return { run: run.run, path: older.path };
    }
  }
  return undefined;
}

function isOlder(header: RunHeader, { original, sha256 }: RunHeader['inputs'][number]): boolean {
  const before = header.inputs.find((input) => original && input.original?.place === original.place);
  return before !== undefined && before.sha256 !== sha256;
}

const WROTE_NOTHING = ['planned', 'refused', 'busy'];

function headerOf(state: string, run: RunSummary): RunHeader | undefined {
  return readListed(state, run, (journal) => journal.header);
}

function hasSentAnything(state: string, run: RunSummary): boolean {
  return readListed(state, run, hasSentRequests) === true;
}

/**
 * Reads from a run that could be read when it was listed. Undefined if it was broken then, or is deleted now. Any other
 * failure is an error, because the run may be the one that matches (D9).
 */
function readListed<T>(state: string, { run, status }: RunSummary, read: (journal: Journal) => T): T | undefined {
  if (status === 'broken') {
    return undefined;
  }
  try {
    return readRun(state, run, read);
  } catch (error) {
    if (error instanceof SvcError && error.code === 'run_not_found') {
      return undefined;
    }
    throw error;
  }
}

function isMatch(header: RunHeader | undefined, query: MatchingRunQuery): boolean {
  return (
    header !== undefined &&
    isSameWork(header, query) &&
    header.inputs.map((input) => input.sha256).join() === query.inputs.join() &&
    (query.optionsHash === undefined || hashPlain(header.options) === query.optionsHash)
  );
}

function isSameWork({ command, origin, destination }: RunHeader, query: MatchingRunQuery): boolean {
  return command === query.command && origin === query.origin && isSamePlace(destination?.id, query);
}

function isSamePlace(id: string | undefined, { destinationId, previousId }: MatchingRunQuery): boolean {
  return id === destinationId || (id !== undefined && id === previousId);
}
