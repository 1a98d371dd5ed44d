import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import type { Verification, VerificationCheck } from '../../run-lifecycle/data/run-report.ts';
import { findingLines } from '../plan/findings.ts';
import { inputNames } from '../plan/inputs.ts';
import { planText } from '../plan/plan.ts';
import { nameValueLines, nameWithId, titledSection } from '../text/block.ts';
import { errorLines } from '../text/error.ts';
import type { Style, Tone } from '../text/style.ts';
import { markedLines, wrapText } from '../text/wrap.ts';
import { headlineLines, isDeclined, isSendingPhase, isStoppedByCheck } from './headline.ts';
import { rowLines } from './row-lines.ts';
import { planMeta, type ShownReport, shortenHome, stopsAndWarnings, withShortHome } from './shown-report.ts';

/** The full report: how the run ended, the outcome of all rows, the requests, the checks, the next steps. */
export function reportText(report: ShownReport, style: Style, home = ''): string {
  const lines = [
    ...headlineLines(report, style),
    ...problemLines(report, style),
    ...(report.dry_run
      ? ['', planText(report.plan, planMeta(report), style).trimEnd()]
      : destinationLines(report, style)),
    ...titledSection('Rows', rowLines(report, style), style),
    ...titledSection('Requests', requestLines(report), style),
    ...titledSection('Verification', verificationLines(report.verification, style), style),
    ...titledSection('Checks', report.dry_run ? [] : findingLines(stopsAndWarnings(report), style), style),
    ...titledSection('Files', fileLines(report, home, style), style),
    ...titledSection('Next', nextLines(withShortHome(report, home), style), style),
  ];
  return `${lines.join('\n')}\n`;
}

/** The plan of a run, then its report. The report of a dry run already contains the plan. */
export function detailedReportText(report: ShownReport, style: Style, home = ''): string {
  const plan = report.dry_run ? '' : `${planText(report.plan, planMeta(report), style)}\n`;
  return plan + reportText(report, style, home);
}

/**
 * The error that ended the run. Empty if a check stopped the run, because the report shows its findings. Also empty if
 * the user declined.
 */
export function problemLines(report: ShownReport, style: Style): string[] {
  const { error } = report;
  return error && !isStoppedByCheck(report) && !isDeclined(error)
    ? [...errorLines(error, style).map((line) => `  ${line}`), '']
    : [];
}

function destinationLines(report: ShownReport, style: Style): string[] {
  return nameValueLines(
    [
      ['run', terminalSafe(report.run)],
      ['from', inputNames(report.inputs) || undefined],
      [
        'copy',
        report.input_copy_bytes
          ? `${plural(report.input_copy_bytes, 'byte')} of input, kept until the run is finished or deleted`
          : undefined,
      ],
      ['to', report.origin === null ? undefined : terminalSafe(report.origin)],
      ['audience', nameWithId(report.audience)],
      ['automation', nameWithId(report.automation)],
    ],
    style,
  );
}

function nextLines({ next }: ShownReport, style: Style): string[] {
  return next.flatMap((step, index) => {
    const first = `  ${index + 1}. `;
    return wrapText(terminalSafe(step), style.columns, { first, rest: ' '.repeat(first.length) });
  });
}

function requestLines({ requests, dry_run, phase }: ShownReport): string[] {
  const { sent, retried, replayed, rate_limited } = requests;
  const unwritten = dry_run ? ', only to read' : isSendingPhase(phase) ? '' : ', none with a row';
  const words = [
    `${formatNumber(sent)} sent${unwritten}`,
    retried > 0 ? `${formatNumber(retried)} retried` : undefined,
    replayed > 0 ? `${formatNumber(replayed)} answered with a stored response` : undefined,
    rate_limited > 0 ? `${plural(rate_limited, 'time')} held back by the rate limit` : undefined,
  ];
  return sent === 0 ? [] : [`  ${words.filter((word) => word !== undefined).join(', ')}`];
}

// The labels of files. A file without a label here is labeled with its name in the report.
const FILE_LABELS: ReadonlyMap<string, string> = new Map([['report_html', 'web page']]);

// The files of a run, with their paths. A path is never broken, so that users can copy it.
function fileLines({ files }: ShownReport, home: string, style: Style): string[] {
  const named = Object.entries(files).map(([name, paths]) => [FILE_LABELS.get(name) ?? name, paths] as const);
  const width = named.reduce((max, [name]) => Math.max(max, name.length), 0);
  return named.flatMap(([name, paths]) =>
    [paths]
      .flat()
      .map((path) => `  ${style.dim(terminalSafe(name).padEnd(width))}  ${terminalSafe(shortenHome(path, home))}`),
  );
}

const MARKS: Readonly<Record<VerificationCheck['status'], { mark: string; tone: Tone }>> = {
  passed: { mark: '✓', tone: 'green' },
  failed: { mark: '✗', tone: 'red' },
  skipped: { mark: '–', tone: 'dim' },
};

function verificationLines(verification: Verification, style: Style): string[] {
  return verification.checks.flatMap(({ status, message }) => {
    const { mark, tone } = MARKS[status];
    return markedLines(style[tone](mark), terminalSafe(message), style.columns);
  });
}
