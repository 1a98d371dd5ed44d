import { EXIT } from '../base/lib/exit.ts';
import { refuseUnresolved } from '../migrate/canary/roll-back.ts';
import type { RunContext } from '../migrate/context.ts';
import { askAccount, checkAllowedFlows } from '../migrate/prepare/ask-account.ts';
import { createLocks, type RunLocks } from '../migrate/prepare/locks.ts';
import { beginRun, reopenRun } from '../migrate/prepare/open-run.ts';
import { resolveStops } from '../migrate/prepare/resolve-stops.ts';
import type { RunResult } from '../migrate/report/end-run.ts';
import { carryOutPlan, withJournal } from '../migrate/run.ts';
import { writeContextOf } from '../migrate/write-context.ts';
import { type Ledger, openLedger } from '../runs/enrollment-ledger.ts';
import type { Journal } from '../runs/store/journal.ts';
import { applyEnrollment } from './apply.ts';
import { type Flow, findFlow, flowDestination } from './automation.ts';
import type { EnrollCounts } from './counts.ts';
import { draftEnrollment, type EnrollDraft, type OpenEnrollment, recounted } from './draft.ts';
import { type EnrollmentRecords, recordKeyChange } from './enrollment-records.ts';
import { enrollReport, finishEnrollment } from './finish.ts';
import { contactOptions, type EnrollOptions } from './options.ts';

/**
 * Runs one enrollment: survey, plan, contacts if requested, one request per person, report. `resume` continues that run.
 * Problems before the plan are thrown; later ones are in the report.
 */
export async function runEnroll(
  options: EnrollOptions,
  context: RunContext,
  resume?: string,
): Promise<RunResult<EnrollCounts>> {
  const locks = createLocks(context, resume);
  try {
    const { asked, flow } = await askAccount(options, context, (asked) => lookUpFlow(options, asked, resume));
    if (flow && !options.dryRun) {
      await acquireLocks(locks, flow, options);
    }
    const destination = flow && flowDestination(flow);
    const run = resume
      ? await reopenRun(resume, options, destination, asked)
      : await beginRun(options, destination, asked);
    return await withJournal(run, () =>
      withLedger(flow, run, (ledger) =>
        draftAndEnroll({ ...run, flow, records: ledger && { journal: run.journal, ledger, options: run.options } }),
      ),
    );
  } finally {
    locks.release();
  }
}

/** Finds the automation if the account is queried. A missing one stops a resumed run. */
async function lookUpFlow(options: EnrollOptions, asked: RunContext, resume: string | undefined) {
  const { account, signal } = asked;
  if (resume === undefined) {
    await checkAllowedFlows(options, asked);
  }
  const missing = resume === undefined ? EXIT.usage : EXIT.stopped;
  const asking = account && { client: account.client, signal };
  return { asked, flow: asking && (await findFlow(asking, options.automationId, missing)) };
}

async function draftAndEnroll(run: OpenEnrollment): Promise<RunResult<EnrollCounts>> {
  const { journal } = run;
  if (run.resumed && run.account) {
    recordKeyChange(journal, run.account.keyFingerprint);
  }
  const { options, drafted } = await resolveStops({
    options: run.options,
    // Only a new run takes other options.
    questioner: run.resumed ? undefined : run.questioner,
    draft: (answered) => draftEnrollment(withOptions(run, answered)),
  });
  if (options !== run.options) {
    journal.amend({ options: { ...options } });
  }
  return carryOut(withOptions(run, options), drafted);
}

function withOptions(run: OpenEnrollment, options: EnrollOptions): OpenEnrollment {
  return { ...run, options, records: run.records && { ...run.records, options } };
}

async function carryOut(run: OpenEnrollment, drafted: EnrollDraft): Promise<RunResult<EnrollCounts>> {
  const { flow, records, journal } = run;
  const problem = await carryOutPlan(run, drafted, {
    report: () => enrollReport(run, drafted),
    apply: async () => {
      if (records && flow) {
        await apply({ ...run, flow, records }, drafted);
      }
    },
  });
  return finishEnrollment(run, await recountedIfReadable(drafted, records, journal), problem);
}

type Applying = OpenEnrollment & { readonly flow: Flow; readonly records: EnrollmentRecords };

async function apply(run: Applying, drafted: EnrollDraft): Promise<void> {
  const { options, journal, flow, records } = run;
  if (options.createContacts) {
    refuseUnresolved({ state: run.state, journal, audienceId: flow.audience.id });
  }
  const work = writeContextOf(run, contactOptions(options, flow.audience.id));
  await applyEnrollment({ ...work, automationId: flow.automation.id, records }, drafted);
}

/** If the run's folder was deleted, the list can't be read again, and the report uses the known counts. */
function recountedIfReadable(
  drafted: EnrollDraft,
  records: EnrollmentRecords | undefined,
  journal: Journal,
): Promise<EnrollDraft> {
  return recounted(drafted, records).catch((error: unknown) => {
    if (journal.lost()) {
      return drafted;
    }
    throw error;
  });
}

async function withLedger<T>(
  flow: Flow | undefined,
  { account, state }: RunContext,
  work: (ledger: Ledger | undefined) => Promise<T>,
): Promise<T> {
  const ledger = account && flow ? openLedger(state, account.origin, flow.automation.id) : undefined;
  const unguard = ledger && account?.client.guard(ledger.lost);
  try {
    return await work(ledger);
  } finally {
    unguard?.();
    ledger?.close();
  }
}

/** Locks the automation, and its audience too if contacts are written. */
async function acquireLocks(locks: RunLocks, flow: Flow, { createContacts }: EnrollOptions): Promise<void> {
  await locks.acquire(flow.automation.id);
  if (createContacts) {
    await locks.acquire(flow.audience.id);
  }
}
