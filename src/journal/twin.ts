import { hashPlain } from '../base/hash.ts';
import { listRuns } from './list.ts';
import { viewRun } from './run.ts';
import type { RunHeader, RunSummary } from './types.ts';

/** The same work: this command, of this content, to this place. */
export interface TwinQuery {
  readonly command: string;
  readonly origin: string;
  readonly destinationId: string | undefined;
  /** SHA-256 of every input, in order. */
  readonly inputs: readonly string[];
  /** `hashPlain(header.options)` of the options that decide what is sent; left out, options are not compared. */
  readonly optionsHash?: string | undefined;
}

/** The newest unfinished run of the same work, which the same command continues; never one that is at work now. */
export function findUnfinishedTwin(state: string, query: TwinQuery): RunSummary | undefined {
  return listRuns(state).find(
    (run) => run.finished === false && run.status !== 'running' && isTwin(headerOf(state, run), query),
  );
}

/** The newest finished run of the same work that wrote to the service. */
export function lastFinishedTwin(state: string, query: TwinQuery): RunSummary | undefined {
  return listRuns(state).find(
    (run) => run.finished && !WROTE_NOTHING.includes(run.status) && isTwin(headerOf(state, run), query),
  );
}

const WROTE_NOTHING = ['planned', 'refused', 'busy'];

function headerOf(state: string, { run }: RunSummary): RunHeader {
  const journal = viewRun(state, run);
  try {
    return journal.header;
  } finally {
    journal.close();
  }
}

function isTwin(header: RunHeader, query: TwinQuery): boolean {
  return (
    header.command === query.command &&
    header.origin === query.origin &&
    header.destination?.id === query.destinationId &&
    header.inputs.map((input) => input.sha256).join() === query.inputs.join() &&
    (query.optionsHash === undefined || hashPlain(header.options) === query.optionsHash)
  );
}
