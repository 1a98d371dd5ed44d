import { SvcError } from '../base/errors.ts';
import { EXIT, type ExitCode } from '../base/exit.ts';
import { safe } from '../base/text.ts';
import { type Ledger, openLedger } from '../journal/ledger.ts';
import { type Journal, openEnded, viewRun } from '../journal/run.ts';
import type { FateCounts, RunReport } from '../migrate/types.ts';
import { ENROLLED, UNKNOWN } from './memory.ts';
import { ENROLL } from './options.ts';
import type { Doubtful } from './outcomes.ts';
import { strangeOutcomes } from './rows.ts';
import { type OutcomeFiles, type Settled, settleFiles } from './settle-files.ts';

/** Where a finished run keeps who is in doubt: the journal holds nobody else's address. */
export const DOUBTFUL = 'doubtful';

/** What a person found out about somebody in doubt; undefined leaves it open. */
export type Decision = 'enrolled' | 'not-enrolled' | undefined;

/** What a resolution came to. */
export interface Resolved {
  readonly run: string;
  readonly enrolled: number;
  readonly not_enrolled: number;
  /** Still unknown. */
  readonly unknown: number;
}

/** Asks for a decision about one person. */
export type Decide = (person: Doubtful) => Promise<Decision>;

/** Who decides, and the addresses that a person named beforehand. */
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
 * Takes a person's word for enrolments in doubt (rule I3): the journal, the ledger and the report say so from then on. Every
 * decision is on disk before the next one is asked for.
 */
export async function resolveRun({ state, run, now }: Where, { decide, named }: Deciding): Promise<Resolved> {
  let ended = stateOf(state, run);
  const journal = openEnded(state, run);
  const { origin, destination } = journal.header;
  const ledger = openLedger(state, origin, destination?.id ?? '');
  try {
    refuseStrangers(openDoubts(journal), named, run);
    const counts = { run, enrolled: 0, not_enrolled: 0, unknown: 0 };
    const settled: Settled[] = [];
    for (const person of openDoubts(journal)) {
      const decision = await decide(person);
      if (decision) {
        settle({ journal, ledger, now }, person, decision);
        settled.push({ ...person, decision });
      }
      counts[decision === 'enrolled' ? 'enrolled' : decision ? 'not_enrolled' : 'unknown'] += 1;
    }
    ended = { ...ended, ...amendReport(journal, { ...counts, settled }, ended) };
    journal.note(DOUBTFUL, openDoubts(journal));
    return counts;
  } finally {
    journal.setStatus(ended.status, ended.exitCode, ended.endedAt);
    ledger.close();
    journal.close();
  }
}

/** How the run ended; refused for runs that aren't enrolments, or aren't at their end. */
function stateOf(state: string, run: string) {
  const journal = viewRun(state, run);
  try {
    const { status, exitCode, endedAt } = journal.state;
    if (journal.header.command !== ENROLL) {
      throw new SvcError(EXIT.usage, 'not_resolvable', `${run} enrolled nobody: there is nothing to resolve`);
    }
    if (exitCode === undefined || endedAt === undefined || journal.read(DOUBTFUL) === undefined) {
      throw new SvcError(EXIT.usage, 'unfinished', `${run} is not at its end: its answers may still come`, {
        hint: `svc runs resume ${run}`,
      });
    }
    // Written by finishEnrollment alone.
    return { status: status as RunReport['status'], exitCode, endedAt };
  } finally {
    journal.close();
  }
}

/** An address with a slip in it would leave somebody in doubt who was meant to be settled. */
function refuseStrangers(doubts: readonly Doubtful[], named: readonly string[], run: string): void {
  const stranger = named.find((email) => !doubts.some((person) => person.email === email));
  if (stranger !== undefined) {
    throw new SvcError(EXIT.usage, 'not_in_doubt', `${safe(stranger)} is not in doubt in ${run}`, {
      hint: `See who is: svc runs show ${run}`,
    });
  }
}

function openDoubts(journal: Journal): Doubtful[] {
  // Written by finishEnrollment alone.
  const noted = journal.read(DOUBTFUL) as readonly Doubtful[];
  return noted.filter(({ unit }) => {
    const state = journal.units.find('enrollment', unit)?.state;
    return state === 'doubt' || state === 'pending';
  });
}

interface Books {
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly now: () => number;
}

function settle({ journal, ledger, now }: Books, { unit: name, email }: Doubtful, decision: string): void {
  const unit = journal.units.find('enrollment', name);
  if (!unit) {
    return;
  }
  const { run } = journal.header;
  const entry = ledger.lookup(email);
  // Another run may know better by now, or be in doubt itself.
  if (!entry || entry.run === run || (entry.outcome === UNKNOWN && decision === ENROLLED)) {
    ledger.record(email, { outcome: decision === ENROLLED ? ENROLLED : 'not_enrolled', run, at: now() });
  }
  const answer = { status: 0, replayed: false, created: 0, updated: 0, alreadySuppressed: 0, failures: [] };
  const enrolled = decision === ENROLLED;
  journal.units.finish(unit.id, enrolled ? 'done' : 'refused', { ...answer, word: enrolled ? ENROLLED : 'resolved' });
}

type Standing = Pick<RunReport, 'status'> & { readonly exitCode: ExitCode };

interface Decided extends Resolved {
  readonly settled: readonly Settled[];
}

/** What isn't unknown any more is enrolled, or was never sent, in the report and in its files. A run that ended partial for nothing else is complete. */
function amendReport(journal: Journal, { enrolled, not_enrolled, settled }: Decided, ended: Standing): Standing {
  const report = journal.readReport() as RunReport<FateCounts & Record<string, number>> | undefined;
  if (!report || enrolled + not_enrolled === 0) {
    return ended;
  }
  const { rows } = report;
  const amended = {
    ...rows,
    enrolled: (rows.enrolled ?? 0) + enrolled,
    unsent: rows.unsent + not_enrolled,
    unknown: rows.unknown - enrolled - not_enrolled,
  };
  const { status, exitCode } = standingOf(journal, amended, ended);
  const next = amended.unknown > 0 ? report.next : report.next.filter((step) => !step.startsWith('svc runs resolve'));
  const { outcomes, unknown, ...others } = report.files as OutcomeFiles & RunReport['files'];
  const files = { ...others, ...settleFiles({ outcomes, unknown }, settled) };
  journal.saveReport({ ...report, status, exit_code: exitCode, rows: amended, files, next });
  return { status, exitCode };
}

function standingOf(journal: Journal, { rejected, failed, unknown }: FateCounts, ended: Standing): Standing {
  const open = rejected + failed + unknown + strangeOutcomes(journal.tally());
  return ended.status === 'partial' && open === 0 ? { status: 'completed', exitCode: EXIT.ok } : ended;
}
