import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import type { OutcomeCounts, RunReport, Verification, VerificationCheck } from '../../migrate/run-data/run-report.ts';
import { findingLines } from '../plan/findings.ts';
import { inputNames } from '../plan/inputs.ts';
import { planText, skippedWords } from '../plan/plan.ts';
import { countLines, nameValueLines, nameWithId, titledSection } from '../text/block.ts';
import { errorLines } from '../text/error.ts';
import type { Style, Tone } from '../text/style.ts';
import { displayWidth } from '../text/width.ts';
import { fillLines, HANGING, markedLines, wrapText } from '../text/wrap.ts';
import { headlineLines, isDeclined, isSendingPhase, isStoppedByCheck } from './headline.ts';
import { rowSum } from './row-sum.ts';

/** A report to show. For an enrollment, `rows` has the outcome words of enrollments. */
export interface ShownReport extends Omit<RunReport, 'rows'> {
  readonly rows: OutcomeCounts | ({ readonly read: number } & Readonly<Record<string, number>>);
  /** The bytes of the input copies that still exist. Undefined if svc did not count them. */
  readonly input_copy_bytes?: number;
}

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
 * The error that ended the run. Empty if a check stopped the run, because its findings are shown, and if the user
 * declined.
 */
export function problemLines(report: ShownReport, style: Style): string[] {
  const { error } = report;
  return error && !isStoppedByCheck(report) && !isDeclined(error)
    ? [...errorLines(error, style).map((line) => `  ${line}`), '']
    : [];
}

/** The report in the form that the text of a plan needs. */
export function planMeta(report: ShownReport) {
  const { merged = 0, rejected = 0, unchanged = 0 }: Partial<RunReport['rows']> = report.rows;
  return { ...report, rows: { read: report.rows.read, merged, rejected, unchanged } };
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

/**
 * Replaces the home folder by `~`, but only where a shell understands it: at the start of a word that is not quoted.
 */
export function shortenHome(text: string, home: string): string {
  const isStart = (all: string, position: number) => position === 0 || all[position - 1] === ' ';
  return home === ''
    ? text
    : text.replaceAll(`${home}/`, (found, position, all) => (isStart(all, position) ? '~/' : found));
}

export function withShortHome(report: ShownReport, home: string): ShownReport {
  return { ...report, next: report.next.map((step) => shortenHome(step, home)) };
}

/** The rows as a sum (`12 rows read = 10 created + 2 merged`), and below it an explanation of some outcomes. */
export function rowLines(report: ShownReport, style: Style): string[] {
  return [...sumLines(report, style), ...countLines(rowEntries(report, style), style)];
}

/** The sum of the rows, on one line if it fits. A longer sum is broken before a plus sign. */
export function sumLines(report: ShownReport, style: Style): string[] {
  const sum = rowSum(report.rows, { dryRun: report.dry_run, whySkipped: reasonInSum(report, style) });
  return fillLines(sum.split(/ (?=[+=] )/), ' ', style.columns, HANGING);
}

/**
 * The reason why rows were skipped. Undefined if there are several reasons, or if it does not fit on the line of the
 * sum.
 */
function reasonInSum({ rows, skipped, dry_run }: ShownReport, style: Style): string | undefined {
  const [only, ...others] = skippedWords(skipped);
  const whySkipped = others.length === 0 ? only?.[1] : undefined;
  const width = displayWidth(rowSum(rows, { dryRun: dry_run, whySkipped })) + HANGING.first.length;
  return width <= (style.columns ?? width) ? whySkipped : undefined;
}

/** The outcomes that need an explanation, with their counts. */
function rowEntries(report: ShownReport, style: Style): [number, string][] {
  const { rejected = 0, failed = 0, unknown = 0 }: Partial<RunReport['rows']> = report.rows;
  const skipped = reasonInSum(report, style) === undefined ? skippedWords(report.skipped) : [];
  return [
    ...skipped.map(([count, words]): [number, string] => [count, `skipped: ${words}`]),
    [rejected, 'rejected: left out; correct them in the rejects file'],
    [failed, 'failed: refused by the service; see the rejects file'],
    [unknown, 'unknown: no response is recorded, so svc cannot tell whether they arrived'],
    ...goneEntries(report),
    [report.rows_replayed, 'replayed: the service had accepted them before and wrote nothing new (counted above)'],
  ];
}

/** People of earlier lists who are missing in this list. They are not part of the sum of the rows. */
function goneEntries({ gone }: ShownReport): [number, string][] {
  return gone === undefined
    ? []
    : [
        [gone.unsubscribed, 'missing in this list: unsubscribed'],
        [gone.left_before, 'missing in this list: had opted out or was deleted before'],
        [gone.not_found ?? 0, 'missing in this list: not in the audience; the next import looks again'],
        [gone.reported, 'missing in this list: left as they are'],
      ];
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

export function stopsAndWarnings({ findings }: ShownReport) {
  return findings.filter(({ level }) => level === 'stop' || level === 'warn');
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
