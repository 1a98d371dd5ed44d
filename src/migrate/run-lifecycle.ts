import { reworded, SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import { tryRejects } from '../import/rejects/rejects.ts';
import type { Finding } from '../import/survey/finding.ts';
import { discardRun } from '../runs/delete-run.ts';
import { hasSentRequests, isAgreed } from '../runs/find/run-status.ts';
import type { Destination } from '../runs/store/run-header.ts';
import type { RunOptions } from './options.ts';
import { answerToAll } from './plan/commands-for-stops.ts';
import type { ImportDraft } from './prepare/draft-import.ts';
import { createLocks, type RunLocks } from './prepare/locks.ts';
import { restore, resumeRun, startOrContinueRun } from './prepare/open-run.ts';
import { resolveStops } from './prepare/resolve-stops.ts';
import { checkOrigin } from './prepare/resume-checks.ts';
import { captureProblem, type RunResult } from './report/end-run.ts';
import { otherDestination } from './report/next-steps.ts';
import type { OutcomeCounts, RunReport } from './report/run-report.ts';
import { askAccount, type OpenRun, type PlannedAudience, type RunContext } from './run-context.ts';

/** A run to begin, or to continue. */
interface RunRequest<Options extends RunOptions, Place> {
  readonly options: Options;
  readonly context: RunContext;
  readonly resume: string | undefined;
  /** Looks up where the run writes, and locks it. `queried` has no account if a dry run could not query it. */
  find(queried: RunContext, locks: RunLocks): Promise<Place>;
}

interface RunDestination<Options extends RunOptions> {
  readonly destination: Destination | undefined;
  /** The options, if the user chose the destination at the terminal. */
  readonly options?: Options | undefined;
}

/** Looks up and locks the destination, opens the run and works. Closes and unlocks everything in every case. */
export async function withRun<Options extends RunOptions, Place extends RunDestination<Options>, T>(
  { options: firstOptions, context, resume, find }: RunRequest<Options, Place>,
  work: (run: OpenRun<Options>, place: Place) => Promise<T>,
): Promise<T> {
  if (resume !== undefined) {
    checkOrigin(resume, context);
  }
  const locks = createLocks(context, resume);
  try {
    const { queried, place } = await askAccount(firstOptions, context, async (queried) => ({
      queried,
      place: await find(queried, locks).catch((error: unknown) => {
        throw resume === undefined ? error : withOtherDestination(error, resume);
      }),
    }));
    const { destination, options = firstOptions } = place;
    const run = resume
      ? await resumeRun(resume, options, destination, queried)
      : await startOrContinueRun(options, destination, queried);
    return await withJournal(run, () => work(run, place));
  } finally {
    locks.release();
  }
}

/**
 * The error of a failed resume. If the service did not find the destination, the hint says how to continue without it.
 */
function withOtherDestination(error: unknown, run: string): unknown {
  return error instanceof SvcError && error.code === 'not_found'
    ? reworded(error, { hint: [...(error.hint === undefined ? [] : [error.hint]), otherDestination(run)].join('\n') })
    : error;
}

type AnyDraft = Pick<ImportDraft, 'findings' | 'survey'>;

interface Steps<Run, Draft, Rows extends OutcomeCounts> {
  /** Reads the list and the account, and makes the plan and its findings. Writes nothing to the service. */
  draft(run: Run): Promise<Draft>;
  /** The audience of the plan, if the run writes contacts. */
  audience?(run: Run, drafted: Draft): PlannedAudience | undefined;
  report(run: Run, drafted: Draft): RunReport<OutcomeCounts>;
  /** Writes what the plan says. */
  apply(run: Run, drafted: Draft): Promise<void>;
  /** Ends the run. `problem` ended it early. */
  finish(run: Run, drafted: Draft, problem: SvcError | undefined): Promise<RunResult<Rows>>;
}

/** Makes the plan of a run, applies it if it has no stops and the user agrees, and ends the run. */
export async function carryOut<Run extends OpenRun<RunOptions>, Draft extends AnyDraft, Rows extends OutcomeCounts>(
  opened: Run,
  { draft, audience, report, apply, finish }: Steps<Run, Draft, Rows>,
): Promise<RunResult<Rows>> {
  const { run, drafted } = await resolveStops(opened, draft);
  const { journal } = run;
  const planned = audience?.(run, drafted);
  // A list that changed while it was read has no valid plan.
  await run.inputCopies.confirm(drafted.survey.inputs);
  const problem = await captureProblem(run.signal, async () => {
    refuseStops(run, drafted.findings, 'sent');
    if (run.options.dryRun) {
      return;
    }
    await agree(run, () => run.confirm(report(run, drafted), planned));
    tryRejects(drafted.survey, journal.files.rejects);
    await apply(run, drafted);
  });
  return { ...(await finish(run, drafted, problem)), audience: planned };
}

/**
 * Refuses a plan with a stop. Only a flag answers the stop, so the command has to be given again. A run that has sent
 * requests ends as `stopped`, and can be resumed. `what` is the word of the message for what was not done.
 */
export function refuseStops(
  { journal, retype }: Pick<OpenRun, 'journal' | 'retype'>,
  findings: readonly Finding[],
  what: 'sent' | 'compared',
): void {
  const stops = findings.filter((finding) => finding.level === 'stop');
  const [first] = stops;
  if (first) {
    const more = stops.length > 1 ? ` (and ${stops.length - 1} more)` : '';
    if (hasSentRequests(journal)) {
      throw new SvcError(EXIT.stopped, first.check, `nothing more was ${what}: ${first.message}${more}`, {
        hint: resumeHint(first.hint, journal.header.run),
      });
    }
    throw new SvcError(EXIT.refused, first.check, `nothing was ${what}: ${first.message}${more}`, {
      hint: answerToAll(stops, retype),
    });
  }
}

/** How to continue a run that a check stopped after it had sent requests. */
function resumeHint(hint: string | undefined, run: string): string {
  const way = `Then: svc runs resume ${run}\nOr give the same command with the flag.`;
  return hint === undefined ? way : `${hint}\n${way}`;
}

/** Asks for the one agreement of a run before it writes. A resume asks only if no earlier process got it (M7). */
async function agree({ journal, resumed }: OpenRun<RunOptions>, ask: () => Promise<boolean>): Promise<void> {
  if (resumed && isAgreed(journal)) {
    return;
  }
  if (!(await ask())) {
    throw new SvcError(EXIT.refused, 'declined', 'nothing was sent: the plan was declined');
  }
  journal.amend({ agreed: true });
}

/** Closes the journal in every case. Deletes a new run without effect; restores the status of a resumed one. */
async function withJournal<T>(run: OpenRun<RunOptions>, work: () => Promise<T>): Promise<T> {
  const { journal, account, resumed } = run;
  const unguard = account?.client.guard(journal.lost);
  let isDiscarded = false;
  try {
    return await work();
  } catch (error) {
    const lost = journal.lost();
    if (lost) {
      throw lost;
    }
    isDiscarded = !resumed && !hasSentRequests(journal);
    restore(journal, run.previousEnd);
    throw error;
  } finally {
    unguard?.();
    journal.close();
    if (isDiscarded) {
      discardRun(run.state, journal.run);
    }
  }
}
