import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { CANARY_NAME, OPEN_OPT_OUTS_NOTE } from '../../runs/find/run-status.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { openEndedJournal, readListedRun } from '../../runs/store/open-journal.ts';
import { noteSubscribedSince } from '../compare/subscribed-since.ts';
import {
  type CanaryRecord,
  contactsAtRisk,
  NONE_SIGNED_UP_NOTE,
  type OptOutItem,
  optOutsOfProbes,
  readCanaryRecord,
  wasNotPending,
} from './canary-record.ts';
import { createWrittenTest } from './may-be-written.ts';
import { commandThatShowsOptedOut } from './read-back-hint.ts';
import { addressesOf, findSubscribed, noteConfirmed, rollBack } from './roll-back.ts';

/**
 * Refuses to write contacts if an earlier run showed that the service signs opted-out people up again (C1). Other flags
 * or another list would not change that. An earlier run may also have been killed before it read its people back. In
 * that case svc reads these people back now, and opts them out again if needed. If an earlier run read its canary back
 * and did not end, svc only names the people of the canary who are subscribed now.
 */
export async function refuseUnresolvedSignUps(context: WriteContext, audienceId: string): Promise<void> {
  const { stateFolder, journal } = context;
  const { origin, run: own } = journal.header;
  const others = listReadableRuns(stateFolder).filter((other) => other.run !== own && other.origin === origin);
  for (const { run, finished } of others) {
    const suspect = readListedRun(stateFolder, run, (journal) => readSuspect(journal, audienceId, finished));
    if (suspect && (await rollBackEarlierRun(context, run, suspect))) {
      throw new SvcError(
        EXIT.unverified,
        'first_batch',
        `no row was sent: ${run} showed that this service signs opted-out people up again, and nothing shows that this was corrected`,
        {
          hint: `Mark each person who opted out as unsubscribed in the list (${suspect.shownBy}), or ask the service to correct this. Then: svc runs delete ${run}`,
        },
      );
    }
  }
}

/**
 * An earlier run whose people the service signed up again, or may have signed up, because svc did not read them back.
 */
interface Suspect {
  readonly record: CanaryRecord;
  /** The contacts that opt the people of that run out again. Pending people may have confirmed since. */
  readonly people: readonly OptOutItem[];
  /**
   * Opted-out people of a canary that was read back once. A run reads them a second time at its end, but this run did
   * not get there.
   */
  readonly unconfirmed: readonly OptOutItem[];
  /** The words that say which command shows the people who left. */
  readonly shownBy: string;
}

function readSuspect(journal: Journal, audienceId: string, isFinished: boolean | undefined): Suspect | undefined {
  const record = readCanaryRecord(journal);
  if (record?.audienceId !== audienceId || journal.readNote(NONE_SIGNED_UP_NOTE) === true) {
    return undefined;
  }
  const probes = record.probes.filter(createWrittenTest(journal, { name: CANARY_NAME, items: record.probes }));
  const mayHaveEffect = (request: string) => journal.requests.stateOf(request).mayHaveEffect;
  const people = contactsAtRisk({ ...record, probes }, mayHaveEffect);
  const isUnconfirmed = isFinished === false && !record.signedUp && record.batchesRead !== undefined;
  const unconfirmed = isUnconfirmed ? optOutsOfProbes(record.probes) : [];
  const shownBy = commandThatShowsOptedOut(journal);
  const isSuspect = record.signedUp !== undefined || people.length + unconfirmed.length > 0;
  return isSuspect ? { record, people, unconfirmed, shownBy } : undefined;
}

/**
 * Reads the people of an earlier run back, and opts out those who are subscribed. True if that run signed people up.
 */
async function rollBackEarlierRun(
  context: WriteContext,
  runId: string,
  { record, people: all, unconfirmed }: Suspect,
): Promise<boolean> {
  if (all.length === 0 && record.signedUp) {
    return true;
  }
  await noteConfirmed(context, record.audienceId, unconfirmed);
  const back = await findSubscribed(context, record.audienceId, unconfirmed.filter(wasNotPending));
  if (back.length > 0) {
    const message = `After ${runId}, which did not end, people are subscribed who had opted out: ${addressesOf(back)}. They came back on their own, or the service signed them up. svc cannot tell which.`;
    noteSubscribedSince(context, message);
  }
  await noteConfirmed(context, record.audienceId, record.signedUp ? [] : all);
  const people = record.signedUp ? all : all.filter(wasNotPending);
  const journal = openEndedJournal(context.stateFolder, runId);
  try {
    const open = await findSubscribed(context, record.audienceId, people);
    if (open.length === 0 && !record.signedUp) {
      journal.writeNote(NONE_SIGNED_UP_NOTE, true);
      journal.writeNote(OPEN_OPT_OUTS_NOTE, 0);
      return false;
    }
    const who = open.map(({ contact }) => terminalSafe(contact.email)).join(', ');
    const message = `after ${runId}, people are subscribed again who had opted out: ${who}`;
    // If fewer people are left to opt out, the request has another body and needs another key.
    const isSame = record.signedUp?.open.length === open.length;
    const mark = isSame ? record.signedUp.mark : context.randomHex(8);
    const signedUp = record.signedUp ? { ...record.signedUp, mark } : { message, byCount: false, mark, open };
    noteSubscribedSince(context, `Opting these people out again, because ${runId} signed them up: ${who}`);
    await rollBack(context, journal, { ...record, signedUp: { ...signedUp, open } });
    return true;
  } finally {
    journal.close();
  }
}
