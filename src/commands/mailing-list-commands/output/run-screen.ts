import type { SvcError } from '../../../base/lib/errors.ts';
import { planText } from '../../../render/plan/plan.ts';
import { planPage, planSummary } from '../../../render/plan/summary.ts';
import type { ProgressHandle } from '../../../render/progress/progress.ts';
import { createStyle, styleOf } from '../../../render/text/style.ts';
import { wrapText } from '../../../render/text/wrap.ts';
import type { PlannedAudience } from '../../../run-lifecycle/data/run-context.ts';
import type { OutcomeCounts, RunReport } from '../../../run-lifecycle/data/run-report.ts';
import type { RunResult } from '../../../run-lifecycle/end/end-run.ts';
import { withPasteableCommands } from '../../framework/output/command-to-paste.ts';
import { asksForAgreement, isConfirmed } from '../../framework/output/prompts.ts';
import { isTemporaryAccount } from '../../framework/settings/account.ts';
import {
  kindOfEnd,
  type LayoutInputs,
  logResult,
  outputLayoutOf,
  remainingProblem,
  resultPart,
  type ScreenOptions,
  shownPlanOf,
  warningText,
  withPasteableReport,
  withRecognizedInputs,
} from './result-parts.ts';

/** What a run shows to the user before it writes, and at its end. */
export interface RunScreen {
  /** Shows the plan, and asks for agreement at a terminal. Returns false if the user declines. */
  confirm(planned: RunReport<OutcomeCounts>, audience: PlannedAudience | undefined): Promise<boolean>;
  /** Prints the result. Returns the error that stderr must still show, without what the result already says. */
  finish(result: RunResult<OutcomeCounts>): SvcError | undefined;
}

export function createRunScreen(options: ScreenOptions, progress: ProgressHandle): RunScreen {
  const { settings, context } = options;
  const { clock } = context;
  const startedAt = clock.monotonic();
  const inputs: LayoutInputs = {
    ...settings.output,
    details: options.details,
    stdoutIsTTY: context.stdout.isTTY,
    stderrIsTTY: context.stderr.isTTY,
  };
  const part = shownPlanOf(inputs);
  let isPlanShown = false;

  return {
    confirm: async (planned, audience) => {
      progress.pause();
      const page = pagesOf(options, planned, audience);
      const warning = SHOWN_BEFORE.map((check) => warningText(planned, check, clock.now())).join('');
      isPlanShown = part === 'full' || part === 'short';
      if (part !== 'nothing') {
        context.stderr.write({ full: page.full, short: page.short, warning }[part]);
      }
      options.log?.writePage(page.plain);
      const hasAgreed = await isConfirmed(options, { ...page, page: page.short, isPageShown: isPlanShown });
      if (hasAgreed && context.stderr.isTTY && part !== 'nothing') {
        context.stderr.write(safetyText(options, planned));
      }
      progress.resume();
      return hasAgreed;
    },
    finish: (result) => {
      const elapsedMs = clock.monotonic() - startedAt - progress.pausedMs();
      const ended = {
        ...result,
        report: withPasteableReport(result.report, options),
        elapsedMs,
        isPlanShown,
      };
      const { parts, problem } = outputLayoutOf(inputs, kindOfEnd(ended.report), ended.report.dry_run);
      logResult(options, ended);
      for (const [name, part] of parts) {
        const style = styleOf(context[name], settings.output.color[name]);
        context[name].write(resultPart(part, options, { ...ended, problemFollows: problem === 'rest' }, style));
      }
      return remainingProblem(problem, ended);
    },
  };
}

/**
 * The plan as text, in several lengths. If svc asks for agreement, the question has the estimated time. Otherwise the
 * plan has it.
 */
function pagesOf(options: ScreenOptions, report: RunReport<OutcomeCounts>, planned: PlannedAudience | undefined) {
  const { context, settings, platformFlag } = options;
  const style = styleOf(context.stderr, settings.output.color.stderr);
  const meta = { ...withRecognizedInputs(report, platformFlag), planned };
  const page = planPage(report.plan, meta, style);
  return {
    ...page,
    short: asksForAgreement(options) ? page.short : planSummary(report.plan, meta, style),
    full: planText(report.plan, meta, style),
    plain: planSummary(report.plan, meta, createStyle(false)),
  };
}

// A run that is shorter than this needs no advice about Ctrl-C.
const SHORT_RUN_SECONDS = 5;

/**
 * Says that Ctrl-C is safe, and how to resume. Empty for a short run. Also empty for an emulator that ends with the
 * command, because nothing can be resumed there.
 */
function safetyText({ settings, context, argv }: ScreenOptions, { run, plan }: RunReport<OutcomeCounts>): string {
  if (isTemporaryAccount(settings) || plan.estimated_seconds < SHORT_RUN_SECONDS) {
    return '';
  }
  const text = withPasteableCommands(`Ctrl-C is safe. To continue later: svc runs resume ${run}`, argv, context);
  return `${wrapText(text, context.stderr.columns).join('\n')}\n`;
}

/**
 * The checks whose warnings are shown even if the plan is not. A second import can undo what people did since the first
 * one. A list for another audience may sign up people who left the earlier audience. With a lost ledger, svc can't tell
 * who is missing in the list. People who stay opted out get no mail.
 */
const SHOWN_BEFORE = ['imported_before', 'replaced_audience', 'lost_ledger', 'stay_opted_out'];
