import { LASTING_OUTCOMES } from '../../api/resources/automations.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import type { Enrollee } from '../../import/batch/reread-list.ts';
import { unknownEntryOf } from '../../ledgers/enrollment-entries.ts';
import { openEnrollmentLedger } from '../../ledgers/enrollment-ledger.ts';
import type { RunReport } from '../../run-lifecycle/data/run-report.ts';
import { type RecordedCommand, refuseOvertaken } from '../../runs/find/overtaken.ts';
import { summarizeRun } from '../../runs/find/summarize-run.ts';
import { openEndedJournal, openJournalToRead, readRun } from '../../runs/store/open-journal.ts';
import { EMPTY_RESPONSE } from '../../runs/store/recorded-request.ts';
import { personKey } from '../../wire/person-key.ts';
import { refuseLostLedger, refuseOlderLedger } from '../draft/checks/lost-ledger.ts';
import { ENROLL_COMMAND, type EnrollOptions } from '../draft/enroll-options.ts';
import { ENROLLED, type EnrollmentRecords, enrollmentRequestOf, NOT_ENROLLED } from '../records/enrollment-records.ts';
import { amendReport } from './amend-report.ts';
import { hasWrittenOutcomes, peopleWithUnknownOutcome } from './outcome-files.ts';

/** The user's decision about an unknown outcome. Undefined: the outcome stays unknown. */
export type OutcomeDecision = 'enrolled' | 'not-enrolled' | undefined;

/** How many people the user decided about, by decision. `--json` prints it. */
export interface ResolutionResult {
  readonly run: string;
  readonly enrolled: number;
  readonly not_enrolled: number;
  /** The number of people whose outcome is still unknown. */
  readonly unknown: number;
}

/** Asks the user for a decision about one person. */
export type AskForDecision = (person: Enrollee) => Promise<OutcomeDecision>;

/**
 * Where decisions come from. `named` has the addresses of flags such as --enrolled. `decide` returns a decision from a
 * flag or from the terminal.
 */
export interface DecisionSource {
  readonly decide: AskForDecision;
  readonly named: readonly NamedDecision[];
}

/** A decision about one address, trimmed and in lower case. */
export interface NamedDecision {
  readonly email: string;
  readonly decision: NonNullable<OutcomeDecision>;
}

interface RunLocation {
  readonly stateFolder: string;
  readonly run: string;
  readonly now: () => number;
  readonly recorded: RecordedCommand;
}

/**
 * Records the user's decisions about unknown enrollments in journal, ledger and report (I3). Each decision is on
 * disk before the next question.
 */
export async function resolveRun(
  { stateFolder, run, now, recorded }: RunLocation,
  { decide, named }: DecisionSource,
): Promise<ResolutionResult> {
  const ended = finalStatusOf(stateFolder, run, recorded);
  refuseLostLedgerOf(stateFolder, run);
  const journal = openEndedJournal(stateFolder, run);
  const { origin, destination, options } = journal.header;
  const ledger = openEnrollmentLedger(stateFolder, origin, destination?.id ?? '');
  const records = { journal, ledger, options: options as unknown as EnrollOptions };
  try {
    refuseOlderLedger(ledger, { stateFolder, origin, automationId: destination?.id ?? '' });
    const people = peopleWithUnknownOutcome(records);
    refuseUnlisted(records, people, named);
    const counts = { run, enrolled: 0, not_enrolled: 0, unknown: 0 };
    for (const person of people) {
      const decision = await decide(person);
      if (decision) {
        recordDecision(records, person, decision, now());
      }
      counts[decision === 'enrolled' ? 'enrolled' : decision ? 'not_enrolled' : 'unknown'] += 1;
    }
    return counts;
  } finally {
    // Called even after an error, because the decisions before the error stay valid and the report must show them.
    const { status, exitCode } = await amendReport(records, ended);
    journal.setStatus(status, exitCode, ended.endedAt);
    ledger.close();
    journal.close();
  }
}

function refuseLostLedgerOf(stateFolder: string, run: string): void {
  const { origin, destination } = readRun(stateFolder, run, ({ header }) => header);
  refuseLostLedger({ stateFolder, origin, automationId: destination?.id ?? '' });
}

/** Returns how the run ended. Throws if the run is no enrollment, sent nothing, is not finished, or was overtaken. */
function finalStatusOf(stateFolder: string, run: string, recorded: RecordedCommand) {
  const journal = openJournalToRead(stateFolder, run);
  try {
    const { status, exitCode, endedAt } = journal.state;
    if (journal.header.command !== ENROLL_COMMAND) {
      throw new SvcError(EXIT.usage, 'not_resolvable', `${run} is not an enrollment: there is nothing to resolve`);
    }
    refuseOvertaken(journal, recorded);
    const { finished, hasSent } = summarizeRun(stateFolder, run);
    if (finished && !hasSent) {
      throw new SvcError(EXIT.usage, 'not_resolvable', `${run} sent nothing: there is nothing to resolve`);
    }
    if (exitCode === undefined || endedAt === undefined || !hasWrittenOutcomes(journal)) {
      throw new SvcError(EXIT.usage, 'unfinished', `${run} is unfinished: a resume may still get the outcomes`, {
        hint: `svc runs resume ${run}`,
      });
    }
    // The cast is safe, because finishEnrollment wrote the status.
    return { status: status as RunReport['status'], exitCode, endedAt };
  } finally {
    journal.close();
  }
}

/**
 * Refuses a named address that has no unknown outcome. It is probably a typing error, and the intended person would
 * then stay without a decision.
 */
function refuseUnlisted(
  { journal, ledger }: EnrollmentRecords,
  people: readonly Enrollee[],
  named: readonly NamedDecision[],
): void {
  const { run } = journal.header;
  const unresolved = new Set(people.map(({ email }) => personKey(email)));
  // A decision may be given twice, for example by a script that runs again.
  const isRepeated = ({ email, decision }: NamedDecision) => {
    const entry = ledger.lookup(email);
    return entry?.run === run && entry.outcome === outcomeOf(decision);
  };
  const unlisted = named.find((person) => !unresolved.has(personKey(person.email)) && !isRepeated(person));
  if (unlisted !== undefined) {
    throw new SvcError(
      EXIT.usage,
      'not_in_doubt',
      `--${unlisted.decision}: ${terminalSafe(unlisted.email)} has no unknown outcome in ${run}`,
      {
        hint: `To see who has one: svc runs show ${run}`,
      },
    );
  }
}

/** The outcome word that the ledger records for a decision. */
function outcomeOf(decision: NamedDecision['decision']): string {
  return decision === ENROLLED ? ENROLLED : NOT_ENROLLED;
}

function recordDecision(
  { journal, ledger }: EnrollmentRecords,
  person: Enrollee,
  decision: NamedDecision['decision'],
  time: number,
): void {
  const request = enrollmentRequestOf(journal, person);
  if (!request) {
    return;
  }
  const { run } = journal.header;
  const entry = ledger.lookup(person.email);
  // An entry of another run may be newer. The decision `enrolled` replaces such an entry, unless that run certainly
  // enrolled the person. The decision `not-enrolled` never replaces it, because that run may have enrolled the person.
  if (!entry || entry.run === run || (decision === ENROLLED && !LASTING_OUTCOMES.includes(entry.outcome))) {
    const other = decision === ENROLLED ? undefined : ledger.otherAttempt(person.email, run);
    if (other === undefined) {
      ledger.recordAsNewest(person.email, { outcome: outcomeOf(decision), run, time });
    } else {
      ledger.record(person.email, unknownEntryOf(other));
    }
  }
  if (decision !== ENROLLED) {
    ledger.forgetAttempt(person.email, run);
  }
  const isEnrolled = decision === ENROLLED;
  const word = isEnrolled ? ENROLLED : 'resolved';
  journal.requests.recordOutcome(request.id, isEnrolled ? 'done' : 'refused', { ...EMPTY_RESPONSE, status: 0, word });
}
