import { copiedFiles } from '../../import/source/input-copy.ts';
import { changedOriginals } from '../../import/source/input-watch.ts';
import { refuseOvertaken } from '../../runs/find/same-audience.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { readListedRun, resumeJournal } from '../../runs/store/open-journal.ts';
import type { Destination } from '../../runs/store/run-header.ts';
import type { RunOptions } from '../options.ts';
import { type FinalState, type OpenRun, type RunContext, withProgress } from '../run-context.ts';
import { checkAccount, checkCopies, checkDestination } from './resume-checks.ts';

/** Opens the run that `runs resume` names. It reads its input copies, and only reports changed input files (D5). */
export async function resumeRun<T extends RunOptions>(
  run: string,
  options: T,
  destination: Destination | undefined,
  context: RunContext,
): Promise<OpenRun<T>> {
  const previousEnd = finalStateOf(context.stateFolder, run);
  const journal = resumeJournal(context.stateFolder, run);
  try {
    checkDestination(journal, destination, context);
    await checkAccount(journal, context);
    refuseOvertaken(journal);
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
      inputCopies: copiesOf(journal),
      previousEnd,
      changedInputs,
    });
  } catch (error) {
    restorePreviousEnd(journal, previousEnd);
    journal.close();
    throw error;
  }
}

export function copiesOf({ header, files }: Journal): OpenRun['inputCopies'] {
  return { files: copiedFiles(header.inputs, files.inputs), confirm: () => Promise.resolve() };
}

export function finalStateOf(stateFolder: string, run: string): FinalState | undefined {
  const ended = readListedRun(stateFolder, run, (journal) => journal.state);
  const { status, exitCode, endedAt } = ended ?? {};
  return status === undefined || exitCode === undefined || endedAt === undefined
    ? undefined
    : { status, exitCode, endedAt };
}

/** Gives a run the status from before a resume that did nothing. `previousEnd` is undefined for a killed run. */
export function restorePreviousEnd(journal: Journal, previousEnd: FinalState | undefined): void {
  if (previousEnd) {
    journal.setStatus(previousEnd.status, previousEnd.exitCode, previousEnd.endedAt);
  }
}
