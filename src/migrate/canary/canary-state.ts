import type { ContactItem, ListBatch } from '../../import/batch/cut-batches.ts';
import { OPEN_OPT_OUTS } from '../../runs/find/run-status.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { WriteContext } from '../run-context.ts';
import type { OptOutCount } from '../verify/opt-out-count.ts';

/** The target audience, as far as svc knows it before a request. */
export interface CanaryTarget {
  readonly audienceId: string;
  readonly optedOut: OptedOut;
  /** True if the audience has more opted-out people than svc found on the pages that it read. */
  readonly othersOptedOut: boolean;
  /** False if every row of the list is an opt-out. */
  readonly signsUp: boolean;
}

/** People who opted out of the audience before, by address. */
export type OptedOut = ReadonlyMap<string, Partial<Pick<Contact, 'status' | 'unsubscribed_at'>>>;

/** A contact that opts a person out again. The person was in the audience, and not subscribed. */
export interface OptOut extends ContactItem {
  /** True for a person who had not confirmed a sign-up, and who may confirm it later. */
  readonly pending?: boolean;
}

/** A probe contact: a person of the list, and what the audience held of this person before the request. */
export interface Probe extends OptOut {
  /** `opted out`: in the audience, not subscribed, and sent without a status. `there`: in the audience otherwise. */
  readonly before: 'new' | 'there' | 'opted out';
  /** When this person opted out of the audience, if the service shows it. */
  readonly optedOutAt?: string | null | undefined;
}

/** What the responses of this run proved so far. A replay wrote nothing, so it proves little (I7). */
export interface Proofs {
  /** True once a contact read back as it was sent. */
  readonly fieldsProven: boolean;
  /** True once a newly created contact without a status read back as subscribed. */
  readonly signUpProven: boolean;
  /** True once a person who opted out and was sent without a status stayed opted out. */
  readonly optOutProven: boolean;
}

/**
 * What run.db records about the canary. Each state is on disk before the next request:
 *
 * - chosen: `probes` are the people of the canary. `batchesRead` is undefined.
 * - read back: `batchesRead` is a number, and the proofs are set. While one is missing, some batches must go alone.
 * - alone: `alone` is the batch that is sent alone. Read back, it adds its proofs, and the state is `read back` again.
 * - signed up: `signedUp` names the people whom the service signed up again. This run never continues.
 */
export interface CanaryRecord extends Partial<Proofs> {
  readonly audienceId: string;
  readonly probes: readonly Probe[];
  /** Index of the first batch that may have to go alone. Those before it need not. */
  readonly batchesRead?: number;
  readonly alone?: AloneBatch | undefined;
  readonly signedUp?: SignedUp;
  /** True once the service left a person subscribed whom the canary opted out. A resume must not forget it. */
  readonly neglected?: boolean;
}

/** What svc read before a batch that is sent alone. After the batch, only this record knows who had opted out. */
export interface AloneBatch {
  readonly index: number;
  /** Contacts that opt out again the people of the batch who had opted out before. */
  readonly rollBack: readonly OptOut[];
  /** The number of opt-outs in the audience before the batch, if it is compared afterwards. */
  readonly count: OptOutCount | undefined;
}

/** The proof that people were signed up again, and the people who must still be opted out again. */
export interface SignedUp {
  /** The proof of the sign-ups, as a message for the user. */
  readonly message: string;
  /** True if only a count shows the sign-ups. Then svc does not know who was signed up. */
  readonly byCount: boolean;
  /** Part of the idempotency key of the roll-back, so that the key is new. */
  readonly mark: string;
  readonly open: readonly ContactItem[];
}

/** The state after a read-back. */
export function afterReadBack(record: CanaryRecord, proofs: Proofs): CanaryRecord {
  const { alone } = record;
  return {
    ...record,
    fieldsProven: record.fieldsProven || proofs.fieldsProven,
    signUpProven: record.signUpProven || proofs.signUpProven,
    optOutProven: record.optOutProven || proofs.optOutProven,
    batchesRead: alone ? alone.index + 1 : 0,
    alone: undefined,
  };
}

/**
 * True if a batch must be sent alone, because it may show what the canary did not. Time may have passed since the
 * canary. Until it is proven that opt-outs stay, each batch with a person who has opted out goes alone (C1).
 */
export function mustGoAlone(
  record: CanaryRecord,
  target: CanaryTarget,
  batch: ListBatch,
  { hasResponse, mustProveMore }: { readonly hasResponse: boolean; readonly mustProveMore: boolean },
): boolean {
  if (record.alone?.index === batch.index) {
    return true;
  }
  if (batch.index < (record.batchesRead ?? 0) || hasResponse) {
    return false;
  }
  if (mustProveMore || !record.fieldsProven || (target.signsUp && !record.signUpProven)) {
    return true;
  }
  const { optedOut } = target;
  const holdsOptedOut = () => optedOut.size > 0 && batch.items.some(isOptedOut(optedOut));
  return mustCountOptOuts(record, target) || (!record.optOutProven && holdsOptedOut());
}

/**
 * True if the opt-outs of the audience are counted before and after the next batch. This holds for the first batch
 * only.
 */
export function mustCountOptOuts(
  { optOutProven, batchesRead }: CanaryRecord,
  { othersOptedOut }: CanaryTarget,
): boolean {
  return othersOptedOut && !optOutProven && batchesRead === 0;
}

/** Returns a test: true if a person opted out of the audience and is sent without a status. */
export function isOptedOut(optedOut: OptedOut): (item: ContactItem) => boolean {
  return ({ contact }) => contact.status === undefined && optedOut.has(contact.email);
}

/** Name of the canary's request, and of its record in run.db. */
export const CANARY = 'canary';

/** Scripts read the phase name `first_batch`, so it stays, although the word is now canary. */
export function reportPhase(context: WriteContext, total: number, sent = 0): void {
  context.emit({ type: 'phase', phase: 'first_batch', total, unit: 'rows' });
  if (sent > 0) {
    reportSent(context, sent);
  }
}

export function reportSent({ emit }: WriteContext, done: number): void {
  emit({ type: 'progress', phase: 'first_batch', done });
}

/** The record of a run. Undefined before its canary was chosen. */
export function readCanaryRecord(journal: Pick<Journal, 'read'>): CanaryRecord | undefined {
  return journal.read(CANARY) as CanaryRecord | undefined;
}

/** Stores the next state. It is on disk when this returns. */
export function storeCanaryRecord<T extends CanaryRecord>(journal: Pick<Journal, 'note'>, record: T): T {
  journal.note(CANARY, record);
  journal.note(OPEN_OPT_OUTS, contactsToRollBack(record).length);
  return record;
}

/**
 * Contacts that opt out again all people whom the service may have signed up. They had opted out, and svc did not read
 * them back after the last request with their rows.
 */
export function contactsToRollBack({ probes, batchesRead, alone, signedUp }: CanaryRecord): readonly ContactItem[] {
  const chosen = batchesRead === undefined ? optOutsOfProbes(probes) : [];
  return signedUp?.open ?? (alone?.rollBack ?? chosen).filter(wasNotPending);
}

/** Contacts that opt out again the probe contacts who had opted out. */
export function optOutsOfProbes(probes: readonly Probe[]): OptOut[] {
  return probes
    .filter(({ before }) => before === 'opted out')
    .map((probe) => optOutAgain(probe, { status: probe.pending ? 'pending' : '', unsubscribed_at: probe.optedOutAt }));
}

/** A contact that opts a person out again, with the opt-out date that the audience had. */
export function optOutAgain(
  { source, line, contact }: ContactItem,
  { status, unsubscribed_at: at }: { readonly status?: string; readonly unsubscribed_at?: string | null | undefined },
): OptOut {
  return {
    source,
    line,
    ...(status === 'pending' && { pending: true }),
    contact: { email: contact.email, status: 'unsubscribed', ...(at && { unsubscribed_at: at }) },
  };
}

/** False for a person who may have confirmed a sign-up since. For this person, `subscribed` proves nothing. */
export function wasNotPending({ pending }: OptOut): boolean {
  return pending !== true;
}
