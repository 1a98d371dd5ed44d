import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { joinAtMost, shellWord, terminalSafe } from '../../base/lib/text.ts';
import { type ContactItem, contactBody } from '../../import/batch/cut-batches.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { commandToDelete, keepsLostDates, OPEN_OPT_OUTS_NOTE } from '../../runs/find/run-status.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { openEndedJournal, readListedRun } from '../../runs/store/open-journal.ts';
import type { Contact } from '../../wire/shapes.ts';
import { noteRolledBackDates } from '../report/consent-file.ts';
import type { WriteContext } from '../run-context.ts';
import { compareOptOutDate } from '../verify/compare-contact.ts';
import { lookUpContact } from '../verify/look-up.ts';
import { createWrittenTest } from '../verify/may-be-written.ts';
import { withKnownSpelling } from '../write/known-spelling.ts';
import { sendBatch } from '../write/send-batch.ts';
import {
  CANARY_NAME,
  type CanaryRecord,
  contactsToRollBack,
  NONE_SIGNED_UP_NOTE,
  type OptOutItem,
  readCanaryRecord,
  type SeparateBatch,
  storeBeforeAttempt,
  storeCanaryRecord,
  type UnwantedSignUps,
} from './canary-state.ts';
import { commandThatShowsLeavers } from './read-back-hint.ts';

/**
 * Stops a run because the service signs opted-out people up again. First opts out `signedUp.open`, and reads them back.
 * A resume opts out those who are still subscribed, and stops again. Each request has a new key: a replay writes
 * nothing.
 */
export async function rollBackAndStop(
  context: WriteContext,
  record: CanaryRecord,
  signedUp: UnwantedSignUps,
): Promise<never> {
  await rollBack(context, context.journal, { ...record, signedUp });
  const hint = signedUp.byCount ? countHint(context) : signedUpHint(context);
  throw new SvcError(EXIT.unverified, 'first_batch', signedUp.message, { hint });
}

type SignedUpRecord = CanaryRecord & { readonly signedUp: UnwantedSignUps };

/**
 * Opts out the people of `signedUp.open`, and reads them back. Throws if some are still subscribed. `journal` belongs
 * to the run that sent these people, which may be an earlier run.
 */
async function rollBack(context: WriteContext, journal: Journal, record: SignedUpRecord): Promise<void> {
  const { signedUp, audienceId } = record;
  storeBeforeAttempt(journal, record);
  const { mark, open } = signedUp;
  if (open.length === 0) {
    return;
  }
  const again = { ...context, keySuffix: mark, newAutomationGuard: undefined };
  const people = { rows: open, items: open, body: contactBody(open), bodyOf: undefined };
  const hooks = { isCounted: () => false, onSuppressed: undefined, beforeAttempt: undefined };
  const batch = { name: `roll_back.${mark}`, op: undefined, ...people, ...hooks };
  await withKnownSpelling(sendBatch, Number.POSITIVE_INFINITY)(again, audienceId, batch);
  const readBackPeople = await readPeopleBack(context, audienceId, open);
  const unresolved = subscribedIn(readBackPeople);
  noteLostOptOutDates(context, readBackPeople);
  storeCanaryRecord(journal, { ...record, signedUp: { ...signedUp, mark: context.randomHex(8), open: unresolved } });
  if (unresolved.length > 0) {
    throw incompleteRollBackError(context, unresolved);
  }
}

/**
 * Joins `own` with the opt-outs of batches that are not read back yet. If one request shows that the service signs
 * people up, the other requests may have signed up people too.
 */
export function withOtherBatches(
  { requests }: Pick<Journal, 'requests'>,
  own: readonly OptOutItem[],
  alone: readonly SeparateBatch[] = [],
): OptOutItem[] {
  const known = new Set(own.map(rowKey));
  const record = { audienceId: '', probes: [], alone };
  const others = contactsToRollBack(record, (request) => requests.stateOf(request).mayHaveEffect);
  return [...own, ...others.filter((item) => !known.has(rowKey(item)))];
}

/** Looks people up, and returns those who are subscribed now. */
export async function findSubscribed<T extends ContactItem>(
  context: WriteContext,
  audienceId: string,
  people: readonly T[],
): Promise<T[]> {
  return subscribedIn(await readPeopleBack(context, audienceId, people));
}

interface PersonReadBack<T extends ContactItem = ContactItem> {
  readonly item: T;
  readonly after: Contact | undefined;
}

/** Looks people up, one after the other. */
export function readPeopleBack<T extends ContactItem>(
  context: WriteContext,
  audienceId: string,
  people: readonly T[],
): Promise<PersonReadBack<T>[]> {
  return Array.fromAsync(people, async (item) => ({
    item,
    after: await lookUpContact(context, audienceId, item.contact),
  }));
}

/** Returns the people who are subscribed now. */
export function subscribedIn<T extends ContactItem>(readBackPeople: readonly PersonReadBack<T>[]): T[] {
  return readBackPeople.filter(({ after }) => after?.status === 'subscribed').map(({ item }) => item);
}

/** Records the people whose opt-out date is lost. The service may accept an opt-out date for new contacts only (C2). */
function noteLostOptOutDates({ journal, emit }: WriteContext, readBackPeople: readonly PersonReadBack[]): void {
  const lost = readBackPeople.filter(({ item, after }) => after && compareOptOutDate(item.contact, after).length > 0);
  if (lost.length > 0) {
    const people = lost.map(({ item }) => item);
    noteRolledBackDates(journal, people);
    const message = `The service lost the opt-out date of ${addressesOf(people)}. consent.csv of this run keeps it.`;
    emit({ type: 'note', message });
  }
}

const MAX_NAMED = 10;

/** The addresses of some people for a message, at most ten. */
export function addressesOf(people: readonly ContactItem[]): string {
  return joinAtMost(
    people.map(({ contact }) => terminalSafe(contact.email)),
    MAX_NAMED,
  );
}

function incompleteRollBackError({ journal }: WriteContext, unresolved: readonly ContactItem[]): SvcError {
  const who = unresolved.map(({ contact }) => terminalSafe(contact.email)).join(', ');
  const message = `the service signed these people up again, and does not opt them out: ${who}`;
  const hint = `Unsubscribe them in the app, or try again: svc runs resume ${journal.header.run}`;
  return new SvcError(EXIT.unverified, 'roll_back_incomplete', message, { hint });
}

function signedUpHint({ journal }: WriteContext): string {
  const consent = shellWord(journal.files.consentCsv);
  return [
    `Nothing more is sent. The service signs opted-out people up again if they are sent without a status. Mark each of them as unsubscribed in the list (${commandThatShowsLeavers(journal)}), or ask the service to correct this.`,
    ...(keepsLostDates(journal) ? [`Copy this file, which keeps opt-out dates that the service lost: ${consent}`] : []),
    `Then: ${commandToDelete(journal)}`,
    'After that, give the same command again.',
  ].join('\n');
}

/** The hint if only a lower number of opt-outs shows the problem. svc does not know the cause, so it names two. */
function countHint({ journal }: WriteContext): string {
  return `Nothing more is sent. The service may sign opted-out people up again, or people came back on their own meanwhile. "svc contacts export" shows who is subscribed. If they came back on their own: svc runs delete ${journal.header.run}, and the same command again.`;
}

/**
 * Refuses to write contacts if an earlier run showed that the service signs opted-out people up again (C1). Other flags
 * or another list would not change that. An earlier run may also have been killed before it read its people back. So
 * svc reads these people back now, and opts them out again if needed.
 */
export async function refuseUnresolvedSignUps(context: WriteContext, audienceId: string): Promise<void> {
  const { stateFolder, journal } = context;
  const { origin, run: own } = journal.header;
  for (const { run } of listReadableRuns(stateFolder).filter((other) => other.run !== own && other.origin === origin)) {
    const suspect = readListedRun(stateFolder, run, (journal) => readSuspect(journal, audienceId));
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

/** An earlier run whose people the service signed up again, or may have signed up because they were not read back. */
interface Suspect {
  readonly record: CanaryRecord;
  /** The contacts that opt the people of that run out again. */
  readonly people: readonly ContactItem[];
  /** The words that say which command shows the people who left. */
  readonly shownBy: string;
}

function readSuspect(journal: Journal, audienceId: string): Suspect | undefined {
  const record = readCanaryRecord(journal);
  if (record?.audienceId !== audienceId || journal.readNote(NONE_SIGNED_UP_NOTE) === true) {
    return undefined;
  }
  const probes = record.probes.filter(createWrittenTest(journal, { name: CANARY_NAME, items: record.probes }));
  const mayHaveEffect = (request: string) => journal.requests.stateOf(request).mayHaveEffect;
  const people = contactsToRollBack({ ...record, probes }, mayHaveEffect);
  const shownBy = commandThatShowsLeavers(journal);
  return record.signedUp || people.length > 0 ? { record, people, shownBy } : undefined;
}

/**
 * Reads the people of an earlier run back, and opts out those who are subscribed. True if that run signed people up.
 */
async function rollBackEarlierRun(context: WriteContext, run: string, { record, people }: Suspect): Promise<boolean> {
  if (people.length === 0) {
    return true;
  }
  const journal = openEndedJournal(context.stateFolder, run);
  try {
    const open = await findSubscribed(context, record.audienceId, people);
    if (open.length === 0 && !record.signedUp) {
      journal.writeNote(NONE_SIGNED_UP_NOTE, true);
      journal.writeNote(OPEN_OPT_OUTS_NOTE, 0);
      return false;
    }
    const who = open.map(({ contact }) => terminalSafe(contact.email)).join(', ');
    const message = `after ${run}, people are subscribed again who had opted out: ${who}`;
    // If fewer people are left to opt out, the request has another body and needs another key.
    const isSame = record.signedUp?.open.length === open.length;
    const mark = isSame ? record.signedUp.mark : context.randomHex(8);
    const signedUp = record.signedUp ? { ...record.signedUp, mark } : { message, byCount: false, mark, open };
    context.emit({ type: 'note', message: `Opting these people out again, because ${run} signed them up: ${who}` });
    await rollBack(context, journal, { ...record, signedUp: { ...signedUp, open } });
    return true;
  } finally {
    journal.close();
  }
}
