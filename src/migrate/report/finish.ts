import { rmSync } from 'node:fs';
import type { SvcError } from '../../base/lib/errors.ts';
import { isThere } from '../../base/os/files.ts';
import { writeConsent } from '../../import/rejects/consent.ts';
import { writeRejects } from '../../import/rejects/rejects.ts';
import { hasBegun, isFinished } from '../../runs/find/run-status.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { People } from '../../runs/store/people.ts';
import { type ImportOptions, writesOf } from '../options.ts';
import type { Outside } from '../outside.ts';
import type { Drafted } from '../prepare/draft.ts';
import type { Target } from '../prepare/target.ts';
import type { Stage } from '../stage.ts';
import type { FateCounts, RowCounts, RunReport } from '../types.ts';
import { type Ended, endRun } from './end-run.ts';
import { isFault, rowCounts, skippedRows } from './fates.ts';
import { nextSteps } from './next-steps.ts';
import { assembleReport, type Ending } from './report.ts';

interface Finishing {
  readonly options: ImportOptions;
  readonly outside: Outside;
  readonly target: Target | undefined;
  readonly journal: Journal;
  readonly resumed: boolean;
  readonly drafted: Drafted;
  readonly stage: Stage;
  readonly problem: SvcError | undefined;
}

/** The report of a run as it stands now; nothing is written. */
export function reportNow(run: Finishing): RunReport {
  return assembleReport(endingOf(run, {}, []));
}

/** Ends a run: writes the files that people need (rejects, consent, report), records how it ended, and says so. */
export function finishRun(run: Finishing): Promise<Ended> {
  const { journal, outside, problem } = run;
  const { signal, clock } = outside.context;
  const draft = reportNow(run);
  // Past the stage, so that the report names the phase in which the run ended.
  outside.emit({ type: 'phase', phase: 'report' });
  return endRun<RowCounts>({
    journal,
    problem,
    signal,
    now: clock.now(),
    write: async () => {
      const rejects = await rejectFiles(run, draft);
      const consent = await consentFile(run);
      return { ...(rejects.length > 0 ? { rejects } : {}), ...(consent === undefined ? {} : { consent }) };
    },
    report: (files, cause) =>
      assembleReport(endingOf({ ...run, problem: cause }, files, (files.rejects ?? []) as readonly string[])),
    record: (report) => recordEnd({ journal, people: run.drafted.people, now: clock.now() }, report),
  });
}

/** What ending a run needs. */
interface RunEnd {
  readonly journal: Journal;
  readonly people: People;
  readonly now: number;
}

/** Keeps the report and how the run ended. A run that can't be continued needs its people and its inputs no longer. */
export function recordEnd({ journal, people, now }: RunEnd, report: RunReport<FateCounts>): void {
  journal.saveReport(report);
  journal.setStatus(report.status, report.exit_code, now);
  if (isFinished(report.status, journal)) {
    forgetPeople(journal, people);
  }
}

/** Deleted rows stay in a database file until it is written anew. */
function forgetPeople({ db, files }: Journal, people: People): void {
  try {
    people.clear();
    rmSync(files.inputs, { recursive: true, force: true });
    db.exec('VACUUM');
  } catch {
    // The run is recorded: what could not be cleared away, on a full disk for instance, is no problem of the run.
  }
}

/** Somebody who pressed Ctrl-C doesn't wait for another read of the list; the resume writes the files. */
async function rejectFiles(run: Finishing, draft: RunReport): Promise<readonly string[]> {
  const { rows } = draft;
  if (rows.rejected + rows.failed === 0 || draft.status === 'interrupted') {
    return [];
  }
  return writeRejects(run.drafted.survey, run.drafted.people, {
    folder: run.journal.files.rejects,
    failures: [...run.journal.units.failures()].filter((failure) => isFault(failure.code)),
  });
}

async function consentFile({ drafted, journal, options }: Finishing): Promise<string | undefined> {
  if (options.dryRun || !writesOf(options.command).suppressions) {
    return undefined;
  }
  await writeConsent(drafted.survey, drafted.people, journal.files.consent);
  return isThere(journal.files.consent) ? journal.files.consent : undefined;
}

function endingOf(run: Finishing, files: RunReport['files'], rejects: readonly string[]): Ending {
  const { options, outside, journal, drafted, stage, problem, target } = run;
  const tally = journal.tally();
  const rows = rowCounts(drafted.survey, tally, options.command);
  const ending: Omit<Ending, 'next'> = {
    run: journal.header.run,
    folder: journal.folder,
    resumed: run.resumed,
    options,
    phase: stage.phase,
    origin: outside.account?.origin,
    audience: audienceOf(target, journal),
    survey: drafted.survey,
    plan: drafted.plan,
    findings: drafted.findings,
    rows,
    rowsReplayed: tally.replayed,
    skipped: skippedRows(drafted.survey, options.command),
    requests: outside.account?.client.stats() ?? NO_REQUESTS,
    verification: stage.verification,
    files,
    problem,
  };
  const { exit_code: exit, error } = assembleReport({ ...ending, next: [] });
  const resumable = outside.account?.ephemeral === false && hasBegun(journal) && !journal.lost();
  const { survey } = drafted;
  return {
    ...ending,
    next: nextSteps({ run: ending.run, exit, code: error?.code, options, survey, rows, rejects, resumable }),
  };
}

/** The counts of a run that asked no account. */
export const NO_REQUESTS = { sent: 0, retried: 0, replayed: 0, rate_limited: 0 };

function audienceOf(target: Target | undefined, journal: Journal): Ending['audience'] {
  const destination = journal.header.destination;
  if (destination?.kind === 'audience') {
    return { id: destination.id, name: destination.name };
  }
  return target?.kind === 'found' ? { id: target.audience.id, name: target.audience.name } : undefined;
}
