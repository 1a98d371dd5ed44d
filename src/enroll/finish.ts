import { join } from 'node:path';
import { endRun, type RunResult } from '../migrate/report/end-run.ts';
import { commonEnding, type EndingRun, isResumable, recordEnd, writeRejectFiles } from '../migrate/report/finish.ts';
import { commonSteps } from '../migrate/report/next-steps.ts';
import { assembleReport, type RunEnd } from '../migrate/report/report.ts';
import type { RunReport } from '../migrate/types.ts';
import type { Flow } from './automation.ts';
import { type EnrollCounts, enrollCounts, skippedPeople, unrecognizedOutcomes } from './counts.ts';
import type { DedupeStore } from './dedupe-store.ts';
import type { EnrollDraft } from './draft.ts';
import type { EnrollOptions } from './options.ts';
import { writeOutcomes } from './outcomes.ts';
import { UNKNOWN_PEOPLE } from './resolve.ts';

/** The state of an enrolment when its report is made. */
export interface EnrollEnd extends EndingRun {
  readonly options: EnrollOptions;
  readonly flow: Flow | undefined;
  readonly dedupe: DedupeStore | undefined;
  readonly drafted: EnrollDraft;
}

/** The report of an enrolment at this moment. Writes nothing. */
export function enrollReport(run: EnrollEnd, files: RunReport['files'] = {}): RunReport<EnrollCounts> {
  const ending = endingOf(run, files);
  const { exit_code: exit } = assembleReport(ending);
  return assembleReport({ ...ending, next: nextSteps(run, { exit, rows: ending.rows, files }) });
}

/** Ends an enrolment: writes outcomes and rejects, stores the people with unknown outcomes, records the end. */
export function finishEnrollment(run: EnrollEnd): Promise<RunResult<EnrollCounts>> {
  const draft = enrollReport(run);
  return endRun<EnrollCounts>({
    ...run,
    write: async () => ({ ...(await writeRejectFiles(run, draft)), ...(await outcomeFiles(run, draft)) }),
    report: (files, cause) => enrollReport({ ...run, problem: cause }, files),
    record: (report, now) => record(run, report, now),
  });
}

function record(run: EnrollEnd, report: RunReport<EnrollCounts>, now: number): void {
  if (report.status === 'completed' || report.status === 'partial') {
    // The run can't be resumed, so its header doesn't need the given addresses any more.
    run.journal.amend({ options: { ...run.options, emails: [] } });
  }
  recordEnd(run, report, now);
}

/** After an interrupt the list is not read again; the resume writes the files. */
async function outcomeFiles(run: EnrollEnd, { status }: RunReport<EnrollCounts>): Promise<RunReport['files']> {
  const { journal, drafted, dedupe, options } = run;
  if (!dedupe || options.dryRun || status === 'refused' || status === 'interrupted') {
    return {};
  }
  const paths = { outcomes: journal.files.outcomes, unknown: join(journal.folder, 'unknown.csv') };
  const { files, unknownPeople } = await writeOutcomes(drafted, dedupe, paths);
  journal.note(UNKNOWN_PEOPLE, unknownPeople);
  return files;
}

function endingOf(run: EnrollEnd, files: RunReport['files']): RunEnd<EnrollCounts> {
  const { options, journal, drafted, flow } = run;
  const counts = journal.counts();
  const enrollments = journal.counts('enrollment');
  return {
    ...commonEnding(run),
    audience: flow && named(flow.audience),
    automation: flow ? named(flow.automation) : null,
    survey: { ...drafted.survey, preview: options.createContacts ? previewOf(drafted) : [] },
    rows: enrollCounts(drafted, { counts, enrollments }),
    rowsReplayed: enrollments.replayed,
    skipped: skippedPeople(drafted),
    strange: unrecognizedOutcomes(counts),
    files,
    next: [],
  };
}

/** The preview shows only people who are written, and so nobody who opted out. */
function previewOf({ survey }: EnrollDraft): RunReport['preview'] {
  return survey.preview.filter((contact) => contact.status === undefined);
}

function named({ id, name }: { readonly id: string; readonly name: string }) {
  return { id, name };
}

interface Outcome {
  readonly exit: number;
  readonly rows: EnrollCounts;
  readonly files: RunReport['files'];
}

function nextSteps(run: EnrollEnd, { exit, rows, files }: Outcome): string[] {
  const { options, journal, problem } = run;
  const { run: id } = journal.header;
  const { rejects = [], outcomes } = files as { rejects?: readonly string[]; outcomes?: string };
  const situation = { run: id, exit, code: problem?.code, options, rows, rejects, resumable: isResumable(run) };
  const resolve = rows.unknown > 0 && !journal.lost() ? [`svc runs resolve ${id}`] : [];
  const explained = !options.dryRun && rows.rejected + rows.failed > 0 && rejects.length === 0 && outcomes;
  return [...commonSteps(situation, resolve), ...(explained ? [`See why in ${outcomes}.`] : [])];
}
