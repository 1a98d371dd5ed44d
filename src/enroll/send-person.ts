import { enroll, enrollmentKey } from '../api/resources/automations.ts';
import type { UnitOutcome } from '../api/retry/write-request.ts';
import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import type { Enrollee } from '../import/batch/last-read.ts';
import type { Work } from '../migrate/work.ts';
import { EXPECTED_FAILURE, interrupted, later, sendUnit } from '../migrate/write/deliver.ts';
import type { LedgerEntry } from '../runs/enrollment-ledger.ts';
import type { RequestState, Unit, UnitAnswer } from '../runs/store/recorded-request.ts';
import type { EnrollmentResult } from '../wire/shapes.ts';
import {
  blocksEnrollment,
  type DedupeStore,
  ENROLLED,
  requestOf,
  UNKNOWN,
  UNSENT,
  usedPreviousKey,
} from './dedupe-store.ts';
import { requestName } from './people.ts';

/** What enrolling needs: a run's work, what is remembered, and where to. */
export interface EnrollWork extends Work {
  readonly automationId: string;
  readonly dedupe: DedupeStore;
}

/** What is known after a person was sent: the flow answered, the person was refused, or nobody knows. */
export type Sent =
  | { readonly kind: 'answered' }
  /** Refused on their own. `fault`: it is one more failure. */
  | { readonly kind: 'refused'; readonly fault: boolean }
  | { readonly kind: 'unknown'; readonly cause: SvcError | undefined };

/** The outcome that says that the flow itself can't run: asking for anybody else is useless. */
const NOT_ACTIVE = 'automation_not_active';

/**
 * Enrols one person, unless the journal has the answer already. The ledger says `unknown` before the first byte goes out,
 * and the outcome before the journal does, so that after a kill nobody is asked for twice. Throws when the run has to stop.
 */
export async function sendPerson(work: EnrollWork, person: Enrollee): Promise<Sent> {
  const earlier = requestOf(work.journal, person);
  const before = work.dedupe.ledger.lookup(person.email);
  const known = earlier && earlierOutcome(work, earlier, before);
  return known ?? (await send(work, { person, earlier, before }));
}

interface Attempt {
  readonly person: Enrollee;
  readonly earlier: Unit | undefined;
  /** What the ledger said before. */
  readonly before: LedgerEntry | undefined;
}

/** What an earlier part of the run left: an answer, a doubt for good, or undefined: to be sent, with the same key in doubt. */
function earlierOutcome(work: EnrollWork, unit: Unit, entry: LedgerEntry | undefined): Sent | undefined {
  if (unit.state === 'done') {
    return unit.answer?.failures.length ? { kind: 'refused', fault: false } : { kind: 'answered' };
  }
  if (unit.state === 'refused') {
    return undefined;
  }
  const answered = entry?.run === work.journal.header.run && entry.outcome !== UNKNOWN;
  if (answered) {
    // Killed between the two books: the ledger is written first.
    work.journal.units.finish(unit.id, 'done', { ...NOTHING, status: 200, word: entry.outcome });
    return { kind: 'answered' };
  }
  if (unit.answer || work.dedupe.options.atMostOnce || usedPreviousKey(work.journal, unit)) {
    recordUnknown(work, unit.id);
    return { kind: 'unknown', cause: undefined };
  }
  return undefined;
}

async function send(work: EnrollWork, sending: Attempt): Promise<Sent> {
  const { person, earlier, before } = sending;
  const { client, automationId, again, dedupe: memory } = work;
  const enrollment = { automationId, email: person.email, again, atMostOnce: memory.options.atMostOnce };
  const { id, outcome } = await sendUnit<EnrollmentResult>(
    work,
    {
      kind: 'enrollment',
      name: requestName(person),
      rows: [person],
      keyAt: enrollmentKey(client, enrollment),
      post: ({ keyed, signal }) => {
        const beforeKey: typeof keyed.beforeKey = (intent) => {
          // Whoever surely was enrolled before stays so, whatever comes of this attempt.
          if (entryOfAnotherRun(work, before)?.outcome !== ENROLLED) {
            recordOwn(work, person, UNKNOWN);
          }
          keyed.beforeKey(intent);
        };
        return enroll(client, enrollment, { keyed: { ...keyed, beforeKey }, signal });
      },
    },
    earlier,
  );
  return record(work, { ...sending, id }, outcome);
}

interface Recording extends Attempt {
  /** Undefined where nothing went out. */
  readonly id: number | undefined;
}

function record(work: EnrollWork, sent: Recording, outcome: UnitOutcome<EnrollmentResult>): Sent {
  switch (outcome.kind) {
    case 'answered':
      return recordAnswer(work, sent, outcome);
    case 'refused':
      return recordRefusal(work, sent, outcome);
    case 'doubt':
      return recordNoAnswer(work, sent, outcome);
    case 'later':
      recordIncomplete(work, sent, outcome.inDoubt);
      throw later(outcome.resumeAt);
    case 'interrupted':
      recordIncomplete(work, sent, outcome.inDoubt);
      throw interrupted(work.signal);
    default:
      return outcome satisfies never;
  }
}

type Answered = Extract<UnitOutcome<EnrollmentResult>, { kind: 'answered' }>;

function recordAnswer(work: EnrollWork, sent: Recording, { value, status, replayed }: Answered): Sent {
  const word = value.outcome;
  recordInLedger(work, sent, word);
  recordInJournal(work, sent.id, { state: 'done', answer: { ...NOTHING, status, replayed, word } });
  if (word === NOT_ACTIVE) {
    throw notActive();
  }
  return { kind: 'answered' };
}

type Refused = Extract<UnitOutcome<EnrollmentResult>, { kind: 'refused' }>;

/** A suppressed address and a 400 are about the person; everything else is about the flow, the key or the account. */
function recordRefusal(work: EnrollWork, sent: Recording, { error, replayed }: Refused): Sent {
  const answer = { ...NOTHING, status: error.status, replayed };
  if (error.code === EXPECTED_FAILURE) {
    recordInLedger(work, sent, error.code);
    recordInJournal(work, sent.id, { state: 'done', answer: { ...answer, word: error.code } });
    return { kind: 'refused', fault: false };
  }
  if (error.status === 400) {
    const { source, line } = sent.person;
    const failures = [{ source, line, code: error.code, detail: error.message }];
    recordInJournal(work, sent.id, { state: 'done', answer: { ...answer, failures } });
    recordInLedger(work, sent, UNSENT);
    return { kind: 'refused', fault: true };
  }
  recordInJournal(work, sent.id, { state: 'refused', answer: { ...answer, word: error.code } });
  recordInLedger(work, sent, UNSENT);
  throw error;
}

type GaveUp = Extract<UnitOutcome<EnrollmentResult>, { kind: 'doubt' }>;

function recordNoAnswer(work: EnrollWork, sent: Recording, { cause, inDoubt }: GaveUp): Sent {
  const stops = !inDoubt || cause.exit === EXIT.auth || cause.code === 'too_many_retries';
  if (stops) {
    recordIncomplete(work, sent, inDoubt);
    throw cause;
  }
  recordUnknown(work, sent.id);
  return { kind: 'unknown', cause };
}

/** Without an answer a unit stays in doubt, to be asked again soon; one that surely had no effect goes back to unsent. */
function recordIncomplete(work: EnrollWork, sent: Recording, inDoubt: boolean): void {
  recordInJournal(work, sent.id, { state: inDoubt ? 'doubt' : 'refused' });
  if (!inDoubt) {
    recordInLedger(work, sent, UNSENT);
  }
}

/** In doubt for good: an answer `unknown` says that the key is not to be sent again. */
function recordUnknown(work: EnrollWork, id: number | undefined): void {
  recordInJournal(work, id, { state: 'doubt', answer: { ...NOTHING, status: 0, word: UNKNOWN } });
}

/**
 * Tells the ledger how it ended. What it remembers of an earlier enrolment outlives an attempt that started nothing. Before
 * the journal for an outcome, which a resume then finds; after it where nothing was done, which a resume does again.
 */
function recordInLedger(work: EnrollWork, { id, person, before }: Recording, outcome: string): void {
  if (id === undefined) {
    return;
  }
  const older = entryOfAnotherRun(work, before);
  if (outcome !== ENROLLED && older) {
    work.dedupe.ledger.record(person.email, older);
  } else {
    recordOwn(work, person, outcome);
  }
}

/** What another run did, or may have done. */
function entryOfAnotherRun({ journal }: EnrollWork, before: LedgerEntry | undefined): LedgerEntry | undefined {
  return before && before.run !== journal.header.run && blocksEnrollment(before) ? before : undefined;
}

function recordOwn(work: EnrollWork, { email }: Enrollee, outcome: string): void {
  work.dedupe.ledger.record(email, { outcome, run: work.journal.header.run, at: work.clock.now() });
}

interface End {
  readonly state: Exclude<RequestState, 'pending'>;
  readonly answer?: UnitAnswer;
}

function recordInJournal(work: EnrollWork, id: number | undefined, { state, answer }: End): void {
  if (id !== undefined) {
    work.journal.units.finish(id, state, answer);
  }
}

const NOTHING = { replayed: false, created: 0, updated: 0, alreadySuppressed: 0, failures: [] } as const;

function notActive(): SvcError {
  return new SvcError(EXIT.stopped, NOT_ACTIVE, "the flow's published version is unusable: nobody can be enrolled", {
    hint: 'Publish it again in the app, then resume.',
  });
}
