import { type RowPosition, rowKey } from '../../base/lib/rows.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { CANARY_NAME, OPEN_OPT_OUTS_NOTE } from '../../runs/find/run-status.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { OptOutCount } from '../compare/opt-out-count.ts';

/** What svc knows about the audience and the list before it writes contacts. */
export interface KnownAudience {
  readonly audienceId: string;
  /** People of the audience who are not subscribed and may be in the list. */
  readonly optedOut: OptedOut;
  /** True if the audience has opted-out people whom svc did not read. */
  readonly othersOptedOut: boolean;
  /** True if the audience has pending or bounced people whom svc did not read. */
  readonly othersUnconfirmed: boolean;
  /** Status words that svc does not know. People whom svc did not read may have such a status too. */
  readonly unknownStatuses: ReadonlySet<string>;
  /** False if each row of the list is an opt-out, so that the list signs up no person. */
  readonly subscribesPeople: boolean;
  /** The number of people whom the list opts out. */
  readonly optOutRows: number;
  /**
   * True for a person whose status svc must still look up, because no page shows it. Undefined until svc has read all
   * pages, or has looked up all people of the list.
   */
  readonly mustLookUp: ((email: string) => boolean) | undefined;
}

/** People of the audience who are not subscribed, by address, with the status and date that the service shows. */
export type OptedOut = ReadonlyMap<string, Partial<Pick<Contact, 'email' | 'status' | 'unsubscribed_at'>>>;

/** The contact that opts a person out again, if the service signs this person up. */
export interface OptOutItem extends ContactItem {
  /** The status of the person in the audience. Undefined if the audience showed none. */
  readonly was?: string | undefined;
  /** Earlier versions of svc recorded only this: true if the person was pending. */
  readonly pending?: boolean;
}

/** A probe contact: a person of the list, and the state of this person in the audience before the request. */
export interface ProbeContact extends OptOutItem {
  /** `new`: not in the audience. `opted out`: in it, not subscribed, sent without a status. `there`: any other one. */
  readonly before: 'new' | 'there' | 'opted out';
  /** When this person opted out of the audience, if the service shows it. */
  readonly optedOutAt?: string | null | undefined;
}

/**
 * What svc learned by reading people back. A replay repeats a stored response and writes nothing, so it proves little
 * (I7).
 */
export interface Proofs {
  /** True once a contact was read back with the fields that were sent. */
  readonly fieldsProven: boolean;
  /** True once a new person was sent without a status, and was subscribed afterwards. */
  readonly signUpProven: boolean;
  /**
   * The statuses of opted-out people who stayed opted out when svc sent them without a status. A service may keep
   * people of one status as they are, and sign up those of another.
   */
  readonly keptStatuses: readonly string[];
}

/**
 * What run.db records about the canary and the batches that are sent alone, in one of three states. Each is on disk
 * before the next request. `alone` may be set in each of them.
 * - Chosen: `batchesRead` is undefined. The canary must be sent, or sent again, and then read back.
 * - Read back: `batchesRead` is a number, and the proofs are set. If a proof is missing, some batches are sent alone.
 * - Signed up: `signedUp` names the people whom the service signed up again. A resume only opts them out again.
 */
export interface CanaryRecord extends Partial<Proofs> {
  readonly audienceId: string;
  readonly probes: readonly ProbeContact[];
  /**
   * The number of the last batch that was sent alone and read back. 0 once only the canary was read back, undefined
   * before.
   */
  readonly batchesRead?: number | undefined;
  /** Batches that were sent alone and are not read back yet. Their read-back adds proofs. */
  readonly alone?: readonly SeparateBatch[];
  readonly signedUp?: UnwantedSignUps;
  /** True if a person was still subscribed after svc had sent the opt-out. Then every resume stops too. */
  readonly neglected?: boolean;
}

/** A batch that is sent alone, and what svc read before it was sent. Later only this record shows who had opted out. */
export interface SeparateBatch {
  readonly index: number;
  /** For each person of the batch who had opted out: the contact that opts the person out again. */
  readonly rollBack: readonly OptOutItem[];
  /** The number of opt-outs in the audience before the batch. Undefined if svc does not compare the numbers. */
  readonly count: OptOutCount | undefined;
}

/** Records that the service signed people up again, and which of them svc must still opt out. */
export interface UnwantedSignUps {
  /** The message for the user that says what svc found. */
  readonly message: string;
  /** True if only a lower number of opt-outs shows these sign-ups. Then svc does not know who was signed up. */
  readonly byCount: boolean;
  /** A random part of the idempotency key of the roll-back, so that each attempt has a new key. */
  readonly mark: string;
  /** The contacts that opt people out again. A contact is removed once it was read back as opted out. */
  readonly open: readonly ContactItem[];
}

/** The maximum number of people in a canary. */
export const CANARY_SIZE = 4;

/** Reports the phase of the canary. Its event keeps an older name, `first_batch`, because scripts read it. */
export function reportPhase(context: WriteContext, total: number, sent = 0): void {
  context.emit({ type: 'phase', phase: 'first_batch', total, unit: 'rows' });
  if (sent > 0) {
    reportSent(context, sent);
  }
}

export function reportSent({ emit }: WriteContext, rows: number): void {
  emit({ type: 'progress', phase: 'first_batch', done: rows });
}

/** Returns a function that is false for a row of the canary. The outcome of that row is the one that the canary got. */
export function createCountedTest({ probes }: Pick<CanaryRecord, 'probes'>): (row: RowPosition) => boolean {
  return (row) => !probes.some(({ source, line }) => source === row.source && line === row.line);
}

/** Reads the record from run.db. Undefined if no canary was chosen yet. */
export function readCanaryRecord(journal: Pick<Journal, 'readNote'>): CanaryRecord | undefined {
  // Earlier versions of svc stored one batch instead of a list.
  const record = journal.readNote(CANARY_NAME) as CanaryRecord | undefined;
  return record && { ...record, alone: [record.alone ?? []].flat() };
}

/** Stores the record in run.db, and returns it once it is on disk. */
export function storeCanaryRecord<T extends CanaryRecord>(journal: Pick<Journal, 'writeNote'>, record: T): T {
  journal.writeNote(CANARY_NAME, record);
  journal.writeNote(OPEN_OPT_OUTS_NOTE, contactsAtRisk(record).length);
  return record;
}

/**
 * The name of a note in run.db. The note is true once a later run has read the people of this run back, and has no
 * person left to opt out.
 */
export const NONE_SIGNED_UP_NOTE = 'canary_looked_at';

/**
 * Stores the record before an attempt. The attempt may sign people up, so a later run must read them back, even if one
 * did so before.
 */
export function storeBeforeAttempt(journal: Journal, record: CanaryRecord): CanaryRecord {
  if (journal.readNote(NONE_SIGNED_UP_NOTE) === true) {
    journal.writeNote(NONE_SIGNED_UP_NOTE, false);
  }
  return storeCanaryRecord(journal, record);
}

/**
 * The contacts that opt people out again. If the service signed people up: only those whom svc must still opt out.
 * Otherwise: the people of the canary and of batches sent alone, if these requests are not read back yet and
 * `isIncluded` is true for them. Callers only name the pending people of the result, because they may have confirmed
 * since.
 */
export function contactsAtRisk(
  { probes, batchesRead, alone = [], signedUp }: CanaryRecord,
  isIncluded: (request: string) => boolean = () => true,
): readonly OptOutItem[] {
  const chosen = batchesRead === undefined && isIncluded(CANARY_NAME) ? optOutsOfProbes(probes) : [];
  const ofBatches = alone.filter(({ index }) => isIncluded(String(index))).flatMap(({ rollBack }) => rollBack);
  const unread = Map.groupBy([...chosen, ...ofBatches], rowKey).values();
  // If a person has two states, the one that is not pending counts.
  return signedUp?.open ?? [...unread].map((states) => states.findLast(wasNotPending) ?? states[0]!);
}

/** For each probe contact who had opted out: the contact that opts the person out again. */
export function optOutsOfProbes(probes: readonly ProbeContact[]): OptOutItem[] {
  return probes
    .filter(({ before }) => before === 'opted out')
    .map((probe) => optOutAgain(probe, { status: statusBefore(probe), unsubscribed_at: probe.optedOutAt }));
}

/** The contact that opts a person out again. It keeps the opt-out date that the audience had. */
export function optOutAgain(
  { source, line, contact }: ContactItem,
  { status, unsubscribed_at: time }: { readonly [K in 'status' | 'unsubscribed_at']?: Contact[K] | undefined },
): OptOutItem {
  return {
    source,
    line,
    ...(typeof status === 'string' && { was: status }),
    contact: { email: contact.email, status: 'unsubscribed', ...(time && { unsubscribed_at: time }) },
  };
}

/** The status of a person before the request. Earlier versions of svc recorded only who was pending. */
export function statusBefore({ was, pending }: Pick<OptOutItem, 'was' | 'pending'>): string | undefined {
  return was ?? (pending ? 'pending' : undefined);
}

/**
 * False for a pending person, who may confirm at any time. So if this person is subscribed now, that proves nothing.
 */
export function wasNotPending(item: OptOutItem): boolean {
  return statusBefore(item) !== 'pending';
}
