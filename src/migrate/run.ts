import { ApiError } from '../api/api-error.ts';
import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import { tryRejects } from '../import/rejects/rejects.ts';
import { discardRun } from '../runs/find/delete-run.ts';
import { hasSentRequests, isAgreed } from '../runs/find/run-status.ts';
import type { Journal } from '../runs/store/journal.ts';
import type { OpenRun, PlannedAudience, RunContext } from './context.ts';
import { type ImportOptions, type RunOptions, writesOf } from './options.ts';
import { answerToAll, type Retype } from './plan/whole-commands.ts';
import { askAccount, checkAllowedFlows } from './prepare/ask-account.ts';
import { createLocks, type RunLocks } from './prepare/locks.ts';
import { beginRun, reopenRun, restore } from './prepare/open-run.ts';
import { type Drafted, draftRun, type OpenImport } from './prepare/prepare.ts';
import { resolveStops } from './prepare/resolve-stops.ts';
import { checkTarget, destinationOf, findTarget, type Target } from './prepare/target.ts';
import { captureProblem, type RunResult } from './report/end-run.ts';
import { finishRun, reportNow } from './report/finish.ts';
import type { OutcomeCounts, RunReport } from './types.ts';
import { applyPlan } from './write/apply.ts';

/**
 * Runs one import: survey, plan, suppressions, canary, contacts, verification, report. With `resume` it continues that
 * run. A problem before the plan exists is thrown. A later one is in the report.
 */
export async function runImport(given: ImportOptions, context: RunContext, resume?: string): Promise<RunResult> {
  checkTarget(given.target);
  const locks = createLocks(context, resume);
  try {
    const { asked, target } = await askAccount(given, context, async (asked) => {
      if (resume === undefined) {
        await checkAllowedFlows(given, asked);
      }
      return { asked, target: await lockTarget(given, asked, locks) };
    }).catch((error: unknown) => {
      throw resume ? audienceDeleted(error) : error;
    });
    const destination = target && destinationOf(target);
    const options =
      target?.kind === 'found' && target.asked
        ? { ...given, target: { id: target.audience.id, create: false } }
        : given;
    const run = resume
      ? await reopenRun(resume, options, destination, asked)
      : await beginRun(options, destination, asked);
    return await withJournal(run, () => conduct({ ...run, target, locks }));
  } finally {
    locks.release();
  }
}

async function conduct(run: OpenImport): Promise<RunResult> {
  const { options, drafted } = await resolveStops({
    options: run.options,
    // Only a new run takes other options.
    questioner: run.resumed ? undefined : run.questioner,
    draft: (answered) => draftRun({ ...run, options: answered }),
  });
  if (options !== run.options) {
    run.journal.amend({ options: { ...options } });
  }
  return carryOut({ ...run, options }, drafted);
}

async function carryOut(run: OpenImport, drafted: Drafted): Promise<RunResult> {
  const audience = plannedAudience(run, drafted);
  const problem = await carryOutPlan(run, drafted, {
    audience,
    report: () => reportNow(run, drafted),
    apply: () =>
      applyPlan(run, drafted).catch((error: unknown) => {
        throw audienceDeleted(error);
      }),
  });
  return { ...(await finishRun(run, drafted, problem)), audience };
}

function plannedAudience({ target, options }: OpenImport, { snapshot }: Drafted): PlannedAudience | undefined {
  if (target?.kind === 'create') {
    return { name: target.name, contacts: 0, isNew: true };
  }
  const { name } = options.target;
  if (!target && name !== undefined) {
    return { name, contacts: undefined, isNew: false };
  }
  const audience = snapshot?.audience ?? target?.audience;
  return audience && { name: audience.name, contacts: audience.contact_counts?.total, isNew: false };
}

interface PlanSteps {
  /** The report that shows the plan. */
  report(): RunReport<OutcomeCounts>;
  /** The audience of the plan, if the run writes contacts. */
  audience?: PlannedAudience | undefined;
  apply(): Promise<void>;
}

/** Applies a plan without stops, after the user agreed. Returns the problem that ended it early. */
export async function carryOutPlan(
  run: OpenRun<RunOptions>,
  drafted: Pick<Drafted, 'findings' | 'survey'>,
  { report, audience, apply }: PlanSteps,
): Promise<SvcError | undefined> {
  const { journal } = run;
  // A list that changed while it was read has no valid plan.
  await run.held.confirm(drafted.survey.inputs);
  return captureProblem(run.signal, async () => {
    refuseStops(drafted, journal, run.retype);
    if (run.options.dryRun) {
      return;
    }
    await agree(run, () => run.confirm(report(), audience));
    tryRejects(drafted.survey, journal.files.rejects);
    await apply();
  });
}

/** Contacts need an audience. Suppressions belong to the account. A dry run without an account needs neither. */
async function resolveTarget(
  options: ImportOptions,
  { account, signal, questioner }: RunContext,
): Promise<Target | undefined> {
  if (!account || !writesOf(options.command).contacts) {
    return undefined;
  }
  return findTarget({ client: account.client, signal, questioner }, options.target);
}

/**
 * Finds the target and locks it against other runs. A name that may be created is locked before it is looked up, so no
 * other run can create it meanwhile.
 */
async function lockTarget(options: ImportOptions, context: RunContext, locks: RunLocks): Promise<Target | undefined> {
  const { create, name } = options.target;
  if (!options.dryRun && create && name !== undefined) {
    await locks.acquire(name);
  }
  const target = await resolveTarget(options, context);
  if (!options.dryRun) {
    await locks.acquire(target?.kind === 'found' ? target.audience.id : (target?.name ?? 'suppressions'));
  }
  return target;
}

/**
 * Turns a 404 into exit 7 (the service refuses for good). The audience existed when the run began, so the id is not
 * wrong.
 */
function audienceDeleted(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 404) {
    return error;
  }
  return new ApiError(
    { ...error.refusal, message: `the audience of this run is gone: ${error.refusal.message}` },
    EXIT.stopped,
  );
}

/** Gets the one agreement of a run before it writes. A resume asks only if no earlier process got it (M7). */
async function agree({ journal, resumed }: OpenRun<RunOptions>, ask: () => Promise<boolean>): Promise<void> {
  if (resumed && isAgreed(journal)) {
    return;
  }
  if (!(await ask())) {
    throw new SvcError(EXIT.refused, 'declined', 'nothing was sent: the plan was declined');
  }
  journal.amend({ agreed: true });
}

/**
 * Refuses a plan with a stop. Only the flag of that check lifts it, and only a new run takes flags. A run that has sent
 * requests is stopped, and can be resumed.
 */
function refuseStops({ findings }: Pick<Drafted, 'findings'>, journal: Journal, retype?: Retype): void {
  const stops = findings.filter((finding) => finding.level === 'stop');
  const [first] = stops;
  if (first) {
    const more = stops.length > 1 ? ` (and ${stops.length - 1} more)` : '';
    if (hasSentRequests(journal)) {
      throw new SvcError(EXIT.stopped, first.check, `nothing more was sent: ${first.message}${more}`, {
        hint: goOn(first.hint, journal.header.run),
      });
    }
    throw new SvcError(EXIT.refused, first.check, `nothing was sent: ${first.message}${more}`, {
      hint: answerToAll(stops, retype),
    });
  }
}

function goOn(hint: string | undefined, run: string): string {
  const way = `Then: svc runs resume ${run}\nA flag goes with the same command anew, and after it: svc runs delete ${run}`;
  return hint === undefined ? way : `${hint}\n${way}`;
}

/**
 * Closes the journal in every case. A new run that ended without a plan and without requests is deleted. A resumed run
 * gets its previous status back.
 */
export async function withJournal<T>(run: OpenRun<RunOptions>, work: () => Promise<T>): Promise<T> {
  const { journal, account, resumed } = run;
  const unguard = account?.client.guard(journal.lost);
  let useless = false;
  try {
    return await work();
  } catch (error) {
    const lost = journal.lost();
    if (lost) {
      throw lost;
    }
    useless = !resumed && !hasSentRequests(journal);
    restore(journal, run.before);
    throw error;
  } finally {
    unguard?.();
    journal.close();
    if (useless) {
      discardRun(run.state, journal.run);
    }
  }
}
