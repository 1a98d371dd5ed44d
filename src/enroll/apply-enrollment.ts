import { findContact } from '../api/resources/contacts.ts';
import { concurrently } from '../base/lib/concurrency.ts';
import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import { rowKey } from '../base/lib/rows.ts';
import { withoutThread } from '../import/batch/batches.ts';
import { cutBatches } from '../import/batch/cut-batches.ts';
import type { Enrollee } from '../import/batch/reread-list.ts';
import { refuseTooManyFailures } from '../migrate/checks/failures.ts';
import { faults } from '../migrate/report/end-run.ts';
import { refusedRows } from '../migrate/verify/look-up.ts';
import { createSampler } from '../migrate/verify/verify.ts';
import { applyContacts } from '../migrate/write/contacts.ts';
import { UNKNOWN } from '../runs/enrollment-ledger.ts';
import { otherSpellings } from '../wire/person-key.ts';
import type { EnrollDraft } from './draft-enrollment.ts';
import { ENROLLED_BEFORE, type EnrollContext, outcomeOf, requestOf, UNSENT } from './enrollment-records.ts';
import { candidates } from './people.ts';
import { type PersonResult, recordNotSubscribed, sendPerson } from './send-person.ts';

/** Executes the plan: writes the people as contacts if requested, then sends one enrollment request a person. */
export async function applyEnrollment(context: EnrollContext, draft: EnrollDraft): Promise<void> {
  if (draft.snapshot?.audience) {
    const { snapshot, asContacts: survey, items } = draft;
    const read = () => cutBatches(items());
    const batches = { preview: read, open: () => withoutThread(read()) };
    const audienceId = draft.snapshot.audience.id;
    await applyContacts(context, { audienceId, batches, snapshot, survey, sampler: createSampler(0, 0) });
  }
  context.emit({ type: 'phase', phase: 'enrollments', total: draft.plan.enrollments, unit: 'rows' });
  const stopper = new AbortController();
  const inner: EnrollContext = { ...context, signal: AbortSignal.any([context.signal, stopper.signal]) };
  const countOutcome = createFailureCounter(context, draft);
  const enrollOne = async (person: Enrollee): Promise<PersonResult> => {
    try {
      const sent = (await skipOptedOut(inner, person)) ?? (await sendPerson(inner, person));
      countOutcome(sent);
      return sent;
    } catch (error) {
      // An error stops all workers, after their requests in flight have ended.
      stopper.abort(error);
      throw error;
    }
  };
  await enrollAll(inner, toEnroll(inner, draft), enrollOne);
}

/** Sends one request at a time until one was accepted (rule M2), then several at once. */
async function enrollAll(
  context: EnrollContext,
  people: AsyncGenerator<Enrollee>,
  enrollOne: (person: Enrollee) => Promise<PersonResult>,
): Promise<void> {
  try {
    for (let accepted = false; !accepted; ) {
      const next = await people.next();
      if (next.done) {
        return;
      }
      accepted = (await enrollOne(next.value)).kind === 'accepted';
    }
    for await (const _ of concurrently(people, context.options.concurrency, enrollOne)) {
      // Nothing is left to do: each call of `enrollOne` records its outcome.
    }
  } finally {
    await people.return(undefined);
  }
}

/** People whom no other run enrolled, without those whom the audience refused as contacts. */
async function* toEnroll(context: EnrollContext, draft: EnrollDraft): AsyncGenerator<Enrollee> {
  const refused = draft.snapshot ? refusedRows(context.journal) : new Set<string>();
  for await (const person of candidates(draft, context.signal)) {
    context.signal.throwIfAborted();
    if (!refused.has(rowKey(person)) && outcomeOf(context.records, person).kind !== ENROLLED_BEFORE) {
      yield person;
    }
  }
}

/**
 * The result for a person who opted out under another spelling of the address. svc sends nothing to them. The service
 * checks only the given spelling, and may have another contact under it (F8). Undefined for all others.
 */
async function skipOptedOut(context: EnrollContext, person: Enrollee): Promise<PersonResult | undefined> {
  if (otherSpellings(person.email).length === 0) {
    return undefined;
  }
  const request = requestOf(context.journal, person);
  const { kind } = outcomeOf(context.records, person, request);
  if ((kind !== UNSENT && kind !== UNKNOWN) || !(await leftElsewhere(context, person))) {
    return undefined;
  }
  if (kind === UNKNOWN) {
    return { kind, cause: undefined };
  }
  recordNotSubscribed(context, person, request);
  return { kind: 'refused', fault: false };
}

async function leftElsewhere({ client, audienceId, signal }: EnrollContext, { email }: Enrollee): Promise<boolean> {
  for (const idOrEmail of otherSpellings(email)) {
    const contact = await findContact(client, { audienceId, idOrEmail, signal });
    if (contact?.status === 'unsubscribed' || contact?.status === 'bounced') {
      return true;
    }
  }
  return false;
}

// The run stops after this many unknown outcomes in a row, because they likely have one cause.
const MAX_UNKNOWN_IN_A_ROW = 10;

/** Counts failures and stops the run when there are too many. */
function createFailureCounter(context: EnrollContext, { survey, typed }: EnrollDraft): (sent: PersonResult) => void {
  let done = 0;
  let failed = survey.rows.rejected + faults(context.journal.counts());
  let unknownInARow = 0;
  return (sent) => {
    done += 1;
    context.emit({ type: 'progress', phase: 'enrollments', done });
    const cause = sent.kind === 'unknown' ? sent.cause : undefined;
    unknownInARow = cause ? unknownInARow + 1 : 0;
    if (cause && unknownInARow >= MAX_UNKNOWN_IN_A_ROW) {
      const message = `${unknownInARow} enrollments in a row have an unknown outcome: ${cause.message}`;
      throw new SvcError(EXIT.failed, 'in_doubt', message, { cause });
    }
    failed += sent.kind === 'refused' && sent.fault ? 1 : 0;
    refuseTooManyFailures(context.options.maxFailures, failed, survey.rows.read + typed.rows);
  };
}
