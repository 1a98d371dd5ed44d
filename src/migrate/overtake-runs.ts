import { throwIfBug } from '../base/os/storage-error.ts';
import type { Survey } from '../import/survey/survey-types.ts';
import type { OpenRun, WriteContext } from '../run-lifecycle/data/run-context.ts';
import { markOlderVersions, markOvertaken, withdrawMarks } from '../runs/find/overtaken.ts';
import { writingRunOf } from './audience/target.ts';

type MarkingRun = Pick<OpenRun, 'stateFolder' | 'journal'>;

/**
 * Does `work`, which calls `overtake` before the first byte of a contact request. If the work fails, and no contact
 * request had an effect, then this run overtook no other run (G10).
 */
export async function withMarks(
  { stateFolder, journal }: MarkingRun,
  audienceId: string,
  work: (overtake: () => void) => Promise<void>,
): Promise<void> {
  let isMarked = false;
  const overtake = () => {
    if (!isMarked) {
      throwIfLost(journal);
      markOvertaken(stateFolder, writingRunOf(journal.header, audienceId));
      isMarked = true;
    }
  };
  try {
    await work(overtake);
  } catch (error) {
    withdrawMarksOfNoEffect({ stateFolder, journal });
    throw error;
  }
}

/**
 * Withdraws the marks if no contact request had an effect. If this fails, the other runs stay overtaken, which is safe.
 * So the error that ended the run counts more. Does nothing if the files of the run were replaced (D8): SQLite would
 * merge the write-ahead log of this run into a foreign file.
 */
function withdrawMarksOfNoEffect({ stateFolder, journal }: MarkingRun): void {
  try {
    if (!journal.problemIfLost() && !journal.requests.mayHaveWrittenContacts()) {
      withdrawMarks(stateFolder, journal.run);
    }
  } catch (error) {
    throwIfBug(error);
  }
}

/**
 * Marks the runs that a list overtakes although svc had no contact to send. If the list has contacts, each is unchanged
 * since an earlier import, so the audience has this list now.
 */
export function overtakeWithoutRequest(
  context: WriteContext,
  { contacts, unchanged = 0 }: Pick<Survey, 'contacts' | 'unchanged'>,
  audienceId: string,
): void {
  if (contacts + unchanged > 0) {
    context.overtake?.();
  } else {
    markOlderVersions(context.stateFolder, writingRunOf(context.journal.header, audienceId));
  }
}

function throwIfLost({ problemIfLost }: OpenRun['journal']): void {
  const lost = problemIfLost();
  if (lost) {
    throw lost;
  }
}
