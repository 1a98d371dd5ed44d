import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { type Journal, openEndedJournal } from '../store/journal.ts';
import { listReadableRuns } from './list-runs.ts';
import { isCheck, OVERTAKEN_BY, overtakenBy } from './run-status.ts';

/**
 * A run that is about to write contacts. `audienceIds`: the id of its audience, and the one that stands for it before
 * it is created.
 */
interface Writer {
  readonly run: string;
  readonly origin: string;
  readonly audienceIds: readonly string[];
}

/**
 * Called before a run writes contacts. Marks each other unfinished run of the audience as overtaken, in its run.db. The
 * rest of such a list is older: it would replace newer data, and sign up people who opted out since (G10).
 */
export function markOvertaken(state: string, { run, origin, audienceIds }: Writer): void {
  const overtaken = listReadableRuns(state).filter(
    (other) =>
      other.run !== run &&
      other.origin === origin &&
      other.finished === false &&
      !isCheck(other.command) &&
      audienceIds.some((id) => id === other.audienceId),
  );
  for (const other of overtaken) {
    const journal = openEndedJournal(state, other.run);
    try {
      journal.note(OVERTAKEN_BY, run);
    } finally {
      journal.close();
    }
  }
}

/** Throws if a newer run overtook this one (G10). */
export function refuseOvertaken(journal: Pick<Journal, 'run' | 'read' | 'requests'>): void {
  const by = overtakenBy(journal);
  if (by !== undefined) {
    const message = `${journal.run} can't continue: ${by} wrote to the same audience since, and the list of ${journal.run} may be older`;
    throw new SvcError(EXIT.refused, 'overtaken', message, { hint: hintForOvertaken(journal) });
  }
}

/** What the user can do about an overtaken run, as a hint. */
export function hintForOvertaken({ run, requests }: Pick<Journal, 'run' | 'requests'>): string {
  const confirm = requests.unknownRows() > 0 ? ` --confirm ${run}` : '';
  return `If its list is the newest, give its command again: a new run sends the whole list. If not: svc runs delete ${run}${confirm}`;
}
