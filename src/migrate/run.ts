import { ApiError } from '../api/api-error.ts';
import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import { tryRejects } from '../import/rejects/rejects.ts';
import { discardRun } from '../runs/find/delete-run.ts';
import { hasSentRequests, isAgreed } from '../runs/find/run-status.ts';
import type { Journal } from '../runs/store/journal.ts';
import type { OpenRun, RunContext } from './context.ts';
import { type ImportOptions, type RunOptions, writesOf } from './options.ts';
import { answerToAll, type Retype } from './plan/whole-commands.ts';
import { askAccount, checkAllowedFlows } from './prepare/ask-account.ts';
import { askStatus } from './prepare/ask-status.ts';
import { createLocks, type RunLocks } from './prepare/locks.ts';
import { beginRun, reopenRun, restore } from './prepare/open-run.ts';
import { type Drafted, draftRun, type OpenImport } from './prepare/prepare.ts';
import { checkTarget, destinationOf, findTarget, type Target } from './prepare/target.ts';
import { captureProblem, type RunResult } from './report/end-run.ts';
import { finishRun, reportNow } from './report/finish.ts';
import type { OutcomeCounts, RunReport } from './types.ts';
import { applyPlan } from './write/apply.ts';

/**
 * Runs one import: survey, plan, suppressions, canary, contacts, verification, report. With `resume` it continues that
 * run. A problem before the plan exists is thrown. A later one is in the report.
 */
export async function runImport(options: ImportOptions, context: RunContext, resume?: string): Promise<RunResult> {
  checkTarget(options.target);
  const locks = createLocks(context, resume);
  try {
    const { asked, target } = await askAccount(options, context, async (asked) => {
      if (resume === undefined) {
        await checkAllowedFlows(options, asked);
      }
      return { asked, target: await lockTarget(options, asked, locks) };
    }).catch((error: unknown) => {
      throw resume ? audienceGone(error) : error;
    });
    const destination = target && destinationOf(target);
    const run = resume
      ? await reopenRun(resume, options, destination, asked)
      : await beginRun(options, destination, asked);
    return await withJournal(run, () => conduct({ ...run, target, locks }));
  } finally {
    locks.release();
  }
}

async function conduct(run: OpenImport): Promise<RunResult> {
  const drafted = await draftRun(run);
  const answered = await askStatus(run, drafted);
  if (!answered) {
    return carryOut(run, drafted);
  }
  run.journal.amend({ options: { ...answered } });
  const changed = { ...run, options: answered };
  return carryOut(changed, await draftRun(changed));
}

async function carryOut(run: OpenImport, drafted: Drafted): Promise<RunResult> {
  const problem = await carryOutPlan(run, drafted, {
    report: () => reportNow(run, drafted),
    apply: () =>
      applyPlan(run, drafted).catch((error: unknown) => {
        throw audienceGone(error);
      }),
  });
  return finishRun(run, drafted, problem);
}

interface PlanSteps {
  /** The report that shows the plan. */
  report(): RunReport<OutcomeCounts>;
  apply(): Promise<void>;
}

/** Applies a plan without stops, after the user agreed. Returns the problem that ended it early. */
export async function carryOutPlan(
  run: OpenRun<RunOptions>,
  drafted: Pick<Drafted, 'findings' | 'survey'>,
  { report, apply }: PlanSteps,
): Promise<SvcError | undefined> {
  const { journal } = run;
  // A list that changed while it was read has no valid plan.
  await run.held.confirm(drafted.survey.inputs);
  return captureProblem(run.signal, async () => {
    refuseStops(drafted, journal, run.retype);
    if (run.options.dryRun) {
      return;
    }
    await agree(run, () => run.confirm(report()));
    tryRejects(drafted.survey, journal.files.rejects);
    await apply();
  });
}

/** Contacts need an audience. Suppressions belong to the account. A dry run without an account needs neither. */
async function resolveTarget(
  options: ImportOptions,
  { account, signal, ask }: RunContext,
): Promise<Target | undefined> {
  if (!account || !writesOf(options.command).contacts) {
    return undefined;
  }
  return findTarget({ client: account.client, signal, ask }, options.target);
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
function audienceGone(error: unknown): unknown {
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
