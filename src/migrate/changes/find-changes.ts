import type { Surveyed } from '../../import/batch/row-outcome.ts';
import type { Reading } from '../../import/survey/survey-types.ts';
import { type ContactLedger, findContactLedger, openContactLedger } from '../../runs/contact-ledger.ts';
import { hasSentRequests } from '../../runs/find/run-status.ts';
import { LIMITS } from '../../wire/limits.ts';
import { type ChangeCounts, type ChangeSearch, type Changes, compareWithLedger } from './compare-ledger.ts';

const NOTE = 'changes';

/**
 * Compares a list with the ledger. The result is stored with the run, so that a resume sends the same batches even if
 * the ledger changed (G4). Undefined without --only-changed.
 */
export async function findChanges(
  run: ChangeSearch,
  surveyed: Surveyed & { reading: Reading },
): Promise<Changes | undefined> {
  const { options, journal } = run;
  if (!options.changes) {
    return undefined;
  }
  const recorded = journal.read(NOTE) as RecordedChanges | undefined;
  if (recorded && hasSentRequests(journal)) {
    return { counts: recorded.counts, unchanged: Buffer.from(recorded.unchanged, 'base64') };
  }
  const ledger = ledgerOf(run);
  try {
    const changes = await compareWithLedger(run, surveyed, ledger);
    const unchanged = Buffer.from(changes.unchanged).toString('base64');
    journal.note(NOTE, { counts: changes.counts, unchanged } satisfies RecordedChanges);
    return changes;
  } finally {
    ledger?.close();
  }
}

interface RecordedChanges {
  readonly counts: ChangeCounts;
  readonly unchanged: string;
}

/** The survey of the people who are sent. */
export function withoutUnchanged(reading: Reading, changes: Changes | undefined): Reading {
  if (!changes) {
    return reading;
  }
  const { unchanged, unchangedOptOuts } = changes.counts;
  const contacts = reading.contacts - unchanged;
  return {
    ...reading,
    contacts,
    unsubscribed: reading.unsubscribed - unchangedOptOuts,
    batches: Math.ceil(contacts / LIMITS.batchItems),
    unchanged,
  };
}

/** A dry run makes no ledger. An audience that must still be created has none. */
function ledgerOf({ options, account, state, randomHex, target }: ChangeSearch): ContactLedger | undefined {
  if (!account || target?.kind !== 'found') {
    return undefined;
  }
  const place = { state, origin: account.origin, audienceId: target.audience.id };
  return options.dryRun ? findContactLedger(place) : openContactLedger(place, randomHex);
}
