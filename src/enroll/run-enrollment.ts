import { EXIT, SvcError } from '../base/lib/errors.ts';
import { openEnrollmentLedger } from '../ledgers/enrollment-ledger.ts';
import { findContactLedger } from '../ledgers/open-contact-ledger.ts';
import { checkAllowedAutomations } from '../migrate/checks/automations.ts';
import { refuseUnresolvedSignUps } from '../migrate/opt-outs/earlier-sign-ups.ts';
import { withOpenLedger } from '../migrate/write/ledger-writes.ts';
import { type OpenRun, type RunContext, writeContextOf } from '../run-lifecycle/data/run-context.ts';
import type { RunResult } from '../run-lifecycle/end/end-run.ts';
import type { RunLocks } from '../run-lifecycle/open/locks.ts';
import { planAndApplyRun, withOpenRun } from '../run-lifecycle/run-lifecycle.ts';
import { listReadableRuns, unfinishedRuns } from '../runs/find/list-runs.ts';
import { commandToResumeAt } from '../runs/find/next-commands.ts';
import { hasSentRequests } from '../runs/find/run-status.ts';
import type { RunSummary } from '../runs/find/summarize-run.ts';
import {
  type AutomationTarget,
  automationDestination,
  findAutomationTarget,
  type OpenEnrollment,
} from './draft/automation.ts';
import { isEnrollmentIn, markLedger, refuseLostLedger, refuseOlderLedger } from './draft/checks/lost-ledger.ts';
import { refuseOtherOrigin, shownOrigin } from './draft/checks/other-origin.ts';
import { draftEnrollment, type EnrollDraft, recountEnrolledBefore } from './draft/draft-enrollment.ts';
import { contactOptions, ENROLL_COMMAND, type EnrollOptions } from './draft/enroll-options.ts';
import type { EnrollCounts } from './end/counts.ts';
import { enrollReport, finishEnrollment } from './end/finish-enrollment.ts';
import { type EnrollmentRecords, recordEarlierEnrollments } from './records/enrollment-records.ts';
import { recordKeyChange } from './records/key-change.ts';
import { applyEnrollment } from './send/apply-enrollment.ts';

/**
 * Runs one enrollment: survey, plan, contacts with --create-contacts, one request for each person, report. `resume` is
 * the id of a run to continue. Throws a problem that occurs before the plan exists. The report has any later problem.
 */
export function runEnrollment(
  options: EnrollOptions,
  context: RunContext,
  resume?: string,
): Promise<RunResult<EnrollCounts>> {
  const find = async (usableContext: RunContext, locks: RunLocks) => {
    const concurrentRuns = options.reenroll ? watchEnrollments(context.stateFolder, options.automationId) : () => [];
    const automationTarget = await lookUpAutomation(options, usableContext, resume);
    if (automationTarget && !options.dryRun) {
      await acquireLocks(locks, automationTarget, options);
    }
    const destination = automationTarget && automationDestination(automationTarget);
    return { automationTarget, concurrentRuns, destination, options: undefined };
  };
  return withOpenRun({ options, context, resume, find }, (run, { automationTarget, concurrentRuns }) =>
    withRecords(run, automationTarget, (records) => {
      if (run.resumed && run.account) {
        recordKeyChange(run.journal, run.account.keyFingerprint);
      }
      refuseSecondReenrollment(run);
      if (records && run.options.reenroll && !run.resumed) {
        recordEarlierEnrollments(records, concurrentRuns());
      }
      return planAndApplyRun<OpenEnrollment, EnrollDraft, EnrollCounts>(
        { ...run, automationTarget, records },
        { draft: draftEnrollment, report: enrollReport, apply, finish },
      );
    }),
  );
}

/**
 * Called when a command is given, before it waits for the lock of the automation. Returns a function that lists the ids
 * of the runs of this automation that were not finished at that moment or began later, its own run among them (I11).
 * The clock plays no part, because it may be set back (P7).
 */
function watchEnrollments(stateFolder: string, automationId: string): () => readonly string[] {
  const runsHere = () =>
    listReadableRuns(stateFolder).filter(
      ({ command, destinationId }) => command === ENROLL_COMMAND && destinationId === automationId,
    );
  const isOver = ({ finished, status }: RunSummary) => finished === true && status !== 'running';
  const idsOf = (runs: readonly RunSummary[]) => runs.map(({ run }) => run);
  const finishedBefore = new Set(idsOf(runsHere().filter(isOver)));
  return () => idsOf(runsHere()).filter((run) => !finishedBefore.has(run));
}

/**
 * Refuses a run with --reenroll that has sent nothing yet, if another run of the automation is unfinished. That run may
 * have another version of the list, or another base URL. This run would enroll the people of that run again, with new
 * keys (M5).
 */
function refuseSecondReenrollment({ stateFolder, journal, options }: OpenRun<EnrollOptions>): void {
  if (!options.reenroll || options.dryRun || hasSentRequests(journal)) {
    return;
  }
  const { run, origin, destination } = journal.header;
  const automationId = destination?.id ?? '';
  const other = unfinishedRuns(stateFolder).find(
    (one) => one.run !== run && isEnrollmentIn({ origin: one.origin, automationId })(one),
  );
  if (other) {
    const isElsewhere = other.origin !== origin;
    const where = isElsewhere ? ` under ${shownOrigin(other.origin)}` : '';
    const message = `nothing was sent: ${other.run} enrolled people in this automation${where} and is not finished`;
    // An emulator of svc has no base URL that a later command can name.
    const isNamed = isElsewhere && /^https?:/.test(other.origin);
    const resume = isNamed ? commandToResumeAt(other) : `svc runs resume ${other.run}`;
    const hint = `Finish it: ${resume}\nOr forget it, and enroll its people again: svc runs delete ${other.run} --confirm ${other.run}`;
    throw new SvcError(EXIT.refused, 'unfinished_run', message, { hint });
  }
}

/**
 * Finds the automation, if there is an account to query. If it is missing, a new run ends with exit 2, because the id
 * is wrong. A resumed run ends with exit 7, because the automation was deleted meanwhile.
 */
async function lookUpAutomation(options: EnrollOptions, { account, signal }: RunContext, resume: string | undefined) {
  if (resume === undefined) {
    await checkAllowedAutomations(options, { account, signal });
  }
  const missing = resume === undefined ? EXIT.usage : EXIT.stopped;
  return account && findAutomationTarget({ client: account.client, signal }, options.automationId, missing);
}

async function apply(run: OpenEnrollment, drafted: EnrollDraft): Promise<void> {
  const { options, automationTarget, records } = run;
  if (!records || !automationTarget) {
    return;
  }
  const audienceId = automationTarget.audience.id;
  const context = writeContextOf(run, contactOptions(options, audienceId));
  const location = { stateFolder: run.stateFolder, origin: context.origin, audienceId };
  if (options.createContacts) {
    await refuseUnresolvedSignUps(context, audienceId);
  }
  const ledger = options.createContacts ? findContactLedger(location) : undefined;
  markLedger(records);
  await withOpenLedger({ ledger, journal: run.journal }, () =>
    applyEnrollment({ ...context, ledger, automationId: automationTarget.automation.id, audienceId, records }, drafted),
  ).finally(() => markIfPossible(records));
}

/** Ignores an error, because the error that ended the run counts more. A missing mark only weakens a later check. */
function markIfPossible(records: EnrollmentRecords): void {
  try {
    markLedger(records);
  } catch {
    // The error is not lost: the same disk fails again when the run records its end.
  }
}

function finish(run: OpenEnrollment, drafted: EnrollDraft, problem: SvcError | undefined) {
  return finishEnrollment(run, recountEnrolledBefore(drafted, run.records), problem);
}

/**
 * Does `work` with the records of the people whom svc enrolled before. They are undefined in a dry run without an
 * account.
 */
async function withRecords<T>(
  run: OpenRun<EnrollOptions>,
  automationTarget: AutomationTarget | undefined,
  work: (records: EnrollmentRecords | undefined) => Promise<T>,
): Promise<T> {
  const { account, stateFolder, journal, options, resumed } = run;
  const place = account &&
    automationTarget && { stateFolder, origin: account.origin, automationId: automationTarget.automation.id };
  if (place && !options.reenroll) {
    refuseOtherOrigin({ ...place, ownRun: journal.run, resumed });
    refuseLostLedger(place);
  }
  const ledger = place && openEnrollmentLedger(stateFolder, place.origin, place.automationId);
  const unguard = ledger && account?.client.addStateCheck(ledger.problemIfLost);
  try {
    if (ledger && !options.reenroll) {
      refuseOlderLedger(ledger, { ...place, ownRun: journal.run });
    }
    return await work(ledger && { journal, ledger, options });
  } finally {
    unguard?.();
    ledger?.close();
  }
}

/** Locks the automation, and its audience too if contacts are written. */
async function acquireLocks(
  locks: RunLocks,
  automationTarget: AutomationTarget,
  { createContacts }: EnrollOptions,
): Promise<void> {
  await locks.acquire(automationTarget.automation.id);
  // Without this lock, two runs could begin at once under two names of the service, and neither would see the other.
  await locks.acquireEverywhere(automationTarget.automation.id);
  if (createContacts) {
    await locks.acquire(automationTarget.audience.id);
  }
}
