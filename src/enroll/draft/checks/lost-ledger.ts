import { EXIT, SvcError } from '../../../base/lib/errors.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { type EnrollmentLedger, hasEnrollmentLedger } from '../../../ledgers/enrollment-ledger.ts';
import { listReadableRuns, listRuns } from '../../../runs/find/list-runs.ts';
import { commandToDelete } from '../../../runs/find/run-status.ts';
import type { RunSummary } from '../../../runs/find/summarize-run.ts';
import type { Journal } from '../../../runs/store/journal.ts';
import { tryReadRun } from '../../../runs/store/open-journal.ts';
import { ENROLL_COMMAND } from '../enroll-options.ts';

interface LedgerPlace {
  readonly stateFolder: string;
  readonly origin: string;
  readonly automationId: string;
}

/**
 * Throws if the automation has no ledger although a recorded run enrolled people in it. The ledger was removed, so svc
 * would enroll these people again (M5). Call it before the ledger is opened, because opening makes a new one.
 */
export function refuseLostLedger({ stateFolder, origin, automationId }: LedgerPlace): void {
  if (hasEnrollmentLedger(stateFolder, origin, automationId)) {
    return;
  }
  const earlier = listReadableRuns(stateFolder).find(isEnrollmentIn({ origin, automationId }));
  if (earlier) {
    const message = `nothing was sent: ${earlier.run} enrolled people in ${terminalSafe(automationId)}, and the record of whom svc enrolled there is gone`;
    const hint = `Restore the folder "ledgers" of ${stateFolder} from a backup.\nOnly to enroll all people of a list again: --reenroll`;
    throw new SvcError(EXIT.refused, 'lost_ledger', message, { hint });
  }
}

/** Makes a test for runs that enrolled people in this automation, or may have. */
export function isEnrollmentIn({ origin, automationId }: Pick<LedgerPlace, 'origin' | 'automationId'>) {
  return ({ command, hasSent, destinationId, ...run }: RunSummary) =>
    command === ENROLL_COMMAND && hasSent === true && run.origin === origin && destinationId === automationId;
}

/** The name of a note in run.db: the newest mark that the run left in the ledger. */
const LEDGER_MARK_NOTE = 'ledger_mark';

/**
 * Leaves a higher mark in the ledger, and then in the journal. Called before and after a run writes to the ledger. So a
 * ledger with a lower mark than the journal is an older copy, which lacks people of the run.
 */
export function markLedger({
  journal,
  ledger,
}: {
  readonly journal: Journal;
  readonly ledger: EnrollmentLedger;
}): void {
  const newest = ledger.markOf(journal.run);
  if (newest < markIn(journal)) {
    // This ledger lacks people of the run, even after a resume. Its mark stays lower, so that other runs refuse it.
    return;
  }
  const mark = newest + 1;
  ledger.writeMark(journal.run, mark);
  journal.writeNote(LEDGER_MARK_NOTE, mark);
}

function markIn(journal: Pick<Journal, 'readNote'>): number {
  return (journal.readNote(LEDGER_MARK_NOTE) as number | undefined) ?? 0;
}

/**
 * Refuses a ledger that was restored from a backup older than a recorded run, because it may lack the people of that
 * run (M5). `ownRun` is left out, because a resume knows its people from its own journal.
 */
export function refuseOlderLedger(
  ledger: EnrollmentLedger,
  { stateFolder, ownRun, ...place }: LedgerPlace & { readonly ownRun?: string },
): void {
  const isIn = isEnrollmentIn(place);
  for (const { run } of listRuns(stateFolder).filter((summary) => summary.run !== ownRun && isIn(summary))) {
    // Leaves out a run that can't be read now. A different check reports it, and a resume must not fail because of it.
    const read = tryReadRun(stateFolder, run, (journal) => ({
      mark: markIn(journal),
      toDelete: commandToDelete(journal),
    }));
    if (read && read.mark > ledger.markOf(run)) {
      const message = `nothing was sent: the record of whom svc enrolled in ${terminalSafe(place.automationId)} is older than ${run}, which enrolled people there`;
      const hint = `Restore the newest copy of ${stateFolder}/ledgers from a backup.\nOnly if svc may enroll the people of ${run} again:\n${read.toDelete}`;
      throw new SvcError(EXIT.refused, 'lost_ledger', message, { hint });
    }
  }
}
