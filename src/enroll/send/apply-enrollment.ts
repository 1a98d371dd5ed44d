import { runConcurrently } from '../../base/lib/concurrency.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { withoutThread } from '../../import/batch/batches.ts';
import { cutBatches } from '../../import/batch/cut-batches.ts';
import type { Enrollee } from '../../import/batch/reread-list.ts';
import { applyContacts } from '../../migrate/apply-contacts.ts';
import { refuseTooManyFailures } from '../../migrate/checks/failures.ts';
import { refusalOutcomes } from '../../migrate/compare/look-up.ts';
import { refuseLeftSince } from '../../migrate/contact-ledger/people/left-since.ts';
import { readCanaryRecord } from '../../migrate/opt-outs/canary-record.ts';
import { audienceDeletedError } from '../../migrate/run-import.ts';
import { createSampler } from '../../migrate/verify/sampler.ts';
import { refuseUnnamedFailures } from '../../migrate/write/batch-response.ts';
import { countFailedRows, countRowsWithOutcome } from '../../run-lifecycle/data/row-counts.ts';
import type { EnrollDraft } from '../draft/draft-enrollment.ts';
import { enrollablePeople } from '../draft/enrollment-list.ts';
import type { EnrollContext } from '../records/enrollment-records.ts';
import { findLookAlikes, oneByOne, skipLookAlike, withoutExcludedPeople } from './look-alikes.ts';
import type { PersonResult } from './record-person-outcome.ts';
import { enrollUnderSpelling } from './spellings.ts';

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
    // If the service signed people up before, the resume sends no batch. It only opts these people out again.
    const { signedUp, probes = [] } = readCanaryRecord(context.journal) ?? {};
    // Once it enrolls people, only this run knows whom --reenroll enrolled, and its contacts are all written. Another
    // run would enroll these people once more (M5).
    const mustContinue = context.records.options.reenroll && context.journal.state.phase === 'enrollments';
    if (!signedUp && !mustContinue) {
      await refuseLeftSince(context, audienceId, { lookUps: draft.unwritten, batches, probes });
    }
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
 * as enrolled before or as deleted. A later decision with `runs resolve` does not change this, because the user agreed
 * to that plan.
 */
async function* peopleToEnroll(context: EnrollContext, draft: EnrollDraft): AsyncGenerator<Enrollee> {
  const refused = draft.snapshot ? refusalOutcomes(context.journal) : new Map<string, never>();
  for await (const person of enrollablePeople(draft, context.signal)) {
    context.signal.throwIfAborted();
    if (!refused.has(rowKey(person)) && !draft.wasEnrolledBefore(person) && !draft.wasDeleted(person)) {
      yield person;
    }
  }
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
