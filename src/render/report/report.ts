import { formatNumber, plural, safe } from '../../base/lib/text.ts';
import type { OutcomeCounts, RunReport, Verification, VerificationCheck } from '../../migrate/types.ts';
import { findingLines } from '../plan/findings.ts';
import { inputNames } from '../plan/inputs.ts';
import { planText } from '../plan/plan.ts';
import { skippedWords } from '../plan/skipped.ts';
import { countLines, pairs, section } from '../text/block.ts';
import { errorLines } from '../text/error.ts';
import type { Style, Tone } from '../text/style.ts';
import { wrap } from '../text/wrap.ts';
import { headline, isDeclined, sendsRows } from './headline.ts';
import { nextLines } from './next-steps.ts';
import { rowSum } from './row-sum.ts';

/** A report for display. For an enrollment `rows` counts by outcome, and the automation is named. */
export interface ShownReport extends Omit<RunReport, 'rows'> {
  readonly rows: OutcomeCounts | ({ readonly read: number } & Readonly<Record<string, number>>);
  /** Bytes of the input copies that still exist, if known. */
  readonly input_copy_bytes?: number;
}

/** The summary after a run: how it ended, the outcome of every row, what the service holds, and the next steps. */
export function reportText(report: ShownReport, style: Style): string {
  const { text, tone } = headline(report);
  const lines = [
    ...wrap(text, style.columns).map((line) => style.bold(style[tone](line))),
    ...problemLines(report, style),
    ...(report.dry_run
      ? ['', planText(report.plan, planMeta(report), style).trimEnd()]
      : destinationLines(report, style)),
    ...section('Rows', rowLines(report, style), style),
    ...section('Requests', requestLines(report), style),
    ...section('Verification', verificationLines(report.verification, style), style),
    ...section('Checks', report.dry_run ? [] : findingLines(stopsAndWarnings(report), style), style),
    ...section('Files', fileLines(report, style), style),
    ...section('Next', nextLines(report, style), style),
  ];
  return `${lines.join('\n')}\n`;
}

/** Skips the problem of a check, which is shown below, and the decision of a person, who knows it. */
function problemLines({ error, findings }: ShownReport, style: Style): string[] {
  const isFinding = findings.some(({ check, level }) => level === 'stop' && check === error?.code);
  return error && !isFinding && !isDeclined(error) ? [...errorLines(error, style).map((line) => `  ${line}`), ''] : [];
}

function planMeta(report: ShownReport) {
  const { merged = 0, rejected = 0 }: Partial<RunReport['rows']> = report.rows;
  return { ...report, rows: { read: report.rows.read, merged, rejected } };
}

function destinationLines(report: ShownReport, style: Style): string[] {
  const named = (thing: { id: string; name: string }) => `${safe(thing.name)} (${safe(thing.id)})`;
  return pairs(
    [
      ['run', safe(report.run)],
      ['from', inputNames(report.inputs) || undefined],
      ['copy', report.input_copy_bytes ? copyWords(report.input_copy_bytes) : undefined],
      ['to', report.origin === null ? undefined : safe(report.origin)],
      ['audience', report.audience ? named(report.audience) : undefined],
      ['automation', report.automation ? named(report.automation) : undefined],
    ],
    style,
  );
}

function copyWords(bytes: number): string {
  return `${plural(bytes, 'byte')} of input, kept until the run is finished or deleted`;
}

function rowLines(report: ShownReport, style: Style): string[] {
  const sum = wrap(rowSum(report.rows, { dryRun: report.dry_run }), style.columns, { first: '  ', rest: '    ' });
  const { rejected = 0, failed = 0, unsent = 0, unknown = 0 }: Partial<RunReport['rows']> = report.rows;
  const entries: [number, string][] = [
    ...skippedWords(report.skipped).map(([count, words]): [number, string] => [count, `skipped: ${words}`]),
    [rejected, 'rejected: left out; correct them in the rejects file'],
    [failed, 'failed: the service refused them one by one; see the rejects file'],
    [report.dry_run ? 0 : unsent, 'not sent'],
    [unknown, 'unknown: no response came, so svc cannot tell whether they arrived'],
    [report.rows_replayed, 'replayed: the service had accepted them before and wrote nothing new (counted above)'],
  ];
  return [...sum, ...countLines(entries, style)];
}

function requestLines({ requests, dry_run, phase }: ShownReport): string[] {
  const { sent, retried, replayed, rate_limited } = requests;
  const unwritten = dry_run ? ', only to read' : sendsRows(phase) ? '' : ', none with a row';
  const words = [
    `${formatNumber(sent)} sent${unwritten}`,
    retried > 0 ? `${formatNumber(retried)} retried` : undefined,
    replayed > 0 ? `${formatNumber(replayed)} answered from before` : undefined,
    rate_limited > 0 ? `${plural(rate_limited, 'time')} held back by the rate limit` : undefined,
  ];
  return sent === 0 ? [] : [`  ${words.filter((word) => word !== undefined).join(', ')}`];
}

function stopsAndWarnings(report: ShownReport) {
  return report.findings.filter(({ level }) => level === 'stop' || level === 'warn');
}

// A path stays on one line, so that it can be copied.
function fileLines({ files }: ShownReport, style: Style): string[] {
  const width = Object.keys(files).reduce((most, name) => Math.max(most, name.length), 0);
  return Object.entries(files).flatMap(([name, paths]) =>
    [paths].flat().map((path) => `  ${style.dim(safe(name).padEnd(width))}  ${safe(path)}`),
  );
}

const MARKS: Readonly<Record<VerificationCheck['status'], { mark: string; tone: Tone }>> = {
  passed: { mark: '✓', tone: 'green' },
  failed: { mark: '✗', tone: 'red' },
  skipped: { mark: '–', tone: 'dim' },
};

/** The checks that compared the service with what was sent. */
function verificationLines(verification: Verification, style: Style): string[] {
  return verification.checks.flatMap(({ check, status, message }) => {
    const { mark, tone } = MARKS[status];
    const margin = { first: `  ${mark} `, rest: '    ' };
    return wrap(`${safe(check)}: ${safe(message)}`, style.columns, margin).map(style[tone]);
  });
}
