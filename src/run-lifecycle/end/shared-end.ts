import { rmSync } from 'node:fs';
import type { Finding } from '../../base/finding.ts';
import type { SvcError } from '../../base/lib/errors.ts';
import { writeRejects } from '../../import/rejects/rejects.ts';
import type { RereadableSurvey } from '../../import/survey/survey-types.ts';
import { isFinished, LOOKED_UP_NOTE } from '../../runs/find/run-status.ts';
import { openMissingPeople } from '../../runs/people/missing-people.ts';
import type { People } from '../../runs/people/people.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { countsAsFailed } from '../../sending/record-and-send.ts';
import type { OpenRun } from '../data/run-context.ts';
import type { RunOptions } from '../data/run-options.ts';
import type { OutcomeCounts, Plan, RunReport } from '../data/run-report.ts';
import { timelineOf } from '../data/timeline.ts';
import { forgetPlan } from './recorded-plan.ts';

/** The files that a run wrote, and the problem that ended it early. */
export interface RunOutputs {
  readonly problem: SvcError | undefined;
  readonly files: RunReport['files'];
}

/**
 * Stores the report and the final status. If the run can't be resumed any more, deletes its people and input copies.
 */
export function recordRunEnd(
  journal: Journal,
  people: People,
  { report, now }: { readonly report: RunReport<OutcomeCounts>; readonly now: number },
): void {
  journal.saveReport(report);
  journal.setStatus(report.status, report.exit_code, now);
  if (isFinished(report.status, journal)) {
    deletePersonalData(journal, people);
  }
}

/**
 * Deletes the personal data of an ended run, such as its people, its input copies and the addresses of --email. VACUUM
 * then rewrites the database, because SQLite leaves the bytes of deleted rows in the file.
 */
export function deletePersonalData(journal: Journal, people: People): void {
  const { db, files, header, amendHeader } = journal;
  try {
    if (header.options.emails !== undefined) {
      amendHeader({ options: { ...header.options, emails: [] } });
    }
    journal.writeNote(LOOKED_UP_NOTE, undefined);
    people.clear();
    forgetPlan(journal);
    openMissingPeople(db).drop();
    rmSync(files.inputs, { recursive: true, force: true });
    db.exec('VACUUM');
  } catch {
    // If data can't be deleted, for example on a full disk, the run does not fail: its result is recorded already.
  }
}

interface SurveyAndPeople {
  readonly survey: RereadableSurvey;
  readonly people: People;
}

/** Writes the rejects files from a new read of the list. After Ctrl-C the resume does this, because it takes time. */
export async function writeRejectFiles(
  { journal, signal }: OpenRun<RunOptions>,
  { survey, people }: SurveyAndPeople,
  report: RunReport<OutcomeCounts>,
): Promise<RunReport['files']> {
  const { rows } = report;
  if (rows.rejected + rows.failed === 0 || report.status === 'interrupted') {
    return {};
  }
  const failures = [...journal.requests.refusedRows()].filter((failure) => countsAsFailed(failure.code));
  const rejects = await writeRejects(survey, people, { folder: journal.files.rejects, failures, signal });
  return rejects.length > 0 ? { rejects } : {};
}

interface PlanAndFindings {
  readonly plan: Plan;
  readonly findings: readonly Finding[];
}

/** The parts of a report that an import and an enrollment share. */
export function commonRunEnd(run: OpenRun<RunOptions>, { plan, findings }: PlanAndFindings) {
  const { account, journal, resumed, options, progress, changedInputs = [] } = run;
  const changed = changedInputs.map((message): Finding => ({ check: 'input_changed', level: 'warn', message }));
  return {
    run: journal.header.run,
    folder: journal.files.folder,
    resumed,
    options,
    phase: progress.phase,
    origin: account?.origin,
    plan,
    findings: [...changed, ...findings],
    requests: account?.client.stats() ?? NO_REQUESTS,
    verification: progress.verification,
    timeline: timelineOf(journal, run.recordedWaits, run.clock.now()),
  };
}

/** The request counts of a run without an account. */
export const NO_REQUESTS = { sent: 0, retried: 0, replayed: 0, rate_limited: 0 };
