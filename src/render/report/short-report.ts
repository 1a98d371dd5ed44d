import { formatDuration, formatLogTime } from '../../base/lib/duration.ts';
import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import { countSkippedAccountChecks } from '../../base/skipped-checks.ts';
import type { PlannedAudience } from '../../run-lifecycle/data/run-context.ts';
import type { RunStatus, Verification } from '../../run-lifecycle/data/run-report.ts';
import { briefFindingLines } from '../plan/findings.ts';
import { planSummary } from '../plan/summary.ts';
import { nonZeroCounts } from '../text/block.ts';
import type { Style } from '../text/style.ts';
import { fillLines, HANGING, markedLines, wrapText } from '../text/wrap.ts';
import { problemLines } from './full-report.ts';
import { haveAllRowsOutcomes, headline, headlineLines, isDeclined } from './headline.ts';
import { rowLines, sumLines } from './row-lines.ts';
import { planMeta, type ShownReport, shortenHome, withShortHome } from './shown-report.ts';

/** What the result shows besides the report. */
export interface ResultContext {
  /** How long the run took, in milliseconds, without the time in which it waited for the user. */
  readonly elapsedMs: number;
  /** The home folder. Paths show it as `~`. */
  readonly home: string;
  /** True if the user has seen the plan with its warnings already. */
  readonly isPlanShown: boolean;
  /** True if the caller prints the error after this text. */
  readonly problemFollows: boolean;
  readonly planned: PlannedAudience | undefined;
  /** The command that shows the run. By default it is `svc runs show` with the id of the run. */
  readonly details: string | undefined;
}

/** The result of a run in a few lines: what svc did, the sum of the rows, what it verified, and what to do next. */
export function resultText(report: ShownReport, context: ResultContext, style: Style): string {
  const lines = [
    ...(report.dry_run
      ? [planSummary(report.plan, { ...planMeta(report), planned: context.planned }, style).trimEnd()]
      : []),
    ...headlineLines(report, style, resultSentence(report, context.elapsedMs)),
    ...(context.problemFollows ? [] : problemLines(report, style)),
    ...(isDeclined(report.error) ? [] : endLines(report, context, style)),
  ];
  return `${lines.join('\n')}\n`;
}

/** What a run did, in one sentence. `elapsedMs` is how long it took. */
export function resultSentence(report: ShownReport, elapsedMs: number): string {
  const { text } = headline(report);
  if (report.status === 'planned' && report.rows.read > 0 && countSkippedAccountChecks(report.findings) === 0) {
    return `${text} The same command without --dry-run goes ahead.`;
  }
  if (report.dry_run || report.status === 'refused' || report.status === 'busy') {
    return text;
  }
  const time = formatDuration(elapsedMs);
  return report.status === 'completed' && report.rows.read > 0 && haveAllRowsOutcomes(report.rows)
    ? `Done in ${time}: ${doneWords(report)}`
    : `${text} It took ${time}.`;
}

/** A text such as `33 contacts created in Newsletter (24 subscribed, 9 unsubscribed)`. */
function doneWords({ rows, rows_replayed, plan, audience, automation }: ShownReport): string {
  const { created = 0, updated = 0, suppressed = 0, enrolled = 0 }: Partial<Record<string, number>> = { ...rows };
  const written = created + updated + suppressed;
  if (written > 0 && rows_replayed >= written) {
    return 'nothing new was written, because the service had accepted all of it before';
  }
  const place = audience ? ` in ${terminalSafe(audience.name)}` : '';
  const contactWords = [
    ...(created > 0 ? [`${plural(created, 'contact')} created`] : []),
    ...(updated > 0
      ? [created > 0 ? `${formatNumber(updated)} updated` : `${plural(updated, 'contact')} updated`]
      : []),
  ];
  // The numbers by status come from the plan, so they are right only if all contacts of the plan were written.
  const states =
    created + updated === plan.contacts && plan.unsubscribed > 0
      ? ` (${formatNumber(plan.contacts - plan.unsubscribed)} subscribed, ${formatNumber(plan.unsubscribed)} unsubscribed)`
      : '';
  const actions = [
    ...(automation ? [`${enrolledWords(enrolled)} enrolled in ${terminalSafe(automation.name)}`] : []),
    ...(contactWords.length > 0 && !automation ? [contactWords.join(', ') + place + states] : []),
    ...(contactWords.length === 0 && suppressed > 0
      ? [`${plural(suppressed, 'address', 'addresses')} suppressed`]
      : []),
  ];
  return actions.length > 0 ? actions.join(', ') : 'nothing new was written';
}

function enrolledWords(enrolled: number): string {
  return enrolled === 0 ? 'no one was' : plural(enrolled, 'person', 'people');
}

function endLines(report: ShownReport, context: ResultContext, style: Style): string[] {
  const isShown = context.isPlanShown || report.dry_run;
  const findings = isShown ? [] : briefFindingLines(planMeta(report), style);
  if (report.status === 'refused' || report.status === 'planned') {
    return [...sumLines(report, style), ...findings];
  }
  return [
    ...rowLines(report, style),
    ...findings,
    ...verifiedLines(report.verification, style),
    ...pathLines(report, context, style),
    ...nextLines(withShortHome(report, context.home), style),
  ];
}

const VERIFIED: ReadonlyMap<string, string> = new Map([
  ['contact_counts', 'the counts match'],
  ['suppressions', 'the suppressions match'],
]);

/** One line for all checks that passed, and one line for each other check. */
function verifiedLines({ checks }: Verification, style: Style): string[] {
  const passed = checks.filter(({ status }) => status === 'passed');
  const words = passed.map(({ check, message }) => VERIFIED.get(check) ?? terminalSafe(message)).join('; ');
  const rest = checks.filter(({ status }) => status !== 'passed');
  return [
    ...(words === '' ? [] : wrapText(`Verified: ${words}`, style.columns, HANGING)),
    ...rest.flatMap(({ status, message }) => {
      const mark = status === 'failed' ? style.red('✗') : style.dim('–');
      const what = status === 'failed' ? terminalSafe(message) : `Not verified: ${terminalSafe(message)}`;
      return markedLines(mark, what, style.columns);
    }),
  ];
}

/** The paths and the command for details. Each is on its own line, so that users can copy it. */
function pathLines({ files, run, status }: ShownReport, { home, details }: ResultContext, style: Style): string[] {
  const path = files.report_html ?? files.report;
  const outcomes = status === 'completed' || status === 'partial' ? files.outcomes : undefined;
  const entries = [
    ...(files.gone === undefined ? [] : [['Missing people', shortenHome(String(files.gone), home)]]),
    ...(outcomes === undefined ? [] : [['Who', shortenHome(String(outcomes), home)]]),
    ...(path === undefined ? [] : [['Report', shortenHome(String(path), home)]]),
    ['Details', details ?? `svc runs show ${run}`],
  ];
  return entries.flatMap(([label, value]) =>
    fillLines([`${label}:`, terminalSafe(value ?? '')], ' ', style.columns, HANGING),
  );
}

const LABEL = '  Next: ';
const NARROW = 60;

/** The next steps behind a label. On a narrow terminal, the label is on a line of its own. */
function nextLines({ next }: ShownReport, style: Style): string[] {
  const isNarrow = style.columns !== undefined && style.columns < NARROW;
  const first = isNarrow ? '    ' : LABEL;
  const lines = next.flatMap((step, index) => {
    const rest = ' '.repeat(first.length);
    return wrapText(terminalSafe(step), style.columns, { first: index === 0 ? first : rest, rest });
  });
  return isNarrow && lines.length > 0 ? [LABEL.trimEnd(), ...lines] : lines;
}

const LINE_ORDER = ['created', 'updated', 'enrolled', 'suppressed'];

/**
 * The result of a run on one line, for cron: `2026-11-22T01:51:14Z migrate ok run_… read=200000 created=191975
 * suppressed=8025 62s`. Leaves out counts of 0, except `read`.
 */
export function logLine(report: ShownReport, now: number, elapsedMs: number): string {
  const { read, ...outcomes } = report.rows;
  const warnings = report.findings.filter(({ level }) => level === 'warn').length;
  const known: [string, number][] = [
    ...nonZeroCounts(outcomes, LINE_ORDER),
    ...nonZeroCounts({ gone: report.gone?.missing ?? 0, warnings }),
  ];
  const words = [
    formatLogTime(now),
    terminalSafe(report.command).replaceAll(' ', '-'),
    STATUS_WORDS[report.status] ?? report.status,
    terminalSafe(report.run),
    ...[['read', read] as const, ...known].map(([name, count]) => `${terminalSafe(name)}=${count}`),
    `${Math.ceil(elapsedMs / 1000)}s`,
  ];
  return `${words.join(' ')}\n`;
}

const STATUS_WORDS: Readonly<Partial<Record<RunStatus, string>>> = { completed: 'ok', planned: 'dry-run' };
