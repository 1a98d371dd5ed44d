import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { hasEnrollmentLedger } from '../../runs/enrollment-ledger.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { ENROLL_COMMAND } from './options.ts';

interface LedgerPlace {
  readonly stateFolder: string;
  readonly origin: string;
  readonly automationId: string;
}

/**
 * Refuses to make a new ledger for an automation in which a recorded run enrolled people. The ledger was removed, so
 * svc would enroll these people again (M5). Called before the ledger is opened, which creates it.
 */
export function refuseLostLedger({ stateFolder, origin, automationId }: LedgerPlace): void {
  if (hasEnrollmentLedger(stateFolder, origin, automationId)) {
    return;
  }
  const earlier = listReadableRuns(stateFolder).find(
    ({ command, hasSent, destinationId, ...run }) =>
      command === ENROLL_COMMAND && hasSent && run.origin === origin && destinationId === automationId,
  );
  if (earlier) {
    const message = `nothing was sent: ${earlier.run} enrolled people in ${terminalSafe(automationId)}, and the record of whom svc enrolled there is gone`;
    const hint = `Restore the folder "ledgers" of ${stateFolder} from a backup.\nOnly to enroll all people of a list again: --reenroll`;
    throw new SvcError(EXIT.refused, 'lost_ledger', message, { hint });
  }
}
