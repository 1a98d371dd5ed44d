import { type RunHeader, writtenAudienceId } from '../store/run-header.ts';
import type { RunSummary } from './list-runs.ts';
import { findLastFinishedMatch, isSameWork, type MatchingRunQuery, mayHaveWritten } from './matching-run.ts';
import { hasFileOf } from './overtaken.ts';

/** A finished run that imported a list. `isSameList` is false for an earlier version of the list. */
export interface EarlierImport {
  readonly run: string;
  readonly startedAt: number;
  readonly isSameList: boolean;
}

type Inputs = RunHeader['inputs'];

/**
 * The newest finished run of the same command and destination that imported these files, or else an earlier version of
 * one of them: a file of the same path. A rehearsal does not count.
 */
export function findEarlierImport(
  runs: readonly RunSummary[],
  query: MatchingRunQuery,
  inputs: Inputs,
): EarlierImport | undefined {
  const isOlder = (run: RunSummary) =>
    hasImported(run) && run.header !== undefined && isSameWork(run.header, query) && hasFileOf(run, { inputs });
  return earlierImport(findLastFinishedMatch(runs, query), runs.find(isOlder));
}

/** The newest finished run of any command that wrote these files, or an earlier version, to an audience as contacts. */
export function findLastWriteOfList(
  runs: readonly RunSummary[],
  { origin, inputs }: Pick<RunHeader, 'origin' | 'inputs'>,
  audienceId: string,
): EarlierImport | undefined {
  const writes = runs.filter(
    (run) => hasImported(run) && run.header?.origin === origin && writtenAudienceId(run.header) === audienceId,
  );
  const hashesOf = (files: Inputs = []) => files.map(({ sha256 }) => sha256).join();
  return earlierImport(
    writes.find(({ header }) => hashesOf(header?.inputs) === hashesOf(inputs)),
    writes.find((run) => hasFileOf(run, { inputs })),
  );
}

function hasImported(run: RunSummary): boolean {
  return mayHaveWritten(run) && run.hasSent === true;
}

function earlierImport(same: RunSummary | undefined, older: RunSummary | undefined): EarlierImport | undefined {
  const found = same ?? older;
  return found && { run: found.run, startedAt: found.startedAt, isSameList: same !== undefined };
}
