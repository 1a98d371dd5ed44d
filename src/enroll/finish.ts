import { join } from 'node:path';
import type { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import { writeRejects } from '../import/rejects/rejects.ts';
import { MAX_FAILURES } from '../migrate/checks/failures.ts';
import type { Outside } from '../migrate/outside.ts';
import { type Ended, endRun } from '../migrate/report/end-run.ts';
import { isFault } from '../migrate/report/fates.ts';
import { NO_REQUESTS, recordEnd } from '../migrate/report/finish.ts';
import { mendStep, overLimit, RESUMABLE } from '../migrate/report/next-steps.ts';
import { assembleReport, type Ending } from '../migrate/report/report.ts';
import type { Stage } from '../migrate/stage.ts';
import type { RunReport } from '../migrate/types.ts';
import { hasBegun } from '../runs/find/run-status.ts';
import type { Journal } from '../runs/store/journal.ts';
import type { Flow } from './automation.ts';
import { type EnrollCounts, enrollCounts, skippedPeople, unrecognizedOutcomes } from './counts.ts';
import type { DedupeStore } from './dedupe-store.ts';
import type { EnrollDraft } from './draft.ts';
import type { EnrollOptions } from './options.ts';
import { writeOutcomes } from './outcomes.ts';
import { UNKNOWN_PEOPLE } from './resolve.ts';

/** The state of an enrolment when its report is made. */
export interface EnrollEnd {
  readonly options: EnrollOptions;
  readonly outside: Outside;
  readonly flow: Flow | undefined;
  readonly dedupe: DedupeStore | undefined;
  readonly journal: Journal;
  readonly resumed: boolean;
  readonly drafted: EnrollDraft;
  readonly stage: Stage;
  readonly problem: SvcError | undefined;
}

/** The report of an enrolment at this moment. Writes nothing. */
export function enrollReport(run: EnrollEnd, files: RunReport['files'] = {}): RunReport<EnrollCounts> {
  const ending = endingOf(run, files);
  const { exit_code: exit } = assembleReport(ending);
  return assembleReport({ ...ending, next: nextSteps(run, { exit, rows: ending.rows, files }) });
}

/** Ends an enrolment: writes outcomes and rejects, stores the people with unknown outcomes, records the end. */
export function finishEnrollment(run: EnrollEnd): Promise<Ended<EnrollCounts>> {
  const { journal, outside, problem } = run;
  const draft = enrollReport(run);
  // Emitted directly, so that the report still names the phase in which the run ended.
  outside.emit({ type: 'phase', phase: 'report' });
  return endRun<EnrollCounts>({
    journal,
    problem,
    signal: outside.context.signal,
    now: outside.context.clock.now(),
    write: () => peopleFiles(run, draft),
    report: (files, cause) => enrollReport({ ...run, problem: cause }, files),
    record: (report) => record(run, report),
  });
}

function record({ journal, outside, options, drafted }: EnrollEnd, report: RunReport<EnrollCounts>): void {
  if (report.status === 'completed' || report.status === 'partial') {
    // The run can't be resumed, so its header doesn't need the given addresses any more.
    journal.amend({ options: { ...options, emails: [] } });
  }
  recordEnd({ journal, people: drafted.people, now: outside.context.clock.now() }, report);
}

/** After an interrupt the list is not read again; the resume writes the files. */
async function peopleFiles(run: EnrollEnd, draft: RunReport<EnrollCounts>): Promise<RunReport['files']> {
  const { journal, drafted, dedupe: memory, options } = run;
  if (draft.status === 'interrupted') {
    return {};
  }
  const { rejected, failed } = draft.rows;
  const rejects = rejected + failed > 0 ? await rejectFiles(run) : [];
  const given = rejects.length > 0 ? { rejects } : {};
  if (!memory || options.dryRun || draft.status === 'refused') {
    return given;
  }
  const places = { outcomes: journal.files.outcomes, unknown: join(journal.folder, 'unknown.csv') };
  const { files, unknownPeople: doubtful } = await writeOutcomes(drafted, memory, places);
  journal.note(UNKNOWN_PEOPLE, doubtful);
  return { ...given, ...files };
}

function rejectFiles({ drafted, journal }: EnrollEnd): Promise<readonly string[]> {
  const failures = [...journal.units.failures()].filter((failure) => isFault(failure.code));
  return writeRejects(drafted.survey, drafted.people, { folder: journal.files.rejects, failures });
}

function endingOf(run: EnrollEnd, files: RunReport['files']): Ending<EnrollCounts> {
  const { options, outside, journal, drafted, stage, problem, flow } = run;
  const tally = journal.tally();
  const enrollments = journal.tally('enrollment');
  return {
    run: journal.header.run,
    folder: journal.folder,
    resumed: run.resumed,
    options,
    phase: stage.phase,
    origin: outside.account?.origin,
    audience: flow && named(flow.audience),
    automation: flow ? named(flow.automation) : null,
    survey: { inputs: drafted.survey.inputs, preview: options.createContacts ? previewOf(drafted) : [] },
    plan: drafted.plan,
    findings: drafted.findings,
    rows: enrollCounts(drafted, { counts: tally, enrollments }),
    rowsReplayed: enrollments.replayed,
    skipped: skippedPeople(drafted),
    strange: unrecognizedOutcomes(tally),
    requests: outside.account?.client.stats() ?? NO_REQUESTS,
    verification: stage.verification,
    files,
    next: [],
    problem,
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

function nextSteps({ options, journal, outside, problem }: EnrollEnd, { exit, rows, files }: Outcome): string[] {
  const { run } = journal.header;
  if (options.dryRun) {
    return exit === EXIT.ok ? ['Nothing was sent. The same command without --dry-run goes ahead.'] : [];
  }
  const limit = problem?.code === MAX_FAILURES;
  const kept = outside.account?.ephemeral === false && hasBegun(journal) && !journal.lost();
  const resumable = RESUMABLE.includes(exit) && kept;
  const { rejects = [], outcomes } = files as { rejects?: readonly string[]; outcomes?: string };
  const bad = rows.rejected + rows.failed;
  return [
    ...(resumable ? [limit ? overLimit(run) : `svc runs resume ${run}`] : []),
    ...(rows.unknown > 0 && !resumable && !journal.lost() ? [`svc runs resolve ${run}`] : []),
    ...(rejects.length > 0 ? [mendStep(bad, rejects)] : []),
    ...(bad > 0 && rejects.length === 0 && outcomes ? [`See why in ${outcomes}.`] : []),
  ];
}
