import type { SurveyedList } from '../../import/batch/row-decision.ts';
import type { RereadableSurvey } from '../../import/survey/survey-types.ts';
import type { ContactLedger } from '../../runs/contact-ledger.ts';
import { hasSentRequests } from '../../runs/find/run-status.ts';
import { findContactLedger, openContactLedger } from '../../runs/open-contact-ledger.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { ChangeCounts } from '../contact-ledger/change-counts.ts';
import { compareWithLedger, type LedgerComparison, type LedgerContext } from '../contact-ledger/compare-ledger.ts';

const LEDGER_COMPARISON_NOTE = 'changes';

/**
 * Compares the list with the contact ledger, and stores the result with the run. A resume then sends the same batches
 * even if the ledger has changed (G4). Undefined without --only-changed, --full and --gone.
 */
export async function findLedgerComparison(
  run: LedgerContext,
  surveyed: SurveyedList & { readonly survey: RereadableSurvey },
): Promise<LedgerComparison | undefined> {
  const { options, journal } = run;
  if (!options.changes) {
    return undefined;
  }
  const recorded = journal.readNote(LEDGER_COMPARISON_NOTE) as RecordedComparison | undefined;
  if (recorded && hasSentRequests(journal)) {
    const unchanged = Buffer.from(recorded.unchanged, 'base64');
    return { counts: recorded.counts, unchanged, joined: new Uint8Array() };
  }
  const ledger = ledgerOf(run);
  try {
    const comparison = await compareWithLedger(run, surveyed, ledger);
    const unchanged = Buffer.from(comparison.unchanged).toString('base64');
    journal.writeNote(LEDGER_COMPARISON_NOTE, { counts: comparison.counts, unchanged } satisfies RecordedComparison);
    return comparison;
  } finally {
    ledger?.close();
  }
}

type RecordedComparison = { readonly counts: ChangeCounts; readonly unchanged: string };

/** The survey without the unchanged people, so that it counts only the people to send. */
export function withoutUnchanged(survey: RereadableSurvey, comparison: LedgerComparison | undefined): RereadableSurvey {
  if (!comparison) {
    return survey;
  }
  const { unchanged, unchangedOptOuts } = comparison.counts;
  const contactCount = survey.contacts - unchanged;
  return {
    ...survey,
    contacts: contactCount,
    unsubscribed: survey.unsubscribed - unchangedOptOuts,
    batches: Math.ceil(contactCount / LIMITS.batchItems),
    unchanged,
  };
}

/**
 * The contact ledger of the audience. Undefined without an account, for an audience that must still be created, and
 * perhaps in a dry run, which creates no ledger.
 */
function ledgerOf({ options, account, stateFolder, randomHex, target }: LedgerContext): ContactLedger | undefined {
  if (!account || target?.kind !== 'found') {
    return undefined;
  }
  const { id: audienceId, name: audienceName } = target.audience;
  const location = { stateFolder, origin: account.origin, audienceId, audienceName };
  return options.dryRun ? findContactLedger(location) : openContactLedger(location, randomHex);
}
