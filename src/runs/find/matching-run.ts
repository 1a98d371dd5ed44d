import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { hashPlainData } from '../../base/lib/hash.ts';
import type { RunHeader } from '../store/run-header.ts';
import { isUnfinished, listReadableRuns, wasNeverAgreed } from './list-runs.ts';
import type { RunSummary } from './summarize-run.ts';

/** What a run must have in common with a command, so that the command continues this run. */
export interface MatchingRunQuery {
  readonly command: string;
  readonly origin: string;
  readonly destinationId: string | undefined;
  /** The placeholder that a run stores until it knows the id of its new audience. A killed run may still have it. */
  readonly previousId: string | undefined;
  /** SHA-256 of every input, in order. */
  readonly inputs: readonly string[];
  /** The hash of all options: `hashPlainData(header.options)`. If undefined, options are not compared. */
  readonly optionsHash: string | undefined;
  /**
   * The hash of the options that decide what is sent: `hashOfSendOptions(header.options)`. If a run has sent something,
   * only this hash must be equal.
   */
  readonly sendOptionsHash: string | undefined;
  /**
   * A hash of the API key of this command. A finished run of suppressions has no destination, so only its key shows
   * which account it wrote to.
   */
  readonly keyFingerprint: string | undefined;
  /** Unfinished runs to leave out, because they wrote to other accounts. */
  readonly excludedRuns: readonly string[] | undefined;
}

type RunPlace = Pick<MatchingRunQuery, 'command' | 'origin' | 'destinationId' | 'inputs'>;

/** A query for runs of a command and a destination. Without `optionsHash`, the options are not compared. */
export function queryOf(place: RunPlace, optionsHash?: string): MatchingRunQuery {
  const absent = {
    previousId: undefined,
    sendOptionsHash: undefined,
    keyFingerprint: undefined,
    excludedRuns: undefined,
  };
  return { ...place, ...absent, optionsHash };
}

// Options that do not change what is sent. They decide when a run stops, how fast it is, or what it verifies.
const OPTIONS_NOT_SENT: readonly string[] = [
  'maxFailures',
  'concurrency',
  'maxNewFields',
  'allowAutomations',
  'plan',
  'verify',
  'verifySample',
];

/** The hash of the options that decide what is sent. */
export function hashOfSendOptions(options: RunHeader['options']): string {
  return hashPlainData(
    Object.fromEntries(Object.entries(options).filter(([name]) => !OPTIONS_NOT_SENT.includes(name))),
  );
}

/**
 * Finds the unfinished run that a command continues, in this order. Leaves out runs on which another process works.
 * - the newest run with the same options that sent something
 * - the newest run that sent something, if it differs only in options that do not change what is sent (D1)
 * - the newest run with the same options that sent nothing, if the user agreed to its plan; otherwise a new run asks
 *   (M7)
 */
export function findUnfinishedMatchingRun(
  runs: readonly RunSummary[],
  query: MatchingRunQuery,
): RunSummary | undefined {
  const matches = unfinishedMatches(runs, query);
  const hasSent = (run: RunSummary) => run.hasSent === true;
  const findOthers = () => (query.sendOptionsHash ? unfinishedMatches(runs, { ...query, optionsHash: undefined }) : []);
  return matches.find(hasSent) ?? findOthers().find(hasSent) ?? matches.find((run) => !wasNeverAgreed(run));
}

/** Throws `busy` if another process works on a matching run, because a second run would write the same again (I11). */
export function refuseRunningMatch(stateFolder: string, query: MatchingRunQuery): void {
  const running = listReadableRuns(stateFolder).find((run) => run.status === 'running' && isMatch(run.header, query));
  if (running) {
    throw new SvcError(EXIT.busy, 'busy', `${running.run} is doing the same now`, {
      hint: 'Wait until it ends. See: svc runs ls',
    });
  }
}

/**
 * Unfinished matching runs that sent nothing, except the run `continued`. Such a run remains if a command is killed
 * early and started again.
 */
export function findEmptyMatches(stateFolder: string, query: MatchingRunQuery, continued: string): RunSummary[] {
  return unfinishedMatches(listReadableRuns(stateFolder), query).filter((run) => run.run !== continued && !run.hasSent);
}

function unfinishedMatches(runs: readonly RunSummary[], query: MatchingRunQuery): RunSummary[] {
  return runs.filter(
    (run) => isUnfinished(run) && !query.excludedRuns?.includes(run.run) && isMatch(run.header, query),
  );
}

/**
 * The newest matching run that is finished and may have written to the service. If the run has no destination, the API
 * key must match.
 */
export function findLastFinishedMatch(runs: readonly RunSummary[], query: MatchingRunQuery): RunSummary | undefined {
  return runs.find((run) => {
    const { header } = run;
    return (
      mayHaveWritten(run) &&
      isMatch(header, query) &&
      (header?.destination || header?.keyFingerprint === query.keyFingerprint)
    );
  });
}

/** True for a finished run that may have written to the service. */
export function mayHaveWritten(run: RunSummary): boolean {
  return run.finished === true && !hasWrittenNothing(run);
}

/** True for a dry run, and for a run that was refused or found another run at work before it sent anything. */
export function hasWrittenNothing({ header, hasSent, status }: RunSummary): boolean {
  return header?.options.dryRun === true || (WROTE_NOTHING.includes(status) && hasSent !== true);
}

/** Finds an unfinished run of the same command and destination with an older version of one of these files. */
export function findOlderVersion(
  runs: readonly RunSummary[],
  query: MatchingRunQuery,
  inputs: RunHeader['inputs'],
): { readonly run: string; readonly path: string } | undefined {
  for (const { run, header } of runs.filter((each) => isUnfinished(each) && !wasNeverAgreed(each))) {
    const older = header && isSameWork(header, query) ? inputs.find((input) => isOlder(header, input)) : undefined;
    if (older) {
      return { run, path: older.path };
    }
  }
  return undefined;
}

function isOlder(header: RunHeader, { original, sha256 }: RunHeader['inputs'][number]): boolean {
  const before = header.inputs.find((input) => original && input.original?.place === original.place);
  return before !== undefined && before.sha256 !== sha256;
}

const WROTE_NOTHING = ['planned', 'refused', 'busy'];

function isMatch(header: RunHeader | undefined, query: MatchingRunQuery): boolean {
  return (
    header !== undefined &&
    isSameWork(header, query) &&
    header.inputs.map((input) => input.sha256).join() === query.inputs.join() &&
    (query.optionsHash === undefined || hashPlainData(header.options) === query.optionsHash) &&
    (query.sendOptionsHash === undefined || hashOfSendOptions(header.options) === query.sendOptionsHash)
  );
}

function isSameWork({ command, origin, destination }: RunHeader, query: MatchingRunQuery): boolean {
  return command === query.command && origin === query.origin && isSameDestination(destination?.id, query);
}

function isSameDestination(id: string | undefined, { destinationId, previousId }: MatchingRunQuery): boolean {
  return id === destinationId || (id !== undefined && id === previousId);
}
