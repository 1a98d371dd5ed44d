import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../../base/context.ts';
import { EXIT, type ExitCode, SvcError, worstExitCode } from '../../../base/lib/errors.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { writePrivateFile } from '../../../base/os/files.ts';
import { writeOutputFile } from '../../../base/os/user-named-file.ts';
import type { OutcomeCounts, RunReport } from '../../../migrate/run-data/run-report.ts';
import type { ShownReport } from '../../../render/report/report.ts';
import { jsonText } from '../../../render/text/object.ts';

export interface ReportCopies {
  readonly report?: string | undefined;
  readonly reportHtml?: string | undefined;
}

/**
 * Writes report.html into the folder of the run, and the copies that the user asked for. Returns the error for the
 * first file that can't be written. Its exit code is that of a usage error, or that of the run if it is worse.
 */
export async function writeReportFiles(
  report: RunReport<OutcomeCounts>,
  copies: ReportCopies,
  { cwd, platform }: Context,
): Promise<SvcError | undefined> {
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
      : failureOf(path, { flag, reportPath, exit }, () => writeOutputFile(path, makeData(), platform.user));
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
