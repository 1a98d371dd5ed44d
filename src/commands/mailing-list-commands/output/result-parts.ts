import { formatLogTime } from '../../../base/lib/duration.ts';
import { EXIT, SvcError } from '../../../base/lib/errors.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { planInput } from '../../../render/plan/inputs.ts';
import { planText } from '../../../render/plan/plan.ts';
import { stopText } from '../../../render/plan/stop.ts';
import { planSummary } from '../../../render/plan/summary.ts';
import { reportText } from '../../../render/report/full-report.ts';
import { isDeclined, isStoppedByCheck } from '../../../render/report/headline.ts';
import { logLine, resultText } from '../../../render/report/short-report.ts';
import { planMeta } from '../../../render/report/shown-report.ts';
import { jsonText } from '../../../render/text/object.ts';
import { createStyle, type Style } from '../../../render/text/style.ts';
import type { CommandWithFlags } from '../../../run-lifecycle/data/questioner.ts';
import type { OutcomeCounts, RunReport } from '../../../run-lifecycle/data/run-report.ts';
import type { RunResult } from '../../../run-lifecycle/end/end-run.ts';
import { commandsFor, otherAnswers } from '../../../run-lifecycle/stops/commands-for-stops.ts';
import {
  lineWithFlags,
  programName,
  withPasteableCommands,
  withPasteableLastCommand,
} from '../../framework/output/command-to-paste.ts';
import type { WriteCommand } from '../../framework/output/prompts.ts';
import type { LogFile } from './log-file.ts';

export interface LayoutInputs {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly details: boolean;
  readonly stdoutIsTTY: boolean;
  readonly stderrIsTTY: boolean;
}

/**
 * How much of the plan svc shows before it asks: nothing with --json or -q, the whole plan with --details. Otherwise,
 * without a terminal, it shows only warnings, because the report has the plan.
 */
type ShownPlan = 'full' | 'short' | 'warning' | 'nothing';

export function shownPlanOf({ json, quiet, details, stderrIsTTY }: LayoutInputs): ShownPlan {
  if (json || quiet) {
    return 'nothing';
  }
  return details ? 'full' : stderrIsTTY ? 'short' : 'warning';
}

/** How a run ended. `empty` means that it ended well but the list has no rows, so the export probably failed. */
type End = 'done' | 'empty' | 'failed' | 'refused by a check';

export function kindOfEnd(report: RunReport<OutcomeCounts>): End {
  if (report.exit_code !== EXIT.ok) {
    return report.exit_code === EXIT.refused && isStoppedByCheck(report) ? 'refused by a check' : 'failed';
  }
  return report.rows.read === 0 ? 'empty' : 'done';
}

/** A text at the end of a run. `page`: the result. `line`: one line for cron. `stops`: why checks stopped the run. */
export type ResultPart = 'json' | 'page' | 'plan' | 'line' | 'stops' | 'input changed';

export interface OutputLayout {
  /** The texts to write, in this order, each with its stream. */
  readonly parts: readonly (readonly ['stdout' | 'stderr', ResultPart])[];
  /**
   * How much of the error stderr shows after these texts. `rest`: what the result does not say already. `shown`:
   * nothing, because the stops show the error.
   */
  readonly problem: 'whole' | 'rest' | 'shown';
}

const LINE = ['stdout', 'line'] as const;

/**
 * Decides what a run prints, and where. In a script without --json, --quiet, --details and --dry-run, stdout gets one
 * line, and stderr says what went wrong.
 */
export function outputLayoutOf(inputs: LayoutInputs, end: End, dryRun: boolean): OutputLayout {
  const { json, quiet, details, stdoutIsTTY, stderrIsTTY } = inputs;
  if (json) {
    return { parts: [['stdout', 'json']], problem: 'whole' };
  }
  if (end === 'refused by a check') {
    const plan = dryRun || details ? [['stdout', 'plan'] as const] : [];
    return { parts: [...plan, ['stderr', 'stops'], ...(stdoutIsTTY ? [] : [LINE])], problem: 'shown' };
  }
  if (quiet && end !== 'failed') {
    return { parts: [['stderr', 'input changed']], problem: 'whole' };
  }
  if (stdoutIsTTY) {
    return { parts: [['stdout', 'page']], problem: stderrIsTTY && !details ? 'rest' : 'whole' };
  }
  if (end !== 'done') {
    return { parts: [['stderr', 'page'], LINE], problem: 'rest' };
  }
  return { parts: details || dryRun ? [['stdout', 'page'], LINE] : [LINE], problem: 'rest' };
}

export interface ScreenOptions extends WriteCommand {
  readonly platformFlag: string;
  /** True to show the whole plan and the whole result. */
  readonly details: boolean;
  readonly log: LogFile | undefined;
  /** The recorded command line of a resumed run, to which flags can be added. */
  readonly recordedCommandWith: CommandWithFlags | undefined;
}

interface EndedRun extends RunResult<OutcomeCounts> {
  /** How long the run took, in milliseconds. The time that questions took is subtracted. */
  readonly elapsedMs: number;
  readonly isPlanShown: boolean;
  /** True if stderr shows the error after the result. Then the result leaves the error out. */
  readonly problemFollows: boolean;
}

export function resultPart(part: ResultPart, options: ScreenOptions, ended: EndedRun, style: Style): string {
  const { context, argv } = options;
  const { report, elapsedMs } = ended;
  switch (part) {
    case 'json':
      return jsonText(report, 2);
    case 'page':
      return pageOf(options, ended, style);
    case 'plan':
      return planOf(options, ended, style);
    case 'line':
      return logLine(report, context.clock.now(), elapsedMs);
    case 'input changed':
      return SHOWN_WITH_QUIET.map((check) => warningText(report, check, context.clock.now())).join('');
    case 'stops': {
      const stops = report.findings.filter(({ level }) => level === 'stop');
      const typedWith = (flags: string) => lineWithFlags(flags, argv, programName(context));
      const commandWith = options.recordedCommandWith ?? typedWith;
      return stopText(
        { stops, answers: commandsFor(stops, commandWith), others: otherAnswers(stops, commandWith) },
        style,
      );
    }
  }
}

/** The plan as text, without its stops, which stderr shows. */
function planOf({ platformFlag, details }: ScreenOptions, { report, audience }: EndedRun, style: Style): string {
  const meta = planMeta(withRecognizedInputs(report, platformFlag));
  const findings = meta.findings.filter(({ level }) => level !== 'stop');
  return details
    ? planText(report.plan, { ...meta, findings }, style)
    : planSummary(report.plan, { ...meta, findings, planned: audience }, style);
}

function pageOf(options: ScreenOptions, ended: EndedRun, style: Style): string {
  const { audience, elapsedMs, isPlanShown, problemFollows } = ended;
  const report = withRecognizedInputs(ended.report, options.platformFlag);
  const { home } = options.context.platform;
  const details = withPasteableCommands(`svc runs show ${report.run}`, options.argv, options.context);
  if (problemFollows && isDeclined(report.error)) {
    return '';
  }
  return options.details
    ? reportText(report, style, home)
    : resultText(report, { elapsedMs, isPlanShown, problemFollows, home, planned: audience, details }, style);
}

/** Writes the whole result to the log file, and the line for cron. */
export function logResult(options: ScreenOptions, ended: Omit<EndedRun, 'problemFollows'>): void {
  const { log, context } = options;
  const short = { ...options, details: false };
  log?.writePage(pageOf(short, { ...ended, problemFollows: true }, createStyle(false)));
  log?.write(logLine(ended.report, context.clock.now(), ended.elapsedMs));
}

/** The error that stderr must still show. If the result lists the stops already, the message leaves them out. */
export function remainingProblem(
  shownPart: OutputLayout['problem'],
  { problem, report }: RunResult<OutcomeCounts>,
): SvcError | undefined {
  if (shownPart === 'shown') {
    const { code = 'refused', message = '' } = report.error ?? {};
    return new SvcError(EXIT.refused, code, message, { isPrinted: true });
  }
  if (shownPart === 'whole' || !problem || !isStoppedByCheck({ ...report, error: problem })) {
    return problem;
  }
  const { exit, code, hint, cause, requestId, message } = problem;
  const [first = message] = message.split(':');
  return new SvcError(exit, code, hint === undefined ? first : 'to continue:', { hint, cause, requestId });
}

/**
 * The checks whose warnings are shown even with -q. `input_changed`: the run sent an older version of the file (D5).
 * `unseen_replays`: svc did not check people whom another machine may have changed (I7). `subscribed_since`: people
 * became subscribed, by themselves or by the service (C1). `lost_ledger`: the ledger is lost, so svc can't tell who is
 * missing in the list (G3). `stay_opted_out`: people of the list get no mail, because svc unsubscribed them when they
 * were missing (G6).
 */
const SHOWN_WITH_QUIET = ['input_changed', 'unseen_replays', 'subscribed_since', 'lost_ledger', 'stay_opted_out'];

export function warningText({ findings }: RunReport<OutcomeCounts>, about: string, now: number): string {
  const warnings = findings.filter(({ check, level }) => check === about && level === 'warn');
  return warnings.map(({ message }) => `${formatLogTime(now)} warning: ${terminalSafe(message)}\n`).join('');
}

/**
 * The report with commands that can be pasted. Each command repeats the typed flags for the account and the state
 * folder. It begins with `npx` if the user started svc with npx.
 */
export function withPasteableReport<Report extends Pick<RunReport<OutcomeCounts>, 'error' | 'next' | 'findings'>>(
  report: Report,
  { argv, context }: Pick<ScreenOptions, 'argv' | 'context'>,
): Report {
  const { error } = report;
  const hint = error?.hint === undefined ? undefined : withPasteableCommands(error.hint, argv, context);
  return {
    ...report,
    next: report.next.map((step) => withPasteableCommands(step, argv, context)),
    findings: report.findings.map((finding) => ({
      ...finding,
      message: withPasteableLastCommand(finding.message, argv, context),
      ...(finding.hint !== undefined && { hint: withPasteableLines(finding.hint, argv, context) }),
    })),
    ...(error && { error: { ...error, ...(hint === undefined ? {} : { hint }) } }),
  };
}

/** Makes commands at the start or the end of a line pasteable. A command inside a sentence is not to be pasted. */
function withPasteableLines(hint: string, argv: readonly string[], context: ScreenOptions['context']): string {
  const lines = hint
    .split('\n')
    .map((line) =>
      line.startsWith('svc ')
        ? withPasteableCommands(line, argv, context)
        : withPasteableLastCommand(line, argv, context),
    );
  return lines.join('\n');
}

/** The report, in which each input says how svc knows its platform (see `planInput`). */
export function withRecognizedInputs<Rows extends OutcomeCounts>(
  report: RunReport<Rows>,
  platformFlag: string,
): RunReport<Rows> {
  return { ...report, inputs: report.inputs.map((input) => planInput(input, platformFlag)) };
}
