import { existsSync } from 'node:fs';
import { badUsage, EXIT, type ExitCode, SvcError } from '../../base/lib/errors.ts';
import { shellWord, terminalSafe } from '../../base/lib/text.ts';
import type { CheckReport } from '../../contacts-check/report.ts';
import { runJson, runsTable, unreportedRunJson, unreportedRunText } from '../../render/lists/runs.ts';
import { checkText } from '../../render/report/check.ts';
import { detailedReportText, reportText } from '../../render/report/full-report.ts';
import type { ShownReport } from '../../render/report/shown-report.ts';
import { listRuns, resolveRunName } from '../../runs/find/list-runs.ts';
import { hintForOvertaken, stepsForOvertaken } from '../../runs/find/overtaken.ts';
import { isComparisonCommand } from '../../runs/find/run-status.ts';
import { type RunSummary, summarizeRun } from '../../runs/find/summarize-run.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { openJournalToRead } from '../../runs/store/open-journal.ts';
import type { Invocation } from '../framework/invocation.ts';
import { withPasteableCommands } from '../framework/output/command-to-paste.ts';
import type { LsFlags } from '../framework/output/ls-flags.ts';
import { print, writeNote } from '../framework/output/print.ts';
import { printList } from '../framework/output/print-list.ts';
import { resolveStateFolder } from '../framework/settings/settings.ts';
import { writeReportPage } from '../mailing-list-commands/output/report-files.ts';
import { withPasteableReport } from '../mailing-list-commands/output/result-parts.ts';
import { recordedCommandOf } from '../mailing-list-commands/recorded-line.ts';

export async function printRuns(invocation: Invocation<LsFlags>): Promise<ExitCode> {
  const { context, settings } = invocation;
  const stateFolder = resolveStateFolder(context, settings);
  if (settings.stateDir !== undefined && !settings.output.quiet && !existsSync(stateFolder)) {
    writeNote(context, `there is no folder ${terminalSafe(stateFolder)}, so no run is listed`);
  }
  const runs = listRuns(stateFolder);
  await printList(invocation, runs, (shown, style) => runsTable(shown, context.clock.now(), style), runJson);
  return EXIT.ok;
}

interface RunShowFlags {
  readonly html?: string;
  readonly details?: boolean;
}

export async function showRun(invocation: Invocation<RunShowFlags>): Promise<ExitCode> {
  const stateFolder = resolveStateFolder(invocation.context, invocation.settings);
  const run = resolveRunName(stateFolder, invocation.args[0] ?? '');
  const journal = openJournalToRead(stateFolder, run);
  try {
    const summary = summarizeRun(stateFolder, run);
    const report = presentReport(journal, summary);
    if (isComparisonCommand(journal.header.command) && report !== undefined) {
      if (invocation.flags.html !== undefined) {
        throw badUsage(
          `${terminalSafe(run)} is a check, and only other runs have a web page`,
          `svc runs show ${shellWord(run)}`,
        );
      }
      print(invocation, report as CheckReport, checkText);
    } else {
      await showImport(invocation, journal, { summary, report: report as ShownReport | undefined });
    }
  } finally {
    journal.close();
  }
  return EXIT.ok;
}

/**
 * The saved report, if it says how the run ended. Undefined while a resume works on the run, and after a kill. Then the
 * report is of an earlier command, or svc was killed after it saved the report and before it recorded the status (D9).
 */
function presentReport(journal: Journal, { status }: RunSummary): unknown {
  return status === 'running' || status === 'unfinished' ? undefined : journal.readReport();
}

async function showImport(
  invocation: Invocation<RunShowFlags>,
  journal: Journal,
  { summary, report }: { readonly summary: RunSummary; readonly report: ShownReport | undefined },
): Promise<void> {
  const { flags, argv, context, settings } = invocation;
  const { run } = journal;
  if (flags.html !== undefined) {
    if (!report) {
      const what = journal.readReport() === undefined ? 'a report' : 'a report of its present state';
      throw new SvcError(EXIT.usage, 'no_report', `${terminalSafe(run)} does not have ${what} yet`, {
        hint: `svc runs show ${run}`,
      });
    }
    await writeReportPage(report, flags.html, context);
  }
  if (flags.html !== undefined && !settings.output.json) {
    return;
  }
  if (report) {
    const textOf = flags.details ? detailedReportText : reportText;
    const isOvertaken = summary.overtakenBy !== undefined;
    const steps = isOvertaken
      ? stepsForOvertaken(journal, await recordedCommandOf(invocation, journal.header))
      : report.next;
    const pasteable = withPasteableReport({ ...report, next: steps }, { argv, context });
    const whole = { ...pasteable, input_copy_bytes: summary.copiedBytes };
    print(invocation, whole, (shown, style) => textOf(shown, style, context.platform.home));
  } else {
    // A run that is running or was killed has no present report. So svc prints the counts of its journal.
    const counts = journal.counts();
    const step = await nextStep(journal, summary, invocation);
    const next = step && withPasteableCommands(step, argv, context);
    print(invocation, unreportedRunJson(summary, counts), () => unreportedRunText(summary, counts, next));
  }
}

async function nextStep(
  journal: Journal,
  { run, status, finished, overtakenBy }: RunSummary,
  invocation: Invocation<RunShowFlags>,
): Promise<string | undefined> {
  if (overtakenBy !== undefined) {
    return hintForOvertaken(journal, await recordedCommandOf(invocation, journal.header));
  }
  return finished === false && status !== 'running' ? `svc runs resume ${run}` : undefined;
}
