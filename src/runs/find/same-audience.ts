import { hashPlainData } from '../../base/lib/hash.ts';
import { looseNameKey } from '../../base/lib/text.ts';
import type { Journal } from '../store/journal.ts';
import { type RunHeader, writtenAudienceId } from '../store/run-header.ts';
import { listReadableRuns } from './list-runs.ts';
import { hasSentRequests } from './run-status.ts';
import type { RunSummary } from './summarize-run.ts';

/** The audience that a run writes to. */
export interface NamedAudience {
  readonly origin: string;
  readonly name: string;
  readonly id: string | undefined;
}

/**
 * The id of an earlier audience: it has the name of this run's audience, but another id. An import with --only-changed,
 * --full or --gone sent its list there. Undefined if there is none, if this run has no such flag, or if this run has
 * sent a request.
 */
export function findEarlierAudience(
  stateFolder: string,
  journal: Pick<Journal, 'header' | 'requests'>,
  findByLedger: FindByLedger,
): string | undefined {
  const { run, origin, destination, options } = journal.header;
  if (options.changes === undefined || hasSentRequests(journal) || !destination) {
    return undefined;
  }
  const recordsChanges = (header: RunHeader) => header.options.changes !== undefined;
  const search = { findByLedger, counts: recordsChanges };
  return findReplacedAudience(stateFolder, run, { ...destination, origin }, search)?.id;
}

/** Finds an audience with the same name as this one, but another id, by the contact ledgers. Returns its id. */
type FindByLedger = (audience: NamedAudience) => string | undefined;

/** How to find an audience with the same name, but another id. */
interface AudienceSearch {
  readonly findByLedger: FindByLedger;
  /** True for a run that svc takes into account. Without this function, svc takes all runs into account. */
  readonly counts?: (header: RunHeader) => boolean;
}

/** An audience with the same name as a run's audience, but another id. This machine sent a list there. */
export interface ReplacedAudience {
  readonly id: string;
  /** The run that last sent a list there. Undefined if only the contact ledger shows it. */
  readonly run: string | undefined;
}

/**
 * The audience with this name but another id, if this machine sent the last list for this name there. That audience was
 * deleted or renamed, or two audiences have the name. Undefined if the last list went to this audience. If no run has
 * exactly this name, names that look like it count too. Leaves out `ownRun`, and runs for which `counts` is false. If
 * no run shows an audience, `findByLedger` looks for one, because runs may be deleted or pruned.
 */
export function findReplacedAudience(
  stateFolder: string,
  ownRun: string,
  audience: NamedAudience,
  { findByLedger, counts = () => true }: AudienceSearch,
): ReplacedAudience | undefined {
  const isEarlier = ({ run, origin, hasSent, destinationId, header }: RunSummary) =>
    run !== ownRun &&
    origin === audience.origin &&
    hasSent === true &&
    /^aud_/.test(destinationId ?? '') &&
    header?.destination !== undefined &&
    looseNameKey(header.destination.name) === looseNameKey(audience.name) &&
    counts(header);
  const earlier = listReadableRuns(stateFolder).filter(isEarlier);
  const hasSameName = ({ header }: RunSummary) => header?.destination?.name === audience.name;
  const { run, destinationId: id } = earlier.find(hasSameName) ?? earlier[0] ?? {};
  if (id !== undefined) {
    return id === audience.id ? undefined : { id, run };
  }
  const idByLedger = findByLedger(audience);
  return idByLedger === undefined ? undefined : { id: idByLedger, run: undefined };
}

// The service replays a response for 24 hours, and svc may repeat a key until 23 hours after its first use. One more
// hour allows for clocks that differ: 48 hours together.
const REPLAYED_MS = 48 * 3_600_000;

/**
 * True if a new run needs idempotency keys of its own. Example: runs wrote list A, then list B, and the new run writes
 * A again. Under the keys of the first run, the service may only replay its responses, and the content of B would stay
 * (I7). `now` is a time of the service, like the times in the journals.
 */
export function isContentReplaced(runs: readonly RunSummary[], header: RunHeader, now: number): boolean {
  const audience = writtenAudienceId(header);
  const contents = runs
    .filter(({ run, origin }) => run !== header.run && origin === header.origin)
    .filter(({ lastSentAt }) => lastSentAt !== undefined && now - lastSentAt < REPLAYED_MS)
    .flatMap((run) =>
      run.header && run.hasSent && writtenAudienceId(run.header) === audience ? [contentOf(run.header)] : [],
    );
  const [newest] = contents;
  return (
    audience !== undefined &&
    newest !== undefined &&
    newest !== contentOf(header) &&
    contents.some((content) => content !== newest)
  );
}

/** A hash that is equal for two runs if they send the same contacts. */
function contentOf({ command, inputs, options }: RunHeader): string {
  const { explicitStatus, batchSize } = options;
  const { savedColumns: _, ...reading } = options.reading as Record<string, unknown>;
  return hashPlainData({ command, inputs: inputs.map(({ sha256 }) => sha256), reading, explicitStatus, batchSize });
}
