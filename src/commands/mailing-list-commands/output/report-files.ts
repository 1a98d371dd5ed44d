import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../../base/context.ts';
import { EXIT, type ExitCode, SvcError, worstExitCode } from '../../../base/lib/errors.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { writePrivateFile } from '../../../base/os/files.ts';
import { isFilePath, writeOutputFile } from '../../../base/os/user-named-file.ts';
import type { ShownReport } from '../../../render/report/shown-report.ts';
import { jsonText } from '../../../render/text/object.ts';
import type { OutcomeCounts, RunReport } from '../../../run-lifecycle/data/run-report.ts';
import type { Journal } from '../../../runs/store/journal.ts';
import type { RunHeader } from '../../../runs/store/run-header.ts';
import { checkOutputFiles } from '../output-files.ts';

export interface ReportCopies {
  readonly report?: string | undefined;
  readonly reportHtml?: string | undefined;
}

/** The copies of the report, and the input files of the list, which a copy must not replace. */
export interface GuardedCopies extends ReportCopies {
  readonly inputs: readonly string[];
}

/** The name of a note in run.db: the absolute paths of the copies of the report. */
const REPORT_COPIES_NOTE = 'report_copies';

/** The copies of the report that earlier commands of this run asked for. */
export function recordedCopies(journal: Pick<Journal, 'readNote'>): ReportCopies {
  return (journal.readNote(REPORT_COPIES_NOTE) as ReportCopies | undefined) ?? {};
}

/**
 * The copies of the report that this command or an earlier one of the run asked for. Records their absolute paths, so
 * that a resume writes these copies again. Does not record a device or a pipe: during a resume, perhaps no program
 * reads from it.
 */
export function recordCopies(journal: Journal, given: ReportCopies, { cwd }: Pick<Context, 'cwd'>): GuardedCopies {
  const { report, reportHtml } = given;
  const named = Object.entries({ report, reportHtml }).flatMap(([name, path]) =>
    path === undefined ? [] : [[name, resolve(cwd, path)] as const],
  );
  const recorded = recordedCopies(journal);
  if (named.some(([, path]) => isFilePath(path))) {
    const files = Object.fromEntries(named.filter(([, path]) => isFilePath(path)));
    journal.writeNote(REPORT_COPIES_NOTE, { ...recorded, ...files });
  }
  return { ...recorded, ...Object.fromEntries(named), inputs: originalsOf(journal.header) };
}

/** The absolute paths of the input files of a run. Pipes and standard input have none. */
export function originalsOf({ inputs }: RunHeader): readonly string[] {
  return inputs.flatMap(({ original }) => original?.place ?? []);
}

/**
 * Writes report.html into the folder of the run, and the copies that the user asked for. Returns the error for the
 * first file that can't be written. Its exit code is the worse of two: that of the run, and that of a usage error.
 */
export async function writeReportFiles(
  report: RunReport<OutcomeCounts>,
  { inputs, ...copies }: GuardedCopies,
  context: Context,
): Promise<SvcError | undefined> {
  const { cwd, platform } = context;
  // Loaded only here, because the charts would slow down the start of short commands.
  const { reportPage } = await import('../../../render/html/page.ts');
  const page = reportPage(report);
  const { report: json, report_html: html } = report.files;
  const exit = worstExitCode([report.exit_code, EXIT.usage]);
  const reportPath = typeof json === 'string' ? json : undefined;
  const write = (flag: string, name: string | undefined, makeData: () => string | Uint8Array) => {
    const path = name === undefined ? undefined : resolve(cwd, name);
    return path === undefined
      ? undefined
      : failureOf(path, { flag, reportPath, exit }, () => {
          // Checked again, because the list may be at this path by now.
          checkOutputFiles(context, { inputs, output: path });
          writeOutputFile(path, makeData(), platform.user);
        });
  };
  const failures = [
    write('--report', copies.report, () => (json === undefined ? jsonText(report, 2) : readFileSync(String(json)))),
    write('--report-html', copies.reportHtml, () => page),
    typeof html === 'string'
      ? failureOf(html, { flag: '--report-html', exit }, () => writePrivateFile(html, page))
      : undefined,
  ];
  return failures.find((failure) => failure !== undefined);
}

export async function writeReportPage(report: ShownReport, name: string, { cwd, platform }: Context): Promise<void> {
  const { reportPage } = await import('../../../render/html/page.ts');
  const path = resolve(cwd, name);
  const failure = failureOf(path, { flag: '--html', exit: EXIT.usage }, () =>
    writeOutputFile(path, reportPage(report), platform.user),
  );
  if (failure) {
    throw failure;
  }
}

interface WriteFailure {
  readonly flag: string;
  readonly reportPath?: string | undefined;
  readonly exit: ExitCode;
}

function failureOf(path: string, { flag, reportPath, exit }: WriteFailure, write: () => void): SvcError | undefined {
  try {
    write();
    return undefined;
  } catch (cause) {
    return new SvcError(exit, 'report_unwritable', `the report can't be written to ${terminalSafe(path)}`, {
      hint: reportPath === undefined ? `Name another file with ${flag}.` : `The report itself is at ${reportPath}`,
      cause,
    });
  }
}
