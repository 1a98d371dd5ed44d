import { EXIT } from '../base/lib/exit.ts';
import { refuseUnresolved } from '../migrate/canary/record.ts';
import type { RunContext } from '../migrate/context.ts';
import { type RunPhase, watchPhase } from '../migrate/phase.ts';
import { checkAllowedFlows } from '../migrate/prepare/allowed-flows.ts';
import { askAccount } from '../migrate/prepare/ask-account.ts';
import { createHold, type Hold } from '../migrate/prepare/hold.ts';
import { beginRun, type OpenedRun, reopenRun } from '../migrate/prepare/open-run.ts';
import { resolveStops } from '../migrate/prepare/resolve-stops.ts';
import type { RunResult } from '../migrate/report/end-run.ts';
import { carryOutPlan, withJournal } from '../migrate/run.ts';
import { workOf } from '../migrate/write/apply.ts';
import { type Ledger, openLedger } from '../runs/enrollment-ledger.ts';
import type { Journal } from '../runs/store/journal.ts';
import { applyEnrollment } from './apply.ts';
import { type Flow, findFlow, flowDestination } from './automation.ts';
import type { EnrollCounts } from './counts.ts';
import { type DedupeStore, recordKeyChange } from './dedupe-store.ts';
import { draftEnrollment, type EnrollDraft, recounted } from './draft.ts';
import { type EnrollEnd, enrollReport, finishEnrollment } from './finish.ts';
import { contactOptions, type EnrollOptions } from './options.ts';

/**
 * Runs one enrolment: survey, plan, contacts if requested, one request a person, report. `resume` continues that run.
 * Problems before the plan are thrown; later ones are in the report.
 */
export async function runEnroll(
  options: EnrollOptions,
  context: RunContext,
  resume?: string,
): Promise<RunResult<EnrollCounts>> {
  const hold = createHold(context, resume);
  try {
    const { outside, flow } = await askAccount(options, context, (asked) => lookUpFlow(options, asked, resume));
    if (flow && !options.dryRun) {
      await acquireLocks(hold, flow, options);
    }
    const place = flow && flowDestination(flow);
    const opened = resume
      ? { options, ...(await reopenRun(resume, place, outside)) }
      : await beginRun(options, place, outside);
    return await withJournal(opened, outside, () =>
      withLedger(flow, outside, (ledger) => draftAndEnroll({ outside, flow, ledger, ...opened })),
    );
  } finally {
    hold.release();
  }
}

/** Finds the automation if the account is queried. A missing one stops a resumed run. */
async function lookUpFlow(options: EnrollOptions, outside: RunContext, resume: string | undefined) {
  const { account, context } = outside;
  if (resume === undefined) {
    await checkAllowedFlows(options, outside);
  }
  const gone = resume === undefined ? EXIT.usage : EXIT.stopped;
  const asking = account && { client: account.client, signal: context.signal };
  return { outside, flow: asking && (await findFlow(asking, options.automationId, gone)) };
}

interface EnrollRun extends OpenedRun {
  readonly options: EnrollOptions;
  readonly outside: RunContext;
  readonly flow: Flow | undefined;
  readonly ledger: Ledger | undefined;
}

async function draftAndEnroll(run: EnrollRun): Promise<RunResult<EnrollCounts>> {
  const { outside, flow, ledger, journal, resumed } = run;
  if (resumed && outside.account) {
    recordKeyChange(journal, outside.account.keyFingerprint);
  }
  const stage = watchPhase(outside, journal);
  const { options, drafted } = await resolveStops({
    options: run.options,
    // Only a new run takes other options.
    questioner: resumed ? undefined : outside.questioner,
    draft: (answered) => draftEnrollment({ ...run, options: answered, emit: stage.emit }),
  });
  if (options !== run.options) {
    journal.amend({ options: { ...options } });
  }
  const dedupe: DedupeStore | undefined = ledger && { journal, ledger, options };
  const end: EnrollEnd = { ...run, options, dedupe, drafted, stage, problem: undefined };
  const problem = await carryOutPlan({ ...run, options }, drafted, {
    report: () => enrollReport(end),
    apply: async () => {
      if (dedupe && flow) {
        await apply({ ...run, options, flow, dedupe, stage }, drafted);
      }
    },
  });
  return finishEnrollment({ ...end, problem, drafted: await recountedWhereKept(drafted, dedupe, journal) });
}

interface Applying extends EnrollRun {
  readonly flow: Flow;
  readonly dedupe: DedupeStore;
  readonly stage: RunPhase;
}

async function apply(
  { options, outside, journal, flow, dedupe, stage }: Applying,
  drafted: EnrollDraft,
): Promise<void> {
  if (options.createContacts) {
    refuseUnresolved({ state: outside.state, journal, audienceId: flow.audience.id });
  }
  const contacts = contactOptions(options, flow.audience.id);
  const work = workOf({ outside, journal, options: contacts, stage });
  await applyEnrollment({ ...work, automationId: flow.automation.id, dedupe }, drafted);
}

/** If the run's folder was deleted, the list can't be read again, and the report uses the known counts. */
function recountedWhereKept(
  drafted: EnrollDraft,
  dedupe: DedupeStore | undefined,
  journal: Journal,
): Promise<EnrollDraft> {
  return recounted(drafted, dedupe).catch((error: unknown) => {
    if (journal.lost()) {
      return drafted;
    }
    throw error;
  });
}

async function withLedger<T>(
  flow: Flow | undefined,
  outside: RunContext,
  work: (ledger: Ledger | undefined) => Promise<T>,
): Promise<T> {
  const { account, state } = outside;
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
async function acquireLocks(hold: Hold, flow: Flow, { createContacts }: EnrollOptions): Promise<void> {
  await hold.take(flow.automation.id);
  if (createContacts) {
    await hold.take(flow.audience.id);
  }
}
