import { EXIT, SvcError } from '../../base/lib/errors.ts';
import type { Journal } from '../store/journal.ts';
import { openEndedJournal } from '../store/open-journal.ts';
import type { RunHeader } from '../store/run-header.ts';
import { listReadableRuns, wasNeverAgreed } from './list-runs.ts';
import { commandToDelete, isComparisonCommand, OVERTAKEN_BY_NOTE, overtakenBy } from './run-status.ts';
import type { RunSummary } from './summarize-run.ts';

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
 * Called before the first byte of a contact request. Marks each other unfinished run that would write to this audience
 * as overtaken, in the run.db of that run. The rest of its list is older: it would replace newer data, and sign up
 * people who opted out since (G10). A run that sends only opt-outs of other files is not marked: it signs no person up,
 * and its opt-outs may be in no other list.
 */
export function markOvertaken(stateFolder: string, writer: WritingRun): void {
  const canContinue = (other: RunSummary) => other.onlyOptOuts === true && !hasFileOf(other, writer);
  mark(
    stateFolder,
    findRivals(stateFolder, writer).filter((rival) => !canContinue(rival)),
    writer.run,
  );
}

/**
 * Like `markOvertaken`, for a list without a contact to write. Marks only runs of the same files, because such a list
 * says nothing about the people of other lists.
 */
export function markOlderVersions(stateFolder: string, writer: WritingRun): void {
  mark(
    stateFolder,
    findRivals(stateFolder, writer).filter((rival) => hasFileOf(rival, writer)),
    writer.run,
  );
}

/** Called if no contact request of a run had an effect. Then the runs that it marked can continue. */
export function withdrawMarks(stateFolder: string, run: string): void {
  const marked = listReadableRuns(stateFolder).filter((other) => other.overtakenBy === run);
  mark(stateFolder, marked, undefined);
}

function mark(stateFolder: string, runs: readonly RunSummary[], overtakingRun: string | undefined): void {
  for (const { run } of runs) {
    const journal = openEndedJournal(stateFolder, run);
    try {
      journal.writeNote(OVERTAKEN_BY_NOTE, overtakingRun);
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

/** The recorded command of a run, to give again. */
export interface RecordedCommand {
  /** With file paths for the current folder. Undefined if the run recorded none, or if its list has changed. */
  readonly command: string | undefined;
  /** Says which files of the list have changed since the run began, one sentence for each. */
  readonly changes: readonly string[];
}

type OvertakenJournal = Pick<Journal, 'header' | 'run' | 'readNote' | 'requests'>;

/** Throws if a newer run overtook the run of this journal (G10). */
export function refuseOvertaken(journal: OvertakenJournal, recorded: RecordedCommand): void {
  const overtakingRun = overtakenBy(journal);
  if (overtakingRun !== undefined) {
    const message = `${journal.run} can't continue: ${overtakingRun} wrote to the same audience since, and the list of ${journal.run} may be older`;
    throw new SvcError(EXIT.refused, 'overtaken', message, { hint: hintForOvertaken(journal, recorded) });
  }
}

const AGAIN = 'If its list is the newest, or is about other people, a new run of its command sends the whole list';

/** What the user can do about a run that can't continue because a newer run wrote to the same audience. */
export function hintForOvertaken(journal: OvertakenJournal, recorded: RecordedCommand): string {
  const { command } = recorded;
  return `${howToSendAgain(recorded)}${command === undefined ? '. ' : `:\n${command}\n`}If not: ${commandToDelete(journal)}`;
}

/** Like `hintForOvertaken`, as the next steps of a report: each of them is one line. */
export function stepsForOvertaken(journal: OvertakenJournal, recorded: RecordedCommand): readonly string[] {
  const { command } = recorded;
  const again = howToSendAgain(recorded);
  return [`${again}${command === undefined ? '' : `: ${command}`}`, `If not: ${commandToDelete(journal)}`];
}

/** How to send the list of an overtaken run. If the list has changed, its command would send another one. */
function howToSendAgain({ changes }: RecordedCommand): string {
  return changes.length === 0
    ? AGAIN
    : `${changes.join(' ')} If the old list is the newest, or is about other people, give it to a new run`;
}
