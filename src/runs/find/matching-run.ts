import { hashPlain } from '../../base/lib/hash.ts';
import type { RunHeader } from '../store/header.ts';
import { readListedRun } from '../store/read-run.ts';
import { listReadableRuns, type RunSummary } from './list-runs.ts';
import { hasSentRequests } from './run-status.ts';

/** Describes a run: its command, its content and its destination. */
export interface MatchingRunQuery {
  readonly command: string;
  readonly origin: string;
  readonly destinationId: string | undefined;
  /** The id of the destination in a run that was killed before it knew the id of its new audience. */
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
  const matches = unfinishedMatches(state, query);
  return matches.find((run) => hasSentAnything(state, run)) ?? matches[0];
}

/** Other unfinished matching runs that sent nothing. They remain when a command is killed and started again. */
export function findEmptyMatches(state: string, query: MatchingRunQuery, continued: string): RunSummary[] {
  return unfinishedMatches(state, query).filter((run) => run.run !== continued && !hasSentAnything(state, run));
}

function unfinishedMatches(state: string, query: MatchingRunQuery): RunSummary[] {
  return listReadableRuns(state).filter(
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

function headerOf(state: string, { run }: RunSummary): RunHeader | undefined {
  return readListedRun(state, run, (journal) => journal.header);
}

function hasSentAnything(state: string, { run }: RunSummary): boolean {
  return readListedRun(state, run, hasSentRequests) === true;
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
