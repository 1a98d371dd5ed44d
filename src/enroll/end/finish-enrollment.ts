import type { SvcError } from '../../base/lib/errors.ts';
import { joinAtMost, terminalSafe } from '../../base/lib/text.ts';
import { countSkippedAccountChecks } from '../../base/skipped-checks.ts';
import { broughtBackFindings } from '../../migrate/checks/repeated-list/deleted-people.ts';
import { findingsOfWrites } from '../../migrate/finish-import.ts';
import type { RunReport, RunStatus } from '../../run-lifecycle/data/run-report.ts';
import { assembleReport, type RunEnd } from '../../run-lifecycle/end/assemble-report.ts';
import { endRun, type RunResult } from '../../run-lifecycle/end/end-run.ts';
import { commonNextSteps } from '../../run-lifecycle/end/next-steps.ts';
import { commonRunEnd, type RunOutputs, recordRunEnd, writeRejectFiles } from '../../run-lifecycle/end/shared-end.ts';
import { continuationOf, isOnlyRecord } from '../../runs/find/run-status.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { OpenEnrollment } from '../draft/automation.ts';
import type { EnrollDraft } from '../draft/draft-enrollment.ts';
import {
  countUnrecognizedOutcomes,
  type EnrollCounts,
  enrollCounts,
  skippedPeople,
  unrecognizedWords,
  writtenContacts,
} from './counts.ts';
import { commandToResolve, type OutcomeFiles, writeOutcomes } from './outcome-files.ts';

/** The report of an enrollment at this moment. Writes nothing. */
export function enrollReport(
  run: OpenEnrollment,
  drafted: EnrollDraft,
  end: RunOutputs = NO_OUTPUTS,
): RunReport<EnrollCounts> {
  const runEnd = runEndOf(run, drafted, end);
  const { status } = assembleReport(runEnd);
  return assembleReport({ ...runEnd, next: nextSteps(run, drafted, end, { status, rows: runEnd.rows }) });
}

const NO_OUTPUTS: RunOutputs = { files: {}, problem: undefined };

/** Ends an enrollment: writes its files and the report, and records the end of the run. */
export function finishEnrollment(
  run: OpenEnrollment,
  drafted: EnrollDraft,
  problem: SvcError | undefined,
): Promise<RunResult<EnrollCounts>> {
  return endRun<EnrollCounts>(run, problem, {
    write: async () => {
      const report = enrollReport(run, drafted, { files: {}, problem });
      const rejects = await writeRejectFiles(run, drafted, report);
      return { ...rejects, ...(await outcomeFiles(run, drafted, report)) };
    },
    report: (files, cause) => enrollReport(run, drafted, { files, problem: cause }),
    record: (report, now) => recordRunEnd(run.journal, drafted.people, { report, now }),
  });
}

/** Writes outcomes.csv and unknown.csv. Reads the list again, which takes time, so after Ctrl-C the resume does it. */
async function outcomeFiles(
  { records, options, signal }: OpenEnrollment,
  drafted: EnrollDraft,
  { status }: RunReport<EnrollCounts>,
): Promise<RunReport['files']> {
  if (!records || options.dryRun || status === 'refused' || status === 'interrupted') {
    return {};
  }
  return { ...(await writeOutcomes(drafted, records, signal)) };
}

function runEndOf(run: OpenEnrollment, drafted: EnrollDraft, end: RunOutputs): RunEnd<EnrollCounts> {
  const { options, journal, automationTarget } = run;
  const counts = journal.counts();
  const enrollments = journal.counts('enrollment');
  const { created } = journal.counts('contacts');
  const written = { created, contacts: drafted.contactSurvey.contacts };
  const broughtBack = broughtBackFindings({ changed: drafted.unwritten.known }, written);
  const findings = [...drafted.findings, ...broughtBack, ...findingsOfWrites(journal)];
  return {
    ...commonRunEnd(run, { plan: drafted.plan, findings }),
    ...end,
    audience: automationTarget && idAndName(automationTarget.audience),
    automation: automationTarget ? idAndName(automationTarget.automation) : null,
    survey: { ...drafted.survey, preview: options.createContacts ? previewOf(drafted) : [] },
    rows: enrollCounts(drafted, { counts, enrollments }),
    rowsReplayed: enrollments.replayed,
    skipped: skippedPeople(drafted),
    unrecognized: countUnrecognizedOutcomes(counts),
    contacts: options.createContacts ? writtenContacts(journal.counts('contacts')) : undefined,
    next: [],
  };
}

/** The first contacts to write, for a preview. Leaves out opted-out people, because they are not enrolled. */
function previewOf({ contactSurvey }: EnrollDraft): RunReport['preview'] {
  return contactSurvey.preview.filter((contact) => contact.status === undefined);
}

function idAndName({ id, name }: { readonly id: string; readonly name: string }) {
  return { id, name };
}

interface EnrollmentEnd {
  readonly status: RunStatus;
  readonly rows: EnrollCounts;
}

interface OutputFiles extends OutcomeFiles {
  readonly rejects?: readonly string[];
}

function nextSteps(
  run: OpenEnrollment,
  drafted: EnrollDraft,
  { files, problem }: RunOutputs,
  { status, rows }: EnrollmentEnd,
): string[] {
  const { options, journal } = run;
  const { run: id } = journal.header;
  const { rejects = [], outcomes, unknown } = files as OutputFiles;
  const situation = {
    run: id,
    header: journal.header,
    isRecord: isOnlyRecord(journal),
    status,
    code: problem?.code,
    options,
    rows,
    rejects,
    continuation: continuationOf(status, run),
    unchecked: countSkippedAccountChecks(drafted.findings),
  };
  const resolve = rows.unknown > 0 && !journal.problemIfLost() ? [resolveStep(journal, unknown)] : [];
  const explained = !options.dryRun && rows.rejected + rows.failed > 0 && rejects.length === 0 && outcomes;
  return [...commonNextSteps(situation, resolve), ...(explained ? [`See why in ${outcomes}.`] : [])];
}

/** The next step for people whose outcome is unknown. It names the words of the service that svc does not know (O6). */
function resolveStep(journal: Journal, unknown: string | undefined): string {
  const words = unrecognizedWords(journal).map((word) => `"${terminalSafe(word)}"`);
  const unrecognized =
    words.length > 0
      ? [
          `The service responded with ${words.length === 1 ? 'an outcome' : 'outcomes'} that svc does not know: ${joinAtMost(words, 3)}.`,
        ]
      : [];
  const inApp =
    unknown === undefined
      ? []
      : [`Look in the app whether the people of ${terminalSafe(unknown)} were enrolled. Then:`];
  return [...unrecognized, ...inApp, commandToResolve(journal.run)].join(' ');
}
