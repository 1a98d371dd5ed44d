import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { joinAtMost, shellWord, terminalSafe } from '../../base/lib/text.ts';
import { type ContactItem, contactBody } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { commandToDelete, keepsLostDates } from '../../runs/find/run-status.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { Contact } from '../../wire/shapes.ts';
import { compareOptOutDate } from '../compare/compare-contact.ts';
import { lookUpContact } from '../compare/look-up.ts';
import { noteSubscribedSince } from '../compare/subscribed-since.ts';
import { withKnownSpelling } from '../write/known-spelling.ts';
import { sendBatch } from '../write/send-batch.ts';
import {
  type CanaryRecord,
  contactsAtRisk,
  type OptOutItem,
  type SeparateBatch,
  storeBeforeAttempt,
  storeCanaryRecord,
  type UnwantedSignUps,
  wasNotPending,
} from './canary-record.ts';
import { noteRolledBackDates } from './consent-file.ts';
import { isSignedUp } from './proofs.ts';
import { commandThatShowsOptedOut } from './read-back-hint.ts';

/**
 * Stops a run because the service signs opted-out people up again. First opts out `signedUp.open`, and reads them back.
 * A resume opts out those who are still subscribed, and stops again. Each request has a new key, because a replay would
 * write nothing.
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
export async function rollBack(context: WriteContext, journal: Journal, record: SignedUpRecord): Promise<void> {
  const { signedUp, audienceId } = record;
  storeBeforeAttempt(journal, record);
  const { mark, open } = signedUp;
  if (open.length === 0) {
    return;
  }
  const again = { ...context, keySuffix: mark, newAutomationGuard: undefined };
  const people = { rows: open, items: open, body: contactBody(open), bodyOf: undefined };
  const hooks = { isCounted: () => false, onResponse: undefined, beforeAttempt: undefined };
  const batch = { name: `roll_back.${mark}`, op: undefined, ...people, ...hooks };
  const send = withKnownSpelling(sendBatch, Number.POSITIVE_INFINITY);
  await send(again, audienceId, batch).catch((error: unknown) => {
    const message = `svc could not opt these people out again: ${addressesOf(open)}. The service may have signed them up, so they may get mail until a resume opts them out.`;
    noteSubscribedSince(context, message);
    throw error;
  });
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
  const others = contactsAtRisk(record, (request) => requests.stateOf(request).mayHaveEffect).filter(wasNotPending);
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

/** Returns the people who are subscribed now, or whom the service asks to confirm (`isSignedUp`). */
export function subscribedIn<T extends ContactItem>(readBackPeople: readonly PersonReadBack<T>[]): T[] {
  return readBackPeople.filter(({ item, after }) => isSignedUp(item, after)).map(({ item }) => item);
}

/**
 * Names people who were pending before an earlier process sent them, and who are subscribed now. They may have
 * confirmed since, so svc does not opt them out.
 */
export async function noteConfirmed(
  context: WriteContext,
  audienceId: string,
  people: readonly OptOutItem[],
): Promise<void> {
  const pending = people.filter((item) => !wasNotPending(item));
  nameConfirmed(context, await findSubscribed(context, audienceId, pending));
}

/** Names people who were pending before svc sent them, and are subscribed now. */
export function nameConfirmed(context: WriteContext, confirmed: readonly OptOutItem[]): void {
  if (confirmed.length > 0) {
    const who = confirmed.map(({ contact }) => terminalSafe(contact.email)).join(', ');
    const message = `Before svc sent them, these people were pending, and now they are subscribed: ${who}. They confirmed on their own, or the service signed them up. svc cannot tell which.`;
    noteSubscribedSince(context, message);
  }
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
    `Nothing more is sent. The service signs opted-out people up again if they are sent without a status. Mark each of them as unsubscribed in the list (${commandThatShowsOptedOut(journal)}), or ask the service to correct this.`,
    ...(keepsLostDates(journal) ? [`Copy this file, which keeps opt-out dates that the service lost: ${consent}`] : []),
    `Then: ${commandToDelete(journal)}`,
    'After that, give the same command again.',
  ].join('\n');
}

/** The hint if only a lower number of opt-outs shows the problem. svc does not know the cause, so it names two. */
function countHint({ journal }: WriteContext): string {
  return `Nothing more is sent. The service may sign opted-out people up again, or people came back on their own meanwhile. "svc contacts export" shows who is subscribed. If they came back on their own: svc runs delete ${journal.header.run}, and the same command again.`;
}
