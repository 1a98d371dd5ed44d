import { rmSync } from 'node:fs';
import { countSkippedAccountChecks } from '../../base/account-checks.ts';
import type { Finding } from '../../base/finding.ts';
import type { SvcError } from '../../base/lib/errors.ts';
import { replaceFileByText } from '../../base/os/replace-file.ts';
import { writeRejects } from '../../import/rejects/rejects.ts';
import { continuationOf, isFinished, isOnlyRecord } from '../../runs/find/run-status.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { People } from '../../runs/store/people.ts';
import { forgetDeletedObject } from '../../sending/read-created.ts';
import { countsAsFailed } from '../../sending/record-and-send.ts';
import { newAutomationsFinding } from '../checks/automations.ts';
import { missingCounts, writeMissingCsv } from '../contact-ledger/finish-list.ts';
import { openMissingPeople } from '../contact-ledger/missing-people.ts';
import type { ImportDraft, OpenImport } from '../prepare/draft-import.ts';
import { consentLines, lostDateLines, withConsentHeader } from '../run-data/consent-file.ts';
import { type AudienceTarget, type RunOptions, writeKindsOf } from '../run-data/options.ts';
import { rowCounts, skippedRows } from '../run-data/row-counts.ts';
import type { OpenRun } from '../run-data/run-context.ts';
import type { OutcomeCounts, RowCounts, RunReport } from '../run-data/run-report.ts';
import { subscribedSinceFindings } from '../run-data/subscribed-since.ts';
import { timelineOf } from '../run-data/timeline.ts';
import { unseenReplaysFinding } from '../write/outdated-replay.ts';
import { forgetReportedSameName } from '../write/same-name.ts';
import { assembleReport, type RunEnd } from './assemble-report.ts';
import { endRun, type RunResult } from './end-run.ts';
import { nextSteps } from './next-steps.ts';

/** The report of an import at this moment. Writes nothing. */
export function currentReport(run: OpenImport, drafted: ImportDraft, problem?: SvcError): RunReport {
  return assembleReport(runEndOf(run, drafted, { problem, files: {} }));
}

/**
 * Ends an import: writes the files for the user (rejects, consent.csv, gone.csv, report) and records the end of the
 * run.
 */
export function finishImport(run: OpenImport, drafted: ImportDraft, problem: SvcError | undefined): Promise<RunResult> {
  return endRun<RowCounts>(run, problem, {
    write: async () => {
      const rejects = await writeRejectFiles(run, drafted, currentReport(run, drafted, problem));
      const consent = await consentFile(run, drafted);
      const missingPath = await writeMissingCsv(run.journal, run.options.changes);
      return { ...rejects, ...(consent && { consent }), ...(missingPath && { gone: missingPath }) };
    },
    report: (files, cause) => assembleReport(runEndOf(run, drafted, { problem: cause, files })),
    record: (report, now) => {
      recordRunEnd(run.journal, drafted.people, { report, now });
      forgetDeletedObject(run.journal, report.error?.code);
      forgetReportedSameName(run, report.error?.code);
    },
  });
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
 * Deletes the personal data of an ended run: its people, its input copies and the addresses of --email. VACUUM then
 * rewrites the database, because SQLite leaves the bytes of deleted rows in the file.
 */
export function deletePersonalData({ db, files, header, amendHeader }: Journal, people: People): void {
  try {
    if (header.options.emails !== undefined) {
      amendHeader({ options: { ...header.options, emails: [] } });
    }
    people.clear();
    openMissingPeople(db).drop();
    rmSync(files.inputs, { recursive: true, force: true });
    db.exec('VACUUM');
  } catch {
    // If data can't be deleted, for example on a full disk, the run does not fail: its result is recorded already.
  }
}

/** Writes the rejects files. This reads the list again, so after Ctrl-C the resume does it. */
export async function writeRejectFiles(
  { journal, signal }: OpenRun<RunOptions>,
  { survey, people }: Pick<ImportDraft, 'survey' | 'people'>,
  draft: RunReport<OutcomeCounts>,
): Promise<RunReport['files']> {
  const { rows } = draft;
  if (rows.rejected + rows.failed === 0 || draft.status === 'interrupted') {
    return {};
  }
  const failures = [...journal.requests.refusedRows()].filter((failure) => countsAsFailed(failure.code));
  const rejects = await writeRejects(survey, people, { folder: journal.files.rejects, failures, signal });
  return rejects.length > 0 ? { rejects } : {};
}

async function consentFile(
  { journal, options }: OpenImport,
  { survey, people, contactItems }: ImportDraft,
): Promise<string | undefined> {
  if (options.dryRun) {
    return undefined;
  }
  const path = journal.files.consentCsv;
  const suppressed = writeKindsOf(options.command).writesSuppressions ? consentLines(survey, people) : [];
  const text = withConsentHeader(suppressed, lostDateLines(journal, survey, contactItems));
  return (await replaceFileByText(path, text)) ? path : undefined;
}

/** The files that a run wrote, and the problem that ended it early. */
export interface RunOutputs {
  readonly problem: SvcError | undefined;
  readonly files: RunReport['files'];
}

function runEndOf(run: OpenImport, drafted: ImportDraft, { problem, files }: RunOutputs): RunEnd {
  const { options, journal, target } = run;
  const { survey } = drafted;
  const counts = journal.counts();
  const rows = rowCounts(survey, counts, options.command);
  const runEnd: Omit<RunEnd, 'next'> = {
    ...commonRunEnd(run, drafted),
    problem,
    audience: audienceOf(target, journal),
    survey,
    rows,
    rowsReplayed: counts.replayed,
    skipped: skippedRows(survey, options.command),
    missingCounts: missingCounts(journal, options.changes),
    files,
  };
  const { status, error } = assembleReport({ ...runEnd, next: [] });
  const rejects = (files.rejects ?? []) as readonly string[];
  const situation = {
    run: runEnd.run,
    header: journal.header,
    isRecord: isOnlyRecord(journal),
    status,
    code: error?.code,
    rows,
    rejects,
    continuation: continuationOf(status, run),
    unchecked: countSkippedAccountChecks(drafted.findings),
  };
  return { ...runEnd, next: nextSteps({ ...situation, options, survey, resumed: run.resumed }) };
}

/** The parts of a report that an import and an enrollment share. */
export function commonRunEnd(run: OpenRun<RunOptions>, { plan, findings }: Pick<ImportDraft, 'plan' | 'findings'>) {
  const { account, journal, resumed, options, progress, changedInputs = [] } = run;
  const found = [
    newAutomationsFinding(journal),
    unseenReplaysFinding(journal),
    ...subscribedSinceFindings(journal),
  ].filter((one) => one !== undefined);
  const changed = changedInputs.map((message): Finding => ({ check: 'input_changed', level: 'warn', message }));
  return {
    run: journal.header.run,
    folder: journal.files.folder,
    resumed,
    options,
    phase: progress.phase,
    origin: account?.origin,
    plan,
    findings: [...changed, ...findings, ...found],
    requests: account?.client.stats() ?? NO_REQUESTS,
    verification: progress.verification,
    timeline: timelineOf(journal, run.recordedWaits, run.clock.now()),
  };
}

/** The request counts of a run without an account. */
const NO_REQUESTS = { sent: 0, retried: 0, replayed: 0, rate_limited: 0 };

function audienceOf(target: AudienceTarget | undefined, journal: Journal): RunEnd['audience'] {
  const destination = journal.header.destination;
  if (destination?.kind === 'audience') {
    return { id: destination.id, name: destination.name };
  }
  return target?.kind === 'found' ? { id: target.audience.id, name: target.audience.name } : undefined;
}
