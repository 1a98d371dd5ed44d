import { logTime } from '../../../base/lib/duration.ts';
import { SvcError } from '../../../base/lib/errors.ts';
import { EXIT } from '../../../base/lib/exit.ts';
import { safe } from '../../../base/lib/text.ts';
import type { PlannedAudience } from '../../../migrate/context.ts';
import type { RunResult } from '../../../migrate/report/end-run.ts';
import type { OutcomeCounts, RunReport } from '../../../migrate/types.ts';
import { planInput } from '../../../render/plan/inputs.ts';
import { planText } from '../../../render/plan/plan.ts';
import { planPage, planSummary } from '../../../render/plan/summary.ts';
import type { ProgressHandle } from '../../../render/progress/handle.ts';
import { isDeclined } from '../../../render/report/headline.ts';
import { logLine } from '../../../render/report/log-line.ts';
import { reportText } from '../../../render/report/report.ts';
import { resultText } from '../../../render/report/result.ts';
import { jsonText } from '../../../render/text/object.ts';
import { createStyle, type Style, styleOf } from '../../../render/text/style.ts';
import { wrap } from '../../../render/text/wrap.ts';
import { type Confirming, isConfirmed } from '../../framework/output/confirmation.ts';
import { asStarted } from '../../framework/output/paste.ts';
import type { LogFile } from './log-file.ts';
import { isRefusedByCheck, showStops } from './show-stops.ts';

/** What a screen needs of the command that runs. */
export interface ScreenOptions extends Confirming {
  /** The value of --from. */
  readonly from: string;
  /** True to show the whole plan and the whole result. */
  readonly details: boolean;
  readonly log: LogFile | undefined;
}

/** What people see of a run beside its progress: the plan, the question and the result. */
export interface RunScreen {
  /** Shows the plan before it is carried out, and asks once at a terminal. */
  confirm(planned: RunReport<OutcomeCounts>, audience: PlannedAudience | undefined): Promise<boolean>;
  /** Prints the result. Returns the problem for stderr, shorter if the result tells the same. */
  finish(result: RunResult<OutcomeCounts>): SvcError | undefined;
}

/** Creates the screen of a run that starts now. */
export function createRunScreen(options: ScreenOptions, progress: ProgressHandle): RunScreen {
  const { settings, context } = options;
  const { clock } = context;
  const startedAt = clock.monotonic();
  let askedMs = 0;
  let planShown = false;

  return {
    confirm: async (planned, audience) => {
      const askedAt = clock.monotonic();
      progress.pause();
      const page = pagesOf(options, planned, audience);
      planShown = isShown(options);
      if (planShown) {
        context.stderr.write(options.details ? page.full : page.short);
      } else if (!settings.output.json && !settings.output.quiet) {
        context.stderr.write(warningText(planned, IMPORTED_BEFORE, clock.now()));
      }
      options.log?.writePage(page.plain);
      const agreed = await isConfirmed(options, { ...page, page: page.short, shown: planShown });
      if (agreed && context.stderr.isTTY && !settings.output.json && !settings.output.quiet) {
        context.stderr.write(safetyText(options, planned));
      }
      progress.resume();
      askedMs += clock.monotonic() - askedAt;
      return agreed;
    },
    finish: (result) => {
      const ms = clock.monotonic() - startedAt - askedMs;
      const report = withCommands(result.report, options);
      const ended = { ...result, report: withInputs(report, options.from), ms, planShown };
      logResult(options, ended);
      if (settings.output.json) {
        context.stdout.write(jsonText(report, 2));
        return result.problem;
      }
      return isRefusedByCheck(result.report) ? printRefusal(options, ended) : printResult(options, ended);
    },
  };
}

/** The commands of a report, as this one was started. */
function withCommands<Rows extends OutcomeCounts>(
  report: RunReport<Rows>,
  { line, context }: Pick<ScreenOptions, 'line' | 'context'>,
): RunReport<Rows> {
  const { error } = report;
  const hint = error?.hint === undefined ? undefined : asStarted(error.hint, line, context);
  return {
    ...report,
    next: report.next.map((step) => asStarted(step, line, context)),
    ...(error && { error: { ...error, ...(hint === undefined ? {} : { hint }) } }),
  };
}

function withInputs<Rows extends OutcomeCounts>(report: RunReport<Rows>, from: string): RunReport<Rows> {
  return { ...report, inputs: report.inputs.map((input) => planInput(input, from)) };
}

/** Without a terminal the plan is in the log and in the report: the mail of cron has one line. */
function isShown({ settings, context, details }: ScreenOptions): boolean {
  const { json, quiet } = settings.output;
  return !json && !quiet && (context.stderr.isTTY || details);
}

function pagesOf(
  { context, settings, from }: ScreenOptions,
  report: RunReport<OutcomeCounts>,
  planned: PlannedAudience | undefined,
) {
  const style = styleOf(context.stderr, settings.output.color.stderr);
  const meta = { ...withInputs(report, from), planned };
  return {
    ...planPage(report.plan, meta, style),
    full: planText(report.plan, meta, style),
    plain: planSummary(report.plan, meta, createStyle(false)),
  };
}

// A run that is over sooner needs no advice.
const SHORT_RUN_SECONDS = 5;

/** Says which run this is, and that an interrupt loses nothing. A temporary emulator cannot be resumed. */
function safetyText({ settings, context, line }: ScreenOptions, { run, plan }: RunReport<OutcomeCounts>): string {
  const isTemporary = settings.emulator && settings.emulatorData === undefined;
  if (isTemporary || plan.estimated_seconds < SHORT_RUN_SECONDS) {
    return '';
  }
  const text = asStarted(`Ctrl-C is safe. To continue later: svc runs resume ${run}`, line, context);
  return `${wrap(text, context.stderr.columns).join('\n')}\n`;
}

/** The one warning that is said where no plan is shown: a second import can undo what people did since the first. */
const IMPORTED_BEFORE = 'imported_before';

/** The one warning of a quiet run that ends well: the run sent an older version of the file (D5). */
const INPUT_CHANGED = 'input_changed';

function warningText({ findings }: RunReport<OutcomeCounts>, about: string, now: number): string {
  const warnings = findings.filter(({ check }) => check === about);
  return warnings.map(({ message }) => `${logTime(now)} warning: ${safe(message)}\n`).join('');
}

interface EndedRun extends RunResult<OutcomeCounts> {
  readonly ms: number;
  readonly planShown: boolean;
}

/** The stops are told once, on stderr. Without a terminal stdout gets the line that all runs have. */
function printRefusal(options: ScreenOptions, { report, ms }: EndedRun): SvcError {
  const { stdout, clock } = options.context;
  const problem = showStops(options, report);
  if (!stdout.isTTY) {
    stdout.write(logLine(report, clock.now(), ms));
  }
  return problem;
}

/** Without a terminal stdout gets one line. Whatever needs an explanation has it on stderr then. */
function printResult(options: ScreenOptions, ended: EndedRun): SvcError | undefined {
  const { context, settings, details } = options;
  const { stdout, stderr } = context;
  const { report, problem, ms } = ended;
  const isOk = report.exit_code === EXIT.ok;
  if (isOk && settings.output.quiet) {
    stderr.write(warningText(report, INPUT_CHANGED, context.clock.now()));
    return problem;
  }
  const style = styleOf(stdout, settings.output.color.stdout);
  if (stdout.isTTY) {
    stdout.write(pageOf(options, ended, { style, problemFollows: stderr.isTTY && !details }));
    return details || !stderr.isTTY ? problem : withoutStops(problem, report);
  }
  // An empty list is usually a mistake of the export.
  if (!isOk || report.rows.read === 0) {
    stderr.write(
      pageOf(options, ended, { style: styleOf(stderr, settings.output.color.stderr), problemFollows: true }),
    );
  } else if (details || report.dry_run) {
    stdout.write(pageOf(options, ended, { style, problemFollows: true }));
  }
  stdout.write(logLine(report, context.clock.now(), ms));
  return isOk ? problem : withoutStops(problem, report);
}

interface Page {
  readonly style: Style;
  readonly problemFollows: boolean;
}

function pageOf(options: ScreenOptions, ended: EndedRun, { style, problemFollows }: Page): string {
  const { report, audience, ms, planShown } = ended;
  const { home } = options.context.platform;
  const details = asStarted(`svc runs show ${report.run}`, options.line, options.context);
  if (problemFollows && isDeclined(report.error)) {
    return '';
  }
  return options.details
    ? reportText(report, style, home)
    : resultText(report, { ms, planShown, problemFollows, home, planned: audience, details }, style);
}

function logResult(options: ScreenOptions, ended: EndedRun): void {
  const { log, context } = options;
  const short = { ...options, details: false };
  log?.writePage(pageOf(short, ended, { style: createStyle(false), problemFollows: true }));
  log?.write(logLine(ended.report, context.clock.now(), ended.ms));
}

/** The result lists the stops, so the error names only what follows. */
function withoutStops(problem: SvcError | undefined, { findings }: RunReport<OutcomeCounts>): SvcError | undefined {
  if (!problem || !findings.some(({ check, level }) => level === 'stop' && check === problem.code)) {
    return problem;
  }
  const { exit, code, hint, cause, requestId, message } = problem;
  const [first = message] = message.split(':');
  return new SvcError(exit, code, hint === undefined ? first : 'to continue:', { hint, cause, requestId });
}
