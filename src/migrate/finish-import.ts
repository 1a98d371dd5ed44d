import type { Finding } from '../base/finding.ts';
import type { SvcError } from '../base/lib/errors.ts';
import { replaceFileByText } from '../base/os/replace-file.ts';
import { countSkippedAccountChecks } from '../base/skipped-checks.ts';
import { rowCounts, skippedRows } from '../run-lifecycle/data/row-counts.ts';
import { type AudienceTarget, writeKindsOf } from '../run-lifecycle/data/run-options.ts';
import type { RowCounts, RunReport } from '../run-lifecycle/data/run-report.ts';
import { assembleReport, type RunEnd } from '../run-lifecycle/end/assemble-report.ts';
import { endRun, type RunResult } from '../run-lifecycle/end/end-run.ts';
import { commonRunEnd, type RunOutputs, recordRunEnd, writeRejectFiles } from '../run-lifecycle/end/shared-end.ts';
import { continuationOf, isOnlyRecord } from '../runs/find/run-status.ts';
import type { Journal } from '../runs/store/journal.ts';
import { forgetDeletedObject } from '../sending/read-created.ts';
import { forgetReportedSameName } from './audience/same-name.ts';
import { newAutomationsFinding } from './checks/automations.ts';
import { broughtBackFindings } from './checks/repeated-list/deleted-people.ts';
import { lostDatesFinding } from './compare/lost-dates.ts';
import { subscribedSinceFindings } from './compare/subscribed-since.ts';
import { missingCounts, writeMissingCsv } from './contact-ledger/finish-list.ts';
import type { ImportDraft, OpenImport } from './draft/draft-import.ts';
import { nextStepsOfImport } from './import-next-steps.ts';
import { consentLines, lostDateLines, withConsentHeader } from './opt-outs/consent-file.ts';
import { unseenReplaysFinding } from './write/outdated-replay.ts';

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

function runEndOf(run: OpenImport, drafted: ImportDraft, { problem, files }: RunOutputs): RunEnd {
  const { options, journal, target } = run;
  const { survey } = drafted;
  const counts = journal.counts();
  const rows = rowCounts(survey, counts, options.command);
  const runEnd: Omit<RunEnd, 'next'> = {
    ...commonRunEnd(run, { plan: drafted.plan, findings: findingsOf(run, drafted, rows.created) }),
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
  return { ...runEnd, next: nextStepsOfImport({ ...situation, options, survey, resumed: run.resumed }) };
}

/** The findings of the plan, those about people whom the service created again, and those about what the run wrote. */
function findingsOf({ journal, progress }: OpenImport, drafted: ImportDraft, created: number): readonly Finding[] {
  const { ledgerComparison, survey, findings } = drafted;
  const broughtBack = broughtBackFindings(ledgerComparison?.counts, { created, contacts: survey.contacts });
  const lostDates = lostDatesFinding(journal, progress.verification.checks);
  return [...findings, ...broughtBack, ...findingsOfWrites(journal), ...(lostDates ? [lostDates] : [])];
}

/**
 * The findings that run.db recorded while the run wrote contacts, for its report:
 * - automations that appeared meanwhile, and may have mailed the people of the list (M3)
 * - people of replayed batches whom svc did not check
 * - people who are subscribed now and were not before
 */
export function findingsOfWrites(journal: Pick<Journal, 'readNote' | 'writeNote' | 'header'>): readonly Finding[] {
  const findings = [newAutomationsFinding(journal), unseenReplaysFinding(journal), ...subscribedSinceFindings(journal)];
  return findings.filter((finding) => finding !== undefined);
}

function audienceOf(target: AudienceTarget | undefined, journal: Journal): RunEnd['audience'] {
  const destination = journal.header.destination;
  if (destination?.kind === 'audience') {
    return { id: destination.id, name: destination.name };
  }
  return target?.kind === 'found' ? { id: target.audience.id, name: target.audience.name } : undefined;
}
