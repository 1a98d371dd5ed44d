import { findContact, isUnsubscribed } from '../../api/resources/contacts.ts';
import { runConcurrently } from '../../base/lib/concurrency.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { withoutThread } from '../../import/batch/batches.ts';
import { cutBatches } from '../../import/batch/cut-batches.ts';
import type { Enrollee } from '../../import/batch/reread-list.ts';
import { UNKNOWN_ENROLLMENT } from '../../ledgers/enrollment-entries.ts';
import { countFailedRows, countRowsWithOutcome } from '../../lifecycle/data/row-counts.ts';
import { applyContacts } from '../../migrate/apply-contacts.ts';
import { refuseTooManyFailures } from '../../migrate/checks/failures.ts';
import { refusalOutcomes, refuseOtherPerson } from '../../migrate/compare/look-up.ts';
import { audienceDeletedError } from '../../migrate/run-import.ts';
import { createSampler } from '../../migrate/verify/sampler.ts';
import { refuseUnnamedFailures } from '../../migrate/write/batch-response.ts';
import { otherSpellings } from '../../wire/person-key.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { EnrollDraft } from '../draft/draft-enrollment.ts';
import { enrollablePeople } from '../draft/enrollment-list.ts';
import {
  type EnrollContext,
  enrollmentRequestOf,
  isStillToSend,
  personOutcomeOf,
} from '../records/enrollment-records.ts';
import { findLookAlikes, oneByOne, skipLookAlike, withoutExcludedPeople } from './look-alikes.ts';
import type { PersonResult } from './record-person-outcome.ts';
import { recordWithoutSending, sendPerson, sentSpelling } from './send-person.ts';

/**
 * Carries out the plan: one enrollment request for each person. With --create-contacts it writes the contacts first.
 */
export async function applyEnrollment(context: EnrollContext, draft: EnrollDraft): Promise<void> {
  const lookAlikes = await findLookAlikes(draft, context.signal);
  if (draft.snapshot?.audience) {
    const { snapshot, contactSurvey: survey, contactItems: items } = draft;
    const read = () => cutBatches(withoutExcludedPeople(items(), lookAlikes));
    const batches = { preview: read, open: () => withoutThread(read()) };
    const audienceId = draft.snapshot.audience.id;
    const contacts = { audienceId, batches, snapshot, survey, sampler: createSampler(0, 0) };
    await applyContacts(context, contacts).catch((error: unknown) => {
      throw audienceDeletedError(error);
    });
  }
  const done = countRowsWithOutcome(context.journal.counts('enrollment'));
  context.emit({ type: 'phase', phase: 'enrollments', total: draft.plan.enrollments, done, unit: 'rows' });
  const stopper = new AbortController();
  const inner: EnrollContext = { ...context, signal: AbortSignal.any([context.signal, stopper.signal]) };
  const countOutcome = createFailureCounter(context, draft, done);
  const enrollOne = async (person: Enrollee): Promise<PersonResult> => {
    try {
      const skipped = await skipLookAlike(inner, person, lookAlikes);
      const sent = skipped ?? (await enrollUnderSpelling(inner, person));
      countOutcome(sent);
      return sent;
    } catch (error) {
      // All workers stop, after their requests in flight have ended.
      stopper.abort(error);
      throw error;
    }
  };
  await enrollAll(inner, peopleToEnroll(inner, draft), oneByOne(lookAlikes, enrollOne));
  refuseUnnamedFailures(context);
}

/**
 * Sends one request at a time until one was accepted, then several at once. So a run with a draft or archived
 * automation ends after one request (M2).
 */
async function enrollAll(
  context: EnrollContext,
  people: AsyncGenerator<Enrollee>,
  enrollOne: (person: Enrollee) => Promise<PersonResult>,
): Promise<void> {
  try {
    for (let isAccepted = false; !isAccepted; ) {
      const next = await people.next();
      if (next.done) {
        return;
      }
      isAccepted = (await enrollOne(next.value)).kind === 'accepted';
    }
    for await (const _ of runConcurrently(people, context.options.concurrency, enrollOne)) {
      // Each call of `enrollOne` records its outcome, so the loop only waits for the calls.
    }
  } finally {
    await people.return(undefined);
  }
}

/**
 * Yields the people to enroll. Leaves out people whom the service refused as contacts, and people whom the plan counted
 * as enrolled before. A later decision with `runs resolve` does not change this, because the user agreed to that plan.
 */
async function* peopleToEnroll(context: EnrollContext, draft: EnrollDraft): AsyncGenerator<Enrollee> {
  const refused = draft.snapshot ? refusalOutcomes(context.journal) : new Map<string, never>();
  for await (const person of enrollablePeople(draft, context.signal)) {
    context.signal.throwIfAborted();
    if (!refused.has(rowKey(person)) && !draft.wasEnrolledBefore(person)) {
      yield person;
    }
  }
}

/**
 * Enrolls a person whose address may have several spellings, such as Unicode and Punycode (F8). The service looks for
 * the contact only under the spelling that it gets. So svc looks for the contact under all spellings, and sends the
 * address of the contact that it found. If the person opted out under another spelling, svc sends nothing.
 */
async function enrollUnderSpelling(context: EnrollContext, person: Enrollee): Promise<PersonResult> {
  const request = enrollmentRequestOf(context.journal, person);
  const recorded = request && sentSpelling(context, person, request);
  const spellings = otherSpellings(person.email);
  if (spellings.length === 0) {
    return sendPerson(context, person);
  }
  const outcome = personOutcomeOf(context.records, person, request);
  const { kind } = outcome;
  if (!isStillToSend(outcome) && kind !== UNKNOWN_ENROLLMENT) {
    return sendPerson(context, person);
  }
  const others = await contactsOf(context, spellings);
  if (!others.values().some(isUnsubscribed)) {
    const email = kind === UNKNOWN_ENROLLMENT && recorded ? recorded : await spellingOfContact(context, person, others);
    return sendPerson(context, { ...person, email });
  }
  if (kind === UNKNOWN_ENROLLMENT) {
    return { kind, cause: undefined };
  }
  recordWithoutSending(context, person, { earlier: request, word: 'not_subscribed' });
  return { kind: 'refused', countsAsFailed: false };
}

/**
 * The address to send: the address in the list. If the audience has the person only under another spelling, it is that
 * spelling, as svc looked it up. The address that the contact shows may be a look-alike, which `sentSpelling` would not
 * recognize.
 */
async function spellingOfContact(
  context: EnrollContext,
  { email }: Enrollee,
  others: ReadonlyMap<string, Contact>,
): Promise<string> {
  const [other] = others.keys();
  return other === undefined || (await contactsOf(context, [email])).size > 0 ? email : other;
}

/** The contacts with these addresses, by the address under which svc looked each of them up. */
async function contactsOf(
  { client, audienceId, signal }: EnrollContext,
  addresses: readonly string[],
): Promise<Map<string, Contact>> {
  const contacts = new Map<string, Contact>();
  for (const idOrEmail of addresses) {
    const contact = await findContact(client, { audienceId, idOrEmail, signal });
    if (contact) {
      refuseOtherPerson(idOrEmail, contact);
      contacts.set(idOrEmail, contact);
    }
  }
  return contacts;
}

// After this many unknown outcomes one after the other the run stops, because they probably have one cause.
const MAX_UNKNOWN_IN_A_ROW = 10;

/**
 * Returns a function that counts each result. It throws if too many people failed, or after ten unknown outcomes one
 * after the other.
 */
function createFailureCounter(
  context: EnrollContext,
  { survey, emailFlag }: EnrollDraft,
  doneBefore: number,
): (sent: PersonResult) => void {
  let doneCount = 0;
  let failed = survey.rows.rejected + countFailedRows(context.journal.counts());
  let unknownInARow = 0;
  return (sent) => {
    doneCount += 1;
    context.emit({ type: 'progress', phase: 'enrollments', done: Math.max(doneBefore, doneCount) });
    const cause = sent.kind === 'unknown' ? sent.cause : undefined;
    unknownInARow = cause ? unknownInARow + 1 : 0;
    if (cause && unknownInARow >= MAX_UNKNOWN_IN_A_ROW) {
      const message = `${unknownInARow} enrollments in a row have an unknown outcome: ${cause.message}`;
      throw new SvcError(EXIT.failed, 'in_doubt', message, { cause });
    }
    failed += sent.kind === 'refused' && sent.countsAsFailed ? 1 : 0;
    refuseTooManyFailures(context.options.maxFailures, failed, survey.rows.read + emailFlag.rows);
  };
}
