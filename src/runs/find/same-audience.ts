import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { hashPlainData } from '../../base/lib/hash.ts';
import { shellWord } from '../../base/lib/text.ts';
import type { Journal } from '../store/journal.ts';
import { openEndedJournal } from '../store/open-journal.ts';
import { type RunHeader, writtenAudienceId } from '../store/run-header.ts';
import { listReadableRuns, type RunSummary, wasNeverAgreed } from './list-runs.ts';
import { commandToDelete, hasSentRequests, isComparisonCommand, OVERTAKEN_BY_NOTE, overtakenBy } from './run-status.ts';

/**
 * A run that writes contacts, or is about to. `audienceIds` has the id of its audience, and the placeholder that the
 * run used before svc created that audience.
 */
export interface WritingRun extends Pick<RunHeader, 'run' | 'origin' | 'inputs'> {
  readonly audienceIds: readonly string[];
}

/** The other unfinished runs that would write contacts to this audience. */
function findRivals(stateFolder: string, { run, origin, audienceIds }: WritingRun): readonly RunSummary[] {
  return listReadableRuns(stateFolder).filter(
    (other) =>
      other.run !== run &&
      other.origin === origin &&
      other.finished === false &&
      !isComparisonCommand(other.command) &&
      audienceIds.some((id) => id === other.audienceId),
  );
}

/**
 * Called before a run writes contacts. Marks each other unfinished run that would write to this audience as overtaken,
 * in the run.db of that run. The rest of its list is older: it would replace newer data, and sign up people who opted
 * out since (G10). A run that sends only opt-outs of other files is not marked: it signs no person up, and its opt-outs
 * may be in no other list.
 */
export function markOvertaken(stateFolder: string, writer: WritingRun): void {
  const canContinue = (other: RunSummary) => other.onlyOptOuts === true && !hasFileOf(other, writer);
  for (const other of findRivals(stateFolder, writer).filter((rival) => !canContinue(rival))) {
    const journal = openEndedJournal(stateFolder, other.run);
    try {
      journal.writeNote(OVERTAKEN_BY_NOTE, writer.run);
    } finally {
      journal.close();
    }
  }
}

/** The unfinished runs that would write a list from other files to this audience. */
export function findUnfinishedLists(stateFolder: string, writer: WritingRun): readonly RunSummary[] {
  return findRivals(stateFolder, writer).filter((rival) => !hasFileOf(rival, writer) && !wasNeverAgreed(rival));
}

/** True if two runs read a file of the same path, perhaps in different versions. */
function hasFileOf({ header }: RunSummary, { inputs }: WritingRun): boolean {
  const paths = inputs.flatMap(({ original }) => original?.place ?? []);
  return header?.inputs.some(({ original }) => original !== undefined && paths.includes(original.place)) === true;
}

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
  /** True for a run that counts. Without this function, each run counts. */
  readonly counts?: (header: RunHeader) => boolean;
}

/** An audience with the same name as a run's audience, but another id. This machine sent a list there. */
export interface ReplacedAudience {
  readonly id: string;
  /** The run that last sent a list there. Undefined if only the contact ledger shows it. */
  readonly run: string | undefined;
}

/**
 * The audience with this name but another id, if this machine sent its last list there. That audience was probably
 * deleted, and this one was created in its place. Undefined if the last list went to this audience. Leaves out
 * `ownRun`, and runs for which `counts` is false. If no run shows an audience, `findByLedger` looks for one, because
 * runs may be deleted or pruned.
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
    header?.destination?.name === audience.name &&
    counts(header);
  const { run, destinationId: id } = listReadableRuns(stateFolder).find(isEarlier) ?? {};
  if (id !== undefined) {
    return id === audience.id ? undefined : { id, run };
  }
  const idByLedger = findByLedger(audience);
  return idByLedger === undefined ? undefined : { id: idByLedger, run: undefined };
}

/** Throws if a newer run overtook the run of this journal (G10). */
export function refuseOvertaken(journal: Pick<Journal, 'header' | 'run' | 'readNote' | 'requests'>): void {
  const overtakingRun = overtakenBy(journal);
  if (overtakingRun !== undefined) {
    const message = `${journal.run} can't continue: ${overtakingRun} wrote to the same audience since, and the list of ${journal.run} may be older`;
    throw new SvcError(EXIT.refused, 'overtaken', message, { hint: hintForOvertaken(journal) });
  }
}

/** What the user can do about a run that can't continue because a newer run wrote to the same audience. */
export function hintForOvertaken(journal: Pick<Journal, 'header' | 'run' | 'readNote' | 'requests'>): string {
  const { typed } = journal.header;
  const again = typed && `:\n${['svc', ...typed.words, ...typed.answers].map(shellWord).join(' ')}\n`;
  return `If its list is the newest, or is about other people, a new run of its command sends the whole list${again ?? '. '}If not: ${commandToDelete(journal)}`;
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
