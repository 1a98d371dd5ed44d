import type { Finding } from '../base/finding.ts';
import { EXIT, rewordError, SvcError } from '../base/lib/errors.ts';
import { abortError } from '../base/lib/interruption.ts';
import { checkRejectsWritable } from '../import/rejects/rejects.ts';
import type { RereadableSurvey } from '../import/survey/survey-types.ts';
import { discardRun } from '../runs/delete-run.ts';
import { hasSentRequests, isAgreed, isOnlyRecord } from '../runs/find/run-status.ts';
import { readListedRun } from '../runs/store/open-journal.ts';
import type { Destination } from '../runs/store/run-header.ts';
import type { CommandWithFlags } from './data/questioner.ts';
import { type OpenRun, type PlannedAudience, type RunContext, tryAccount } from './data/run-context.ts';
import type { RunOptions } from './data/run-options.ts';
import type { OutcomeCounts, RunReport } from './data/run-report.ts';
import { captureProblem, type RunResult } from './end/end-run.ts';
import { otherDestinationStep } from './end/next-steps.ts';
import { recordPlan } from './end/recorded-plan.ts';
import { createRunLocks, type RunLocks } from './open/locks.ts';
import { startOrContinueRun } from './open/open-run.ts';
import { requireSameOrigin, restorePreviousEnd, resumeRun } from './open/resume-run.ts';
import { answerToAllStops, isAnsweredApart, isFlagsOnly, linesToAnswer } from './stops/commands-for-stops.ts';
import { resolveStops } from './stops/resolve-stops.ts';

/** A run to begin, or to continue. `resume` is the id of the run to continue. */
interface RunRequest<Options extends RunOptions, Target> {
  readonly options: Options;
  readonly context: RunContext;
  readonly resume: string | undefined;
  /**
   * Finds what the run writes to, such as an audience, and locks it. `usableContext` is the run context. It has no
   * account if a dry run could not use its account.
   */
  find(usableContext: RunContext, locks: RunLocks): Promise<Target>;
}

interface RunDestination<Options extends RunOptions> {
  readonly destination: Destination | undefined;
  /** The options of the run, if the user chose an audience at the terminal. Otherwise undefined. */
  readonly options: Options | undefined;
}

/**
 * Finds and locks the destination, opens the run and does `work`. Closes and unlocks everything, also after an error.
 */
export async function withOpenRun<Options extends RunOptions, Target extends RunDestination<Options>, T>(
  { options: firstOptions, context, resume, find }: RunRequest<Options, Target>,
  work: (run: OpenRun<Options>, target: Target) => Promise<T>,
): Promise<T> {
  if (resume !== undefined) {
    requireSameOrigin(resume, context);
  }
  const locks = createRunLocks(context, resume);
  try {
    const { usableContext, target } = await tryAccount(firstOptions, context, async (usableContext) => ({
      usableContext,
      target: await find(usableContext, locks).catch((error: unknown) => {
        throw resume === undefined ? error : withOtherDestination(error, resume, context);
      }),
    }));
    const { destination, options = firstOptions } = target;
    const run = resume
      ? await resumeRun(resume, options, destination, usableContext)
      : await startOrContinueRun(options, destination, usableContext);
    return await withJournal(run, () => {
      context.onOpened(run.journal);
      return work(run, target);
    });
  } finally {
    locks.release();
  }
}

/**
 * The error of a failed resume. If the service no longer has the destination, the hint says how to continue without it.
 */
function withOtherDestination(error: unknown, runId: string, { stateFolder }: RunContext): unknown {
  if (!(error instanceof SvcError) || error.code !== 'not_found') {
    return error;
  }
  const step = readListedRun(stateFolder, runId, (journal) =>
    otherDestinationStep({ header: journal.header, isRecord: isOnlyRecord(journal) }),
  );
  return rewordError(error, { hint: [error.hint, step].filter((line) => line !== undefined).join('\n') });
}

/** What is known of a run before its first write: the survey of its list, and the findings of its plan. */
interface AnyDraft {
  readonly survey: RereadableSurvey;
  readonly findings: readonly Finding[];
}

/** The steps in which an import and an enrollment differ. */
interface Steps<Run, Draft, Rows extends OutcomeCounts> {
  /** Reads the list and the account, and makes the plan and its findings. Writes nothing to the service. */
  draft(run: Run): Promise<Draft>;
  /** The audience of the plan, if the run writes contacts. */
  audience?(run: Run, drafted: Draft): PlannedAudience | undefined;
  report(run: Run, drafted: Draft): RunReport<OutcomeCounts>;
  /** Writes what the plan says. */
  apply(run: Run, drafted: Draft): Promise<void>;
  /** Writes files and report, and records the end. `problem` is what ended the run early, if anything. */
  finish(run: Run, drafted: Draft, problem: SvcError | undefined): Promise<RunResult<Rows>>;
}

/** Makes the plan of a run, applies it if it has no stops and the user agrees, and ends the run. */
export async function planAndApplyRun<
  Run extends OpenRun<RunOptions>,
  Draft extends AnyDraft,
  Rows extends OutcomeCounts,
>(opened: Run, { draft, audience, report, apply, finish }: Steps<Run, Draft, Rows>): Promise<RunResult<Rows>> {
  const { run, drafted } = await resolveStops(opened, draft);
  const { journal } = run;
  const planned = audience?.(run, drafted);
  // Throws if an input file changed while it was read, because the plan is wrong then.
  await run.inputCopies.record(drafted.survey.inputs);
  if (!run.options.dryRun) {
    recordPlan(journal, report(run, drafted));
  }
  const problem = await captureProblem(run.signal, async () => {
    refuseStops(run, drafted.findings, 'sent');
    if (run.options.dryRun) {
      return;
    }
    await askForAgreement(run, () => run.confirm(report(run, drafted), planned));
    checkRejectsWritable(drafted.survey, journal.files.rejects);
    await apply(run, drafted);
    recordServiceTime(run);
  });
  return { ...(await finish(run, drafted, problem)), audience: planned };
}

/** Records the time of the service after the last write, so that the age of the run is known later (P7). */
function recordServiceTime({ journal, account }: OpenRun<RunOptions>): void {
  if (account?.client.knowsServerTime()) {
    journal.amendHeader({ serviceTimeAtEnd: account.client.serverNow() });
  }
}

/**
 * Throws if a check stopped the plan. The hint shows the command with the flag that answers the stop. If the run has
 * sent requests, the hint shows how to resume. `what` completes the message: "nothing was sent".
 */
export function refuseStops(
  { journal, commandWith }: Pick<OpenRun, 'journal' | 'commandWith'>,
  findings: readonly Finding[],
  what: 'sent' | 'compared',
): void {
  const stops = findings.filter((finding) => finding.level === 'stop');
  const [first] = stops;
  if (first) {
    const more = stops.length > 1 ? ` (and ${stops.length - 1} more)` : '';
    if (hasSentRequests(journal)) {
      throw new SvcError(EXIT.stopped, first.check, `nothing more was ${what}: ${first.message}${more}`, {
        hint: resumeHint(stops, journal.header.run, commandWith),
      });
    }
    throw new SvcError(EXIT.refused, first.check, `nothing was ${what}: ${first.message}${more}`, {
      hint: answerToAllStops(stops, commandWith),
    });
  }
}

/**
 * The hint that says how to continue, if a check stopped a run after it had sent requests. The command of the run with
 * further flags continues it. Without further flags, `svc runs resume` does the same as that command.
 */
function resumeHint(stops: readonly Finding[], runId: string, typed: CommandWithFlags | undefined): string {
  const resume = `svc runs resume ${runId}`;
  const [{ hint, instead, when } = {}] = stops;
  if (typed !== undefined && stops.every((stop) => stop.flags !== undefined || isAnsweredApart(stop))) {
    const apart = stops.filter(isAnsweredApart).flatMap((stop) => stop.hint ?? []);
    return [...apart, ...linesToAnswer(stops, (flags) => (flags === '' ? resume : typed(flags)))].join('\n');
  }
  if (!isFlagsOnly(hint)) {
    return [hint, `Then: ${resume}`].filter((line) => line !== undefined).join('\n');
  }
  return [
    ...(instead === undefined ? [] : [`${instead}: ${resume}`]),
    `${when ?? 'To continue'}: give the command of this run again, with ${hint}`,
  ].join('\n');
}

/** Asks the user once, before the run writes. A resume does not ask again if the user agreed before (M7). */
async function askForAgreement({ journal, resumed }: OpenRun<RunOptions>, ask: () => Promise<boolean>): Promise<void> {
  if (resumed && isAgreed(journal)) {
    return;
  }
  if (!(await ask())) {
    throw new SvcError(EXIT.refused, 'declined', 'nothing was sent: the plan was declined');
  }
  journal.amendHeader({ agreed: true });
}

/**
 * Does `work`, then closes the journal, even after an error. After an error it also deletes a new run that sent
 * nothing, and restores the status of a resumed run.
 */
async function withJournal<T>(run: OpenRun<RunOptions>, work: () => Promise<T>): Promise<T> {
  const { journal, account, resumed } = run;
  const unguard = account?.client.addStateCheck(journal.problemIfLost);
  let isDiscarded = false;
  try {
    return await work();
  } catch (error) {
    const lost = journal.problemIfLost();
    if (lost) {
      throw lost;
    }
    isDiscarded = !resumed && !hasSentRequests(journal);
    restorePreviousEnd(journal, run.previousEnd);
    throw resumed && run.signal.aborted ? withResumeHint(error, { ...run, runId: journal.run }) : error;
  } finally {
    unguard?.();
    journal.close();
    if (isDiscarded) {
      discardRun(run.stateFolder, journal.run);
    }
  }
}

/** The error of a resumed run that the user stopped before it did anything. Its hint says how to continue (D1). */
export function withResumeHint(error: unknown, { signal, runId }: { signal: AbortSignal; runId: string }): SvcError {
  const stop = error instanceof SvcError ? error : abortError(signal);
  return stop.hint === undefined ? rewordError(stop, { hint: `To continue: svc runs resume ${runId}` }) : stop;
}
