import type { DatabaseSync } from 'node:sqlite';
import { getAudience } from '../api/resources/audiences.ts';
import { formatDuration } from '../base/lib/duration.ts';
import { rewordError, type SvcError, toBugError } from '../base/lib/errors.ts';
import { formatNumber, plural } from '../base/lib/text.ts';
import { destinationOf, type FoundAudience, findExistingAudience } from '../migrate/audience/target.ts';
import { failuresFinding } from '../migrate/checks/failures.ts';
import { sortFindings } from '../migrate/checks/plan-checks.ts';
import { type ImportDraft, surveyWithoutBatches } from '../migrate/draft/draft-import.ts';
import { estimateSeconds } from '../migrate/draft/plan.ts';
import type { RunAccount, RunContext } from '../run-lifecycle/data/run-context.ts';
import { runStatusOf } from '../run-lifecycle/end/assemble-report.ts';
import { captureProblem } from '../run-lifecycle/end/end-run.ts';
import { deletePersonalData } from '../run-lifecycle/end/shared-end.ts';
import { createRunLocks } from '../run-lifecycle/open/locks.ts';
import { refuseStops, withOpenRun } from '../run-lifecycle/run-lifecycle.ts';
import { withWholeCommands } from '../run-lifecycle/stops/commands-for-stops.ts';
import { resolveStops } from '../run-lifecycle/stops/resolve-stops.ts';
import { LIMITS } from '../wire/limits.ts';
import { openAudienceStore } from './audience-store.ts';
import { openCheckDatabase, removeCheckDatabase } from './check-database.ts';
import { type CheckOptions, type OpenCheck, OUTPUT_BEGUN_NOTE } from './check-options.ts';
import { compareList } from './compare-list.ts';
import { confirmResults } from './confirm-results.ts';
import { canContinueReading, readAudienceContacts } from './read-audience.ts';
import { type CheckReport, checkReport, writeResults } from './report.ts';
import { openResults } from './results.ts';
import { checkSameInputs, writesOfRun } from './verified-run.ts';

/** How a check ended: with a report, or with the problem that ended it early. */
export type CheckRunResult =
  | { readonly report: CheckReport }
  | { readonly report?: undefined; readonly problem: SvcError };

/**
 * Compares a list with an audience, person by person, and writes nothing to the service. It is a run with its own
 * folder, so that the same command continues it after an interruption. `resume` is the id of a run to continue.
 */
export async function runCheck(options: CheckOptions, context: RunContext, resume?: string): Promise<CheckRunResult> {
  // The cast is safe: only a dry run may lack an account, and a check is no dry run.
  const account = context.account as RunAccount;
  const find = async () => {
    const target = await findExistingAudience({ ...context, client: account.client }, options.target);
    await waitForRun(context, target.audience.id);
    return { target, destination: destinationOf(target), options: undefined };
  };
  return withOpenRun({ options, context, resume, find }, async (opened, { target }) => {
    // The phases of a check are not recorded, because they would say nothing about writes.
    const run: OpenCheck = { ...opened, emit: context.emit };
    checkSameInputs(run);
    const list = await surveyList(run);
    return compareAll({ run, account, list, audience: target.audience });
  });
}

/**
 * Waits until no other run writes to the audience. Throws `busy` if that takes longer than --wait. Does nothing without
 * --wait. Keeps no lock, because a check only reads.
 */
async function waitForRun(context: RunContext, audienceId: string): Promise<void> {
  if (context.lockWaitMs > 0) {
    const locks = createRunLocks(context, undefined);
    try {
      await locks.acquire(audienceId);
    } finally {
      locks.release();
    }
  }
}

type CheckedList = Pick<ImportDraft, 'survey' | 'people'>;

/**
 * Reads the list like an import: with the same survey, the same questions at a terminal, and the same checks (V1).
 * Throws if one of these checks finds a stop, because an unclear list can't be compared.
 */
async function surveyList(opened: OpenCheck): Promise<CheckedList> {
  const { run, drafted } = await resolveStops(opened, async (run) => {
    const { options, commandWith } = run;
    const read = await surveyWithoutBatches(run, options.reading);
    const findings = sortFindings([...read.survey.findings, failuresFinding({ survey: read.survey, options })]);
    return { ...read, findings: withWholeCommands(findings, commandWith) };
  });
  refuseStops(run, drafted.findings, 'compared');
  await run.inputCopies.record(drafted.survey.inputs);
  return drafted;
}

interface AudienceComparison {
  readonly run: OpenCheck;
  readonly account: RunAccount;
  readonly list: CheckedList;
  readonly audience: FoundAudience['audience'];
}

const OTHER_VERSION =
  'Another version of svc stored the contacts that were read before. So svc reads the audience from the beginning.';

async function compareAll(check: AudienceComparison): Promise<CheckRunResult> {
  const { journal, clock, signal, emit } = check.run;
  const { db, wasReplaced } = openCheckDatabase(journal.files.checkDb);
  if (wasReplaced) {
    emit({ type: 'note', message: OTHER_VERSION });
  }
  const ended: { report?: CheckReport } = {};
  const problem = await captureProblem(signal, async () => {
    ended.report = await compareIn(db, check);
    journal.saveReport(ended.report);
  }).finally(() => db.close());
  if (problem || !ended.report) {
    const cause = problem ?? toBugError(new Error(`${journal.run} ended without a report`));
    journal.setStatus(runStatusOf(cause.exit), cause.exit, clock.now());
    return { problem: check.account.isEphemeral ? cause : withResumeLine(cause, journal.run) };
  }
  const { report } = ended;
  journal.setStatus(runStatusOf(report.exit_code), report.exit_code, clock.now());
  // A finished check does not need the stored contacts any more.
  removeCheckDatabase(journal.files.checkDb);
  deletePersonalData(journal, check.list.people);
  return { report };
}

/** Adds a hint to an error. The hint says how to continue: the contacts that svc read stay in the folder of the run. */
function withResumeLine(error: SvcError, run: string): SvcError {
  const hint = `The contacts that were read are kept. To continue: svc runs resume ${run}`;
  return rewordError(error, { hint: error.hint === undefined ? hint : `${error.hint}\n${hint}` });
}

async function compareIn(db: DatabaseSync, check: AudienceComparison): Promise<CheckReport> {
  const { run, account, list, audience } = check;
  const { options, journal, clock, signal, emit, changedInputs } = run;
  const { client, origin } = account;
  const store = openAudienceStore(db);
  const results = openResults(db);
  const needsAll = options.verifies === undefined;
  const reading = { client, audienceId: audience.id, store, clock, signal, emit, needsAll };
  await noteRequests(check, canContinueReading(reading) ? store.size() : 0);
  await readAudienceContacts(reading);
  emit({ type: 'doing', what: 'comparing' });
  const runWrites = writesOfRun(options, run.stateFolder);
  const skipped = await compareList({ ...list, store, results, signal, runWrites });
  const lookUps = await confirmResults({ ...reading, results });
  if (options.output !== undefined) {
    journal.writeNote(OUTPUT_BEGUN_NOTE, true);
    await writeResults(results, options.output);
  }
  emit({ type: 'phase', phase: 'done' });
  const { shownFields = [] } = store.state ?? {};
  const isComplete = !needsAll || store.state?.complete === true || lookUps.hasSeenAll;
  const { survey } = list;
  const requests = client.stats();
  const file = journal.files.report;
  const found = { audience, survey, results, skipped, lookUps, complete: isComplete, shownFields, changedInputs };
  return checkReport({ run: journal.run, options, origin, ...found, requests, file });
}

/** Tells the user how many requests the reading takes, and how long, before it starts. */
async function noteRequests({ audience, account, run }: AudienceComparison, alreadyRead: number): Promise<void> {
  const { contact_counts } = await getAudience(account.client, audience.id, run);
  const requests = Math.ceil(Math.max(1, contact_counts.total - alreadyRead) / LIMITS.pageSizeMax);
  const time = formatDuration(estimateSeconds(requests, run.rateLimits) * 1_000);
  const rest = alreadyRead > 0 ? `; ${formatNumber(alreadyRead)} of them were read before` : '';
  run.emit({
    type: 'note',
    message: `The audience holds ${plural(contact_counts.total, 'contact')}${rest}. Reading takes ${plural(requests, 'request')}, about ${time}. People who differ are looked up again.`,
  });
}
