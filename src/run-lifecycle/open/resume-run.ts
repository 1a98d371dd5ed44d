import { isSameInstant } from '../../base/lib/clock.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import type { ReadingOptions } from '../../import/mapping/reading-answers.ts';
import { changedOriginals } from '../../import/source/input-changes.ts';
import { copiedFiles, findDamagedCopy } from '../../import/source/input-copies.ts';
import { hintForOrigin, refuseFinished } from '../../runs/find/next-commands.ts';
import { refuseOvertaken } from '../../runs/find/overtaken.ts';
import { summarizeRun } from '../../runs/find/summarize-run.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { readListedRun, resumeJournal } from '../../runs/store/open-journal.ts';
import type { Destination } from '../../runs/store/run-header.ts';
import { type FinalState, type OpenRun, type RunContext, withProgress } from '../data/run-context.ts';
import type { RunOptions } from '../data/run-options.ts';
import { renamedError } from './renamed-destination.ts';
import { isSameAccount, recordApiKey, recordedAccount } from './same-account.ts';

/**
 * Opens the run that `runs resume` names. The run reads its input copies. If an input file has changed since the run
 * began, the report says so, and the run goes on with its copy (D5).
 */
export async function resumeRun<T extends RunOptions>(
  runId: string,
  options: T,
  destination: Destination | undefined,
  context: RunContext,
): Promise<OpenRun<T>> {
  // Another process may have finished the run while this one waited for the lock of the destination.
  const summary = summarizeRun(context.stateFolder, runId);
  if (summary.overtakenBy === undefined) {
    refuseFinished(summary);
  }
  const previousEnd = finalStateOf(context.stateFolder, runId);
  const journal = resumeJournal(context.stateFolder, runId);
  try {
    await checkDestination(journal, destination, context);
    await checkAccount(journal, context);
    refuseOvertaken(journal, { command: context.commandWith?.(''), changes: [] });
    await checkCopies(journal);
    const changedInputs = await changedOriginals(journal.header.inputs);
    for (const message of changedInputs) {
      context.emit({ type: 'note', message });
    }
    return withProgress({
      ...context,
      options,
      journal,
      resumed: true,
      inputCopies: inputCopiesOf(journal),
      previousEnd,
      changedInputs,
      findEarlierRun: () => undefined,
      addEarlierAnswers: (reading: ReadingOptions) => reading,
      noteOtherRejects: () => {},
    });
  } catch (error) {
    restorePreviousEnd(journal, previousEnd);
    journal.close();
    throw error;
  }
}

export function inputCopiesOf({ header, files }: Journal): OpenRun['inputCopies'] {
  return { files: copiedFiles(header.inputs, files.inputs), record: () => Promise.resolve(header.inputs) };
}

export function finalStateOf(stateFolder: string, runId: string): FinalState | undefined {
  const ended = readListedRun(stateFolder, runId, (journal) => journal.state);
  const { status, exitCode, endedAt } = ended ?? {};
  return status === undefined || exitCode === undefined || endedAt === undefined
    ? undefined
    : { status, exitCode, endedAt };
}

/**
 * Restores the earlier status of a run, after a resume that did nothing. `previousEnd` is undefined for a killed run.
 */
export function restorePreviousEnd(journal: Journal, previousEnd: FinalState | undefined): void {
  if (previousEnd) {
    journal.setStatus(previousEnd.status, previousEnd.exitCode, previousEnd.endedAt);
  }
}

/**
 * Refuses to resume a run at another origin (K4). Called before any request, because another origin would respond 404,
 * as if the audience were deleted.
 */
export function requireSameOrigin(
  runId: string,
  { stateFolder, account }: Pick<RunContext, 'stateFolder' | 'account'>,
): void {
  const origin = readListedRun(stateFolder, runId, ({ header }) => header.origin);
  if (origin !== undefined && origin !== account?.origin) {
    throw otherAccountError(
      runId,
      `it was begun at ${terminalSafe(origin)}, not at ${terminalSafe(account?.origin ?? 'no service')}`,
      hintForOrigin(origin),
    );
  }
}

/**
 * Refuses to resume a run at another audience or automation (K4). Another API key of the same account is allowed. If a
 * run was killed while it created its audience, it knows only the name. If the resume uses another key, svc refuses an
 * audience of that name that is older than the run: the run can't have created it.
 */
async function checkDestination(journal: Journal, found: Destination | undefined, context: RunContext): Promise<void> {
  const { account } = context;
  const { destination, run, keyFingerprint } = journal.header;
  const isOther = destination?.kind === 'new audience' && keyFingerprint !== account?.keyFingerprint;
  if (isOther && found?.kind === 'audience' && Date.parse(found.createdAt) < earliestStart(journal)) {
    const why = `it was to create the audience "${terminalSafe(destination.name)}", but the audience of that name in this account is older than the run`;
    throw otherAccountError(run, why);
  }
  if (destination && destination.kind !== 'new audience' && !isSame(destination, found)) {
    const { kind, name, id, createdAt } = destination;
    if (found?.id === id && isSameInstant(found.createdAt, createdAt)) {
      throw await renamedError(journal, found, context);
    }
    throw otherAccountError(
      run,
      `its ${kind} was "${terminalSafe(name)}" (${terminalSafe(id)}), but this command found another one`,
    );
  }
}

/** Refuses to resume a run that wrote suppressions, unless this is certainly the account that it wrote to (K4). */
async function checkAccount(journal: Journal, context: RunContext): Promise<void> {
  if (!(await isSameAccount(recordedAccount(journal), context))) {
    const { run } = journal.header;
    const why = 'it was begun with another API key, and nothing shows that this key is of the same account';
    throw new SvcError(EXIT.usage, 'another_destination', `${run} can't continue here: ${why}`, {
      hint: `Give the key that it was begun with. If you no longer have that key, run the command of this run again: it sends the whole list once more. Then: svc runs delete ${run} --confirm ${run}`,
    });
  }
  recordApiKey(journal, context);
}

/** Refuses to resume a run whose input copies are damaged. */
async function checkCopies({ header: { run, inputs }, files }: Journal): Promise<void> {
  const damage = await findDamagedCopy(inputs, files.inputs);
  if (damage !== undefined) {
    throw new SvcError(EXIT.usage, 'input_copy_damaged', `${run} can't continue: ${damage}`, {
      hint: 'Run the command of this run again with the file as it was then: it continues this run with the new copy.',
    });
  }
}

/**
 * The earliest time at which the run can have begun, by the clock of the service. That clock also sets the creation
 * dates of audiences. If no response showed the time of the service, the local clock counts.
 */
function earliestStart({ header: { startedAt, serviceTime } }: Journal): number {
  return serviceTime === undefined ? startedAt - CLOCK_ERROR_MS : serviceTime - SERVICE_CLOCK_ERROR_MS;
}

// How far the clock of this machine may be ahead of the clock of the service.
const CLOCK_ERROR_MS = 5 * 60_000;
// How far two times of the service may differ: `Date` headers have whole seconds, and there may be several clocks.
const SERVICE_CLOCK_ERROR_MS = 60_000;

/**
 * True if both are the same destination. A renamed audience counts as another audience until the user confirms it. A
 * renamed automation stays the same, because the user typed its id.
 */
function isSame(destination: Destination, found: Destination | undefined): boolean {
  const isRenamed = destination.kind !== 'automation' && found?.name !== destination.name;
  return found?.id === destination.id && isSameInstant(found.createdAt, destination.createdAt) && !isRenamed;
}

const SAME_ACCOUNT =
  'Give the base URL and a key of the same account. A run begun with --emulator-data needs that folder again.';

function otherAccountError(runId: string, why: string, hint = SAME_ACCOUNT): SvcError {
  return new SvcError(EXIT.usage, 'another_destination', `${runId} can't continue here: ${why}`, { hint });
}
