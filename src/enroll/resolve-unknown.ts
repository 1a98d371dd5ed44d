import { SvcError } from '../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../base/lib/exit.ts';
import { safe } from '../base/lib/text.ts';
import type { OutcomeCounts, RunReport } from '../migrate/types.ts';
import { type Ledger, openLedger } from '../runs/enrollment-ledger.ts';
import { type Journal, openEndedRun, viewRun } from '../runs/store/journal.ts';
import { EMPTY_ANSWER } from '../runs/store/recorded-request.ts';
import { unrecognizedOutcomes } from './counts.ts';
import { ENROLLED, UNKNOWN } from './enrollment-records.ts';
import { ENROLL } from './options.ts';
import { type OutcomeFiles, type ResolvedPerson, resolveInFiles, type UnknownPerson } from './outcomes.ts';

/** The note with the people of unknown outcome. The journal has no other addresses. */
export const UNKNOWN_PEOPLE = 'unknown_people';

/** The user's decision about an unknown outcome; undefined leaves it open. */
export type Decision = 'enrolled' | 'not-enrolled' | undefined;

/** The result of a resolution. */
export interface Resolved {
  readonly run: string;
  readonly enrolled: number;
  readonly not_enrolled: number;
  /** People who are still unknown. */
  readonly unknown: number;
}

/** Asks the user for a decision about one person. */
export type Decide = (person: UnknownPerson) => Promise<Decision>;

/** How to decide, and the addresses that the user named on the command line. */
export interface Deciding {
  readonly decide: Decide;
  readonly named: readonly string[];
}

interface Where {
  readonly state: string;
  readonly run: string;
  readonly now: () => number;
}

/**
 * Records the user's decisions about unknown enrollments in journal, ledger and report (rule I3). Each decision is on
 * disk before the next question.
 */
export async function resolveRun({ state, run, now }: Where, { decide, named }: Deciding): Promise<Resolved> {
  const ended = stateOf(state, run);
  const journal = openEndedRun(state, run);
  const { origin, destination } = journal.header;
  const ledger = openLedger(state, origin, destination?.id ?? '');
  try {
    refuseUnlisted({ journal, ledger }, named);
    const counts = { run, enrolled: 0, not_enrolled: 0, unknown: 0 };
    for (const person of unresolvedPeople(journal)) {
      const decision = await decide(person);
      if (decision) {
        recordDecision({ journal, ledger, now }, person, decision);
      }
      counts[decision === 'enrolled' ? 'enrolled' : decision ? 'not_enrolled' : 'unknown'] += 1;
    }
    return counts;
  } finally {
    // Decisions made before a stop or a kill stay valid.
    const { status, exitCode } = amendReport(journal, ended);
    journal.setStatus(status, exitCode, ended.endedAt);
    ledger.close();
    journal.close();
  }
}

/** Returns how the run ended. Refuses runs that are no enrollments, and unfinished runs. */
function stateOf(state: string, run: string) {
  const journal = viewRun(state, run);
  try {
    const { status, exitCode, endedAt } = journal.state;
    if (journal.header.command !== ENROLL) {
      throw new SvcError(EXIT.usage, 'not_resolvable', `${run} is not an enrollment: there is nothing to resolve`);
    }
    if (exitCode === undefined || endedAt === undefined || journal.read(UNKNOWN_PEOPLE) === undefined) {
      throw new SvcError(EXIT.usage, 'unfinished', `${run} is unfinished: a resume may still get the outcomes`, {
        hint: `svc runs resume ${run}`,
      });
    }
    // Only finishEnrollment writes it.
    return { status: status as RunReport['status'], exitCode, endedAt };
  } finally {
    journal.close();
  }
}

/** Refuses addresses with typing errors, because the intended person would stay unresolved. */
function refuseUnlisted({ journal, ledger }: Pick<Records, 'journal' | 'ledger'>, named: readonly string[]): void {
  const { run } = journal.header;
  const unresolved = new Set(unknownPeopleOf(journal).map(({ email }) => email));
  // An address that was resolved before may be named again.
  const unlisted = named.find((email) => !unresolved.has(email) && ledger.lookup(email)?.run !== run);
  if (unlisted !== undefined) {
    throw new SvcError(EXIT.usage, 'not_in_doubt', `${safe(unlisted)} has no unknown outcome in ${run}`, {
      hint: `See who is: svc runs show ${run}`,
    });
  }
}

/** All people with unknown outcomes at the end of the run. */
function unknownPeopleOf(journal: Journal): readonly UnknownPerson[] {
  // Only finishEnrollment writes it.
  return journal.read(UNKNOWN_PEOPLE) as readonly UnknownPerson[];
}

function unresolvedPeople(journal: Journal): UnknownPerson[] {
  return unknownPeopleOf(journal).filter((person) => !decisionOn(journal, person));
}

/** The decision about a person, by this process or an earlier one. */
function decisionOn({ requests }: Journal, { request }: UnknownPerson): Decision {
  const state = requests.find('enrollment', request)?.state;
  if (state === 'doubt' || state === 'pending') {
    return undefined;
  }
  return state === 'done' ? 'enrolled' : 'not-enrolled';
}

interface Records {
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly now: () => number;
}

function recordDecision(
  { journal, ledger, now }: Records,
  { request: name, email }: UnknownPerson,
  decision: string,
): void {
  const request = journal.requests.find('enrollment', name);
  if (!request) {
    return;
  }
  const { run } = journal.header;
  const entry = ledger.lookup(email);
  // Another run may have a newer entry, or an unknown outcome of its own.
  if (!entry || entry.run === run || (entry.outcome === UNKNOWN && decision === ENROLLED)) {
    ledger.record(email, { outcome: decision === ENROLLED ? ENROLLED : 'not_enrolled', run, at: now() });
  }
  const enrolled = decision === ENROLLED;
  const word = enrolled ? ENROLLED : 'resolved';
  journal.requests.recordOutcome(request.id, enrolled ? 'done' : 'refused', { ...EMPTY_ANSWER, status: 0, word });
}

type Rows = OutcomeCounts & Record<string, number>;
type FinalStatus = Pick<RunReport, 'status'> & { readonly exitCode: ExitCode };

/**
 * Changes resolved people to enrolled or unsent in the report and its files, then deletes their addresses from the
 * journal. After a kill the next resolution does the rest. A run that was partial only for unknown outcomes becomes
 * completed.
 */
function amendReport(journal: Journal, ended: FinalStatus): FinalStatus {
  const report = journal.readReport() as RunReport<Rows> | undefined;
  const resolved = resolvedPeople(journal);
  if (!report || resolved.length === 0) {
    return ended;
  }
  const open = unresolvedPeople(journal);
  // A kill between the report and the note makes the counts differ.
  const rows = report.rows.unknown <= open.length ? report.rows : countResolved(report.rows, resolved);
  const { status, exitCode } = statusAfter(journal, rows, ended);
  const next = rows.unknown > 0 ? report.next : report.next.filter((step) => !step.startsWith('svc runs resolve'));
  const { outcomes, unknown, ...others } = report.files as OutcomeFiles & RunReport['files'];
  const files = { ...others, ...resolveInFiles({ outcomes, unknown }, resolved) };
  journal.saveReport({ ...report, status, exit_code: exitCode, rows, files, next });
  journal.note(UNKNOWN_PEOPLE, open);
  return { status, exitCode };
}

function countResolved(rows: Rows, resolved: readonly ResolvedPerson[]): Rows {
  const enrolled = resolved.filter(({ decision }) => decision === ENROLLED).length;
  return {
    ...rows,
    enrolled: (rows.enrolled ?? 0) + enrolled,
    unsent: rows.unsent + resolved.length - enrolled,
    unknown: rows.unknown - resolved.length,
  };
}

function resolvedPeople(journal: Journal): ResolvedPerson[] {
  return unknownPeopleOf(journal).flatMap((person) => {
    const decision = decisionOn(journal, person);
    return decision ? [{ ...person, decision }] : [];
  });
}

/** People who were not enrolled are unsent, and a run with unsent rows is never completed (L5). */
function statusAfter(journal: Journal, rows: OutcomeCounts, ended: FinalStatus): FinalStatus {
  const { rejected, failed, unknown, unsent } = rows;
  const open = rejected + failed + unknown + unsent + unrecognizedOutcomes(journal.counts());
  return ended.status === 'partial' && open === 0 ? { status: 'completed', exitCode: EXIT.ok } : ended;
}
