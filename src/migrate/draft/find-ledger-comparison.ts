import type { SurveyedList } from '../../import/batch/row-decision.ts';
import type { RereadableSurvey } from '../../import/survey/survey-types.ts';
import { type FoundLedger, lookUpContactLedger } from '../../ledgers/open-contact-ledger.ts';
import { hasSentRequests, LOOKED_UP_NOTE } from '../../runs/find/run-status.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { ChangeCounts } from '../contact-ledger/change-counts.ts';
import { compareWithLedger, type LedgerComparison } from '../contact-ledger/compare-ledger.ts';
import { findLostLedger, noteComparedLedger } from '../contact-ledger/lost-ledger.ts';
import type { LedgerContext } from '../contact-ledger/mark-unchanged.ts';
import { noteAskedAt } from '../contact-ledger/newer-list.ts';

const LEDGER_COMPARISON_NOTE = 'changes';

/**
 * Compares the list with the contact ledger, and stores the result with the run. A resume then sends the same batches
 * even if the ledger has changed (G4). Undefined without --only-changed, --full and --gone.
 */
export async function findLedgerComparison(
  run: LedgerContext,
  surveyed: SurveyedList & { readonly survey: RereadableSurvey },
): Promise<LedgerComparison | undefined> {
  const { options, journal, locks } = run;
  if (!options.changes) {
    return undefined;
  }
  noteAskedAt(journal, locks.start.askedAt);
  const recorded = journal.readNote(LEDGER_COMPARISON_NOTE) as RecordedComparison | undefined;
  if (recorded && hasSentRequests(journal)) {
    const unchanged = Buffer.from(recorded.unchanged, 'base64');
    const lookedUp = (journal.readNote(LOOKED_UP_NOTE) ?? []) as LedgerComparison['lookedUp'];
    return { counts: recorded.counts, unchanged, joined: new Uint8Array(), lookedUp, lookedUpAt: undefined };
  }
  const found = lookUpLedger(run);
  const ledger = found && 'ledger' in found ? found.ledger : undefined;
  try {
    const lost = found && findLostLedger(run, surveyed.survey, found);
    const comparison = await compareWithLedger(run, surveyed, { ledger, lost });
    noteComparedLedger(journal, comparison.counts.lost?.damaged ? undefined : ledger);
    const unchanged = Buffer.from(comparison.unchanged).toString('base64');
    const { counts, lookedUp } = comparison;
    journal.writeNote(LOOKED_UP_NOTE, lookedUp);
    journal.writeNote(LEDGER_COMPARISON_NOTE, { counts, unchanged } satisfies RecordedComparison);
    return comparison;
  } finally {
    ledger?.close();
  }
}

interface RecordedComparison {
  readonly counts: ChangeCounts;
  readonly unchanged: string;
}

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
 * The contact ledger of the audience. Changes nothing, because the user may decline the plan. Undefined without an
 * account, and for an audience that must still be created.
 */
function lookUpLedger({ account, stateFolder, target }: LedgerContext): FoundLedger | undefined {
  if (!account || target?.kind !== 'found') {
    return undefined;
  }
  return lookUpContactLedger({ stateFolder, origin: account.origin, audienceId: target.audience.id });
}
