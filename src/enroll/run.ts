import { EXIT } from '../base/lib/exit.ts';
import { tryRejects } from '../import/rejects/rejects.ts';
import { refuseUnmended } from '../migrate/canary/unmended.ts';
import type { Outside } from '../migrate/outside.ts';
import { checkAllowedFlows } from '../migrate/prepare/allowed-flows.ts';
import { askAccount } from '../migrate/prepare/ask-account.ts';
import { type Begun, beginRun, reopenRun } from '../migrate/prepare/begin.ts';
import { createHold, type Hold } from '../migrate/prepare/hold.ts';
import { attempt, type Ended } from '../migrate/report/end-run.ts';
import { agree, refuseStops, withJournal } from '../migrate/run.ts';
import { watchPhase } from '../migrate/stage.ts';
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
 * One enrolment from beginning to end: survey and plan, contacts where that was asked for, one request a person, report.
 * With `resume` it goes on with that run. A problem before there is a plan is thrown; a later one is in the report.
 */
export async function runEnroll(
  options: EnrollOptions,
  context: Outside,
  resume?: string,
): Promise<Ended<EnrollCounts>> {
  const hold = createHold(context, resume);
  try {
    const { outside, flow } = await askAccount(options, context, (asked) => lookUpFlow(options, asked, resume));
    if (flow && !options.dryRun) {
      await acquireLocks(hold, flow, options);
    }
    const place = flow && flowDestination(flow);
    const opened = resume
      ? { options: options, ...(await reopenRun(resume, place, outside)) }
      : await beginRun(options, place, outside);
    return await withJournal(opened, outside, () =>
      withLedger(flow, outside, (ledger) => enrollWithPlan({ outside, flow, ledger, ...opened })),
    );
  } finally {
    hold.release();
  }
}

/** The flow where the account is asked; one that a run had found before and that is gone now stops it. */
async function lookUpFlow(options: EnrollOptions, outside: Outside, resume: string | undefined) {
  const { account, context } = outside;
  if (resume === undefined) {
    await checkAllowedFlows(options, outside);
  }
  const gone = resume === undefined ? EXIT.usage : EXIT.stopped;
  const asking = account && { client: account.client, signal: context.signal };
  return { outside, flow: asking && (await findFlow(asking, options.automationId, gone)) };
}

interface Conduct extends Begun {
  readonly options: EnrollOptions;
  readonly outside: Outside;
  readonly flow: Flow | undefined;
  readonly ledger: Ledger | undefined;
}

async function enrollWithPlan(run: Conduct): Promise<Ended<EnrollCounts>> {
  const { options, outside, flow, ledger, journal, held, resumed } = run;
  if (resumed && outside.account) {
    recordKeyChange(journal, outside.account.keyFingerprint);
  }
  const stage = watchPhase(outside, journal);
  const drafted = await draftEnrollment({ ...run, emit: stage.emit });
  await held.confirm();
  const memory: DedupeStore | undefined = ledger && { journal, ledger, options };
  const end: EnrollEnd = {
    options,
    outside,
    flow,
    dedupe: memory,
    journal,
    resumed,
    drafted,
    stage,
    problem: undefined,
  };
  const problem = await attempt(outside.context.signal, async () => {
    refuseStops(drafted, journal, outside.retype);
    if (options.dryRun || !memory || !flow) {
      return;
    }
    await agree(run, () => outside.confirm(enrollReport(end)));
    tryRejects(drafted.survey, journal.files.rejects);
    if (options.createContacts) {
      refuseUnmended({ state: outside.state, journal, audienceId: flow.audience.id });
    }
    const contacts = contactOptions(options, flow.audience.id);
    const work = workOf({ outside, journal, options: contacts, stage });
    await applyEnrollment({ ...work, automationId: flow.automation.id, dedupe: memory }, drafted);
  });
  return finishEnrollment({ ...end, problem, drafted: await recountedWhereKept(drafted, memory, journal) });
}

/** A run whose folder is gone can't read its list once more: its report counts what is known. */
function recountedWhereKept(
  drafted: EnrollDraft,
  memory: DedupeStore | undefined,
  journal: Journal,
): Promise<EnrollDraft> {
  return recounted(drafted, memory).catch((error: unknown) => {
    if (journal.lost()) {
      return drafted;
    }
    throw error;
  });
}

async function withLedger<T>(
  flow: Flow | undefined,
  outside: Outside,
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

/** The automation is ours while we enrol, and its audience too where contacts are written. */
async function acquireLocks(hold: Hold, flow: Flow, { createContacts }: EnrollOptions): Promise<void> {
  await hold.take(flow.automation.id);
  if (createContacts) {
    await hold.take(flow.audience.id);
  }
}
