import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { knownRuns } from '../../runs/find/list.ts';
import { type Journal, peekRun } from '../../runs/store/journal.ts';
import { signedPeopleUp } from './first-batch-note.ts';

/** Whose proof counts: that of other runs at the same place. */
interface Place {
  readonly state: string;
  readonly journal: Journal;
  readonly audienceId: string;
}

/**
 * Refuses to write contacts where an earlier run was stopped because the service signed people up again who had left:
 * other flags or another list don't change that, and the next batch might hold people whom nobody puts back (rule C1).
 */
export function refuseUnmended({ state, journal, audienceId }: Place): void {
  const { origin, run: own } = journal.header;
  const earlier = knownRuns(state).find(
    (run) => run.run !== own && run.origin === origin && wasStopped(state, run.run, audienceId),
  );
  if (earlier) {
    throw new SvcError(
      EXIT.unverified,
      'first_batch',
      `nothing was sent: ${earlier.run} showed that this service signs people up again who left, and nothing shows that it was mended`,
      {
        hint: `Give everybody who left their state in the list ("svc contacts export" shows it), or have the service mended. Then: svc runs delete ${earlier.run}`,
      },
    );
  }
}

function wasStopped(state: string, run: string, audienceId: string): boolean {
  return peekRun(state, run, (journal) => signedPeopleUp(journal, audienceId)) === true;
}
