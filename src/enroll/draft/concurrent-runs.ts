import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { ENROLL_COMMAND } from './enroll-options.ts';

/**
 * Called when a command is given, before it waits for the lock of the automation. Returns a function that lists the ids
 * of the runs that enrolled people in the automation since then, its own run among them: all runs that were not
 * finished when the command was given (I11). The clock plays no part, because it may be set back (P7).
 */
export function watchEnrollments(stateFolder: string, automationId: string): () => readonly string[] {
  const runsHere = () =>
    listReadableRuns(stateFolder).filter(
      ({ command, destinationId }) => command === ENROLL_COMMAND && destinationId === automationId,
    );
  const isOver = ({ finished, status }: ReturnType<typeof runsHere>[number]) =>
    finished === true && status !== 'running';
  const finishedBefore = new Set(
    runsHere()
      .filter(isOver)
      .map(({ run }) => run),
  );
  return () =>
    runsHere()
      .map(({ run }) => run)
      .filter((run) => !finishedBefore.has(run));
}
