import { hasKnownStatus } from '../../api/resources/contacts.ts';
import { mapConcurrently } from '../../base/lib/concurrency.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { SendResult } from '../../sending/record-and-send.ts';
import type { Contact } from '../../wire/shapes.ts';
import {
  type ContactDifference,
  compareConsent,
  compareContact,
  compareOptOut,
  describeDifference,
} from '../compare/compare-contact.ts';
import { lookUpContact, refusedRows } from '../compare/look-up.ts';
import {
  type CanaryRecord,
  type OptOutItem,
  type ProbeContact,
  type Proofs,
  statusBefore,
  storeCanaryRecord,
  wasNotPending,
} from '../opt-outs/canary-record.ts';
import { isSignedUp } from '../opt-outs/proofs.ts';
import { type ReadBackDifference, readBackHint } from '../opt-outs/read-back-hint.ts';
import { addressesOf, noteConfirmed, rollBackAndStop } from '../opt-outs/roll-back.ts';

/** A request that was sent, and the people to read back. */
interface SentRequest {
  /** Names the people of the request in messages, for example `people of batch 1`. */
  readonly what: string;
  readonly probes: readonly ProbeContact[];
  /** For each person of the request who had opted out: the contact that opts the person out again. */
  readonly rollBack: readonly OptOutItem[];
  /** A message if the counts show fewer opted-out people than before the request. Otherwise undefined. */
  readonly missing: string | undefined;
  readonly sent: SendResult;
  /** True if an earlier process sent the request. People may have confirmed or opted out since. */
  readonly wasSentBefore: boolean;
}

interface CheckedProbe extends ProbeContact {
  readonly after: Contact | undefined;
}

/**
 * Reads the probe contacts of a request back, and compares them with what was sent. Returns what this proves. If the
 * service signed opted-out people up, svc opts them out again and throws. Any other difference throws too.
 */
export async function readBack(context: WriteContext, record: CanaryRecord, request: SentRequest): Promise<Proofs> {
  const { what, probes, rollBack, missing, sent, wasSentBefore } = request;
  const refused = refusedRows(context.journal);
  // Leaves out refused rows, because they prove nothing. But keeps people who had opted out: a later batch sends the
  // rows of the canary again, and may have written these people.
  const all = await mapConcurrently(
    probes.filter((probe) => probe.before === 'opted out' || !refused.has(rowKey(probe))),
    context.options.concurrency,
    async (probe) => ({ ...probe, after: await lookUpContact(context, record.audienceId, probe.contact) }),
  );
  const seen = all.filter((probe) => !refused.has(rowKey(probe)));
  const signedUp = all.filter(
    (probe) =>
      probe.before === 'opted out' && isSignedUp(probe, probe.after) && (wasNotPending(probe) || !wasSentBefore),
  );
  if (signedUp.length > 0 || missing !== undefined) {
    const namedProblems = signedUp.map(({ contact, after }) => ({
      message: `${terminalSafe(contact.email)}: was not subscribed, was sent without a status, and is "${after?.status}" now`,
    }));
    const isByCount = signedUp.length === 0 && missing !== undefined;
    const difference = differenceText(what, isByCount ? [{ message: missing }] : namedProblems);
    const message = `${difference}${otherRolledBack(rollBack, signedUp)}`;
    await rollBackAndStop(context, record, { message, byCount: isByCount, mark: context.randomHex(8), open: rollBack });
  }
  if (wasSentBefore) {
    await noteConfirmed(context, record.audienceId, rollBack);
  }
  const isFresh = !wasSentBefore && (!sent.replayed || sent.afterLostResponse);
  const problems = problemsOf(seen, isFresh || record.neglected === true);
  if (problems.some((problem) => problem.field === 'status' && problem.sent === 'unsubscribed')) {
    storeCanaryRecord(context.journal, { ...record, neglected: true });
  }
  if (problems.length > 0) {
    throw new SvcError(EXIT.unverified, 'first_batch', differenceText(what, problems), {
      hint: readBackHint(context, problems, sent.replayed),
    });
  }
  return proofsOf(seen, sent, wasSentBefore);
}

/** Names people whom svc unsubscribes again as a precaution, although it did not see them subscribed. */
function otherRolledBack(rollBack: readonly ContactItem[], signedUp: readonly ContactItem[]): string {
  const read = new Set(signedUp.map(({ contact }) => contact.email));
  const others = rollBack.filter(({ contact }) => !read.has(contact.email));
  return others.length === 0 ? '' : `; also unsubscribed again: ${addressesOf(others)}`;
}

/**
 * What a read-back without a difference proves. A replay wrote nothing, so it proves little (I7). A request of an
 * earlier process proves nothing about statuses, because people may have opted out or confirmed since. After a lost
 * response a new person may have been written twice, so the status of new people proves nothing.
 */
function proofsOf(
  seen: readonly CheckedProbe[],
  { replayed, afterLostResponse, created, updated }: SendResult,
  wasSentBefore: boolean,
): Proofs {
  const isFresh = !replayed && !wasSentBefore && created + updated > 0;
  const kept = seen.filter(({ before, after }) => before === 'opted out' && after && hasKnownStatus(after));
  return {
    fieldsProven: seen.length > 0,
    signUpProven: !wasSentBefore && (replayed || !afterLostResponse) && seen.some(isNewlySubscribed),
    keptStatuses: isFresh ? kept.flatMap((probe) => statusBefore(probe) ?? []) : [],
  };
}

function isNewlySubscribed({ before, contact, after }: CheckedProbe): boolean {
  return before === 'new' && contact.status === undefined && after?.status === 'subscribed';
}

/**
 * Compares the people with what was sent. `isFresh` is true if this process wrote them, or if the service ignored a
 * sent opt-out before. Otherwise people may have subscribed again since, so a sent opt-out is not compared.
 */
function problemsOf(seen: readonly CheckedProbe[], isFresh: boolean): ReadBackDifference[] {
  const subscribes = seen.some(isNewlySubscribed);
  return seen.flatMap((probe) => {
    const { before, contact, after } = probe;
    if (after === undefined) {
      return [{ message: `${terminalSafe(contact.email)} is not in the audience` }];
    }
    // If the service subscribed another new person, it subscribes new people. So a new person who is unsubscribed now
    // opted out meanwhile.
    const mayHaveOptedOut = subscribes && contact.status === undefined;
    const consent = before === 'new' && !mayHaveOptedOut ? compareConsent(contact, after) : [];
    const optOut = before === 'there' && isFresh ? compareOptOut(contact, after) : [];
    return [...compareContact(contact, after), ...consent, ...optOut].map((difference) => problemOf(probe, difference));
  });
}

function differenceText(what: string, problems: readonly ReadBackDifference[]): string {
  return `svc read ${what} back and found differences: ${problems.map(({ message }) => message).join('; ')}`;
}

function problemOf({ contact }: ProbeContact, difference: ContactDifference): ReadBackDifference {
  const message = `${terminalSafe(contact.email)}: ${describeDifference(contact, difference)}`;
  return { field: difference.field, sent: difference.sent, message };
}
