import type { Phase } from '../../base/events.ts';
import { type CountedRows, countUnsentRows, rowsAddUp } from '../../base/lib/rows.ts';
import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import { isStateFolderLost } from '../../base/os/file-identity.ts';
import { machineProblem } from '../../base/os/storage-error.ts';
import { countSkippedAccountChecks } from '../../base/skipped-checks.ts';
import type { RunReport, RunStatus } from '../../run-lifecycle/data/run-report.ts';
import type { Style, Tone } from '../text/style.ts';
import { wrapText } from '../text/wrap.ts';

type ReportEnd = Pick<RunReport, 'status' | 'dry_run' | 'phase' | 'error'> &
  Partial<Pick<RunReport, 'findings' | 'resumed'>> & { readonly rows: CountedRows };

/** How a run ended, in one sentence, and the color for it. */
export function headline(report: ReportEnd): { readonly text: string; readonly tone: Tone } {
  const empty = isEmpty(report.rows) && haveAllRowsOutcomes(report.rows) ? EMPTY[report.status] : undefined;
  if (empty !== undefined) {
    return { text: empty, tone: 'yellow' };
  }
  const enrollment = enrollmentHeadline(report);
  if (enrollment !== undefined) {
    return { text: enrollment, tone: 'yellow' };
  }
  return { text: SENTENCES[report.status](report), tone: toneOf(report) };
}

function toneOf(report: ReportEnd): Tone {
  if (report.status === 'completed' && !haveAllRowsOutcomes(report.rows)) {
    return 'red';
  }
  return report.status === 'planned' && countSkippedAccountChecks(report.findings) > 0
    ? 'yellow'
    : STATUS_TONES[report.status];
}

const ENDED_STATUSES: readonly string[] = ['completed', 'partial'];

// Counts that don't explain why a person was not enrolled.
const NO_REASON: readonly string[] = ['read', 'merged', 'enrolled'];

/**
 * The headline of an enrollment with unknown outcomes, or without an enrolled person: `No one was enrolled: 1 not
 * subscribed.` The usual headline "Done" would hide this result, because every row has an outcome. Undefined for any
 * other run.
 */
function enrollmentHeadline({ status, dry_run, rows }: ReportEnd): string | undefined {
  const { unknown = 0 } = rows as Partial<RunReport['rows']>;
  if ('enrolled' in rows && unknown > 0 && !dry_run && ENDED_STATUSES.includes(status)) {
    const people = unknown === 1 ? '1 person was' : `${formatNumber(unknown)} people were`;
    return `It is not known whether ${people} enrolled. Don't enroll them again by hand.`;
  }
  const counts = Object.entries(rows).filter(([, count]) => typeof count === 'number' && count > 0);
  const reasons = counts.filter(([name]) => !NO_REASON.includes(name));
  const isEnrollment = 'enrolled' in rows && rows.enrolled === 0 && !dry_run && ENDED_STATUSES.includes(status);
  if (!isEnrollment || reasons.length === 0) {
    return undefined;
  }
  const words = reasons.map(([name, count]) => `${formatNumber(count)} ${name.replaceAll('_', ' ')}`);
  return terminalSafe(`No one was enrolled: ${words.join(', ')}.`);
}

const MARKS: Readonly<Partial<Record<Tone, string>>> = { green: '✓', red: '✗' };

/**
 * The headline in bold, after a colored mark. `text` can replace its sentence. Yellow is hard to read on white, so a
 * yellow headline gets a magenta mark.
 */
export function headlineLines(report: ReportEnd, style: Style, text = headline(report).text): string[] {
  const { tone } = headline(report);
  const mark = style[tone === 'yellow' ? 'magenta' : tone](MARKS[tone] ?? '!');
  const lines = wrapText(text, style.columns, { first: '  ', rest: '  ' });
  return lines.map((line, index) => (index === 0 ? `${mark} ${style.bold(line.slice(2))}` : style.bold(line)));
}

/**
 * True if each row has an outcome other than `unsent` (L5). A report that was read from disk may have rows without one.
 */
export function haveAllRowsOutcomes(rows: CountedRows): boolean {
  return rowsAddUp(rows) && countUnsentRows(rows) === 0;
}

/**
 * The headline of a run that left rows unsent, although neither the network nor a refusal stopped it. Undefined for any
 * other run.
 */
function unsentSentence(report: ReportEnd): string | undefined {
  return report.error?.code === 'rows_unsent'
    ? `Not finished: ${mismatchWords(report.rows)}. ${recordWords(report)}`
    : undefined;
}

function mismatchWords(rows: CountedRows): string {
  return rowsAddUp(rows)
    ? `${plural(countUnsentRows(rows), 'row was', 'rows were')} not sent`
    : 'the counts do not add up';
}

// If a list has no rows, the export has usually failed. So svc does not report success.
const EMPTY: Readonly<Partial<Record<RunStatus, string>>> = {
  completed: 'Nothing was done: the list holds no rows.',
  planned: 'Dry run: the list holds no rows.',
};

function isEmpty(rows: object): boolean {
  return (rows as Partial<RunReport['rows']>).read === 0;
}

/** The number of rows that need the user's attention: rejected, failed, unsent or unknown. */
function countUnresolvedRows(rows: object): number {
  const { rejected = 0, failed = 0, unsent = 0, unknown = 0 }: Partial<RunReport['rows']> = rows;
  return rejected + failed + unsent + unknown;
}

/** The color of each run status: green is success, yellow needs attention, red is a failure. */
export const STATUS_TONES: Readonly<Record<RunStatus, 'green' | 'yellow' | 'red'>> = {
  completed: 'green',
  planned: 'green',
  partial: 'yellow',
  interrupted: 'yellow',
  later: 'yellow',
  busy: 'yellow',
  refused: 'red',
  stopped: 'red',
  failed: 'red',
  unverified: 'red',
  bug: 'red',
};

const SENTENCES: Readonly<Record<RunStatus, (report: ReportEnd) => string>> = {
  completed: ({ rows }) =>
    haveAllRowsOutcomes(rows) ? 'Done. Every row is accounted for.' : `Ended, but ${mismatchWords(rows)}.`,
  planned: (report) => {
    const count = countSkippedAccountChecks(report.findings);
    return count > 0
      ? `Dry run: the list is in order. ${plural(count, 'check of the account was', 'checks of the account were')} not made, so the real run may still stop.`
      : 'Dry run: nothing was sent.';
  },
  partial: ({ rows, error }) =>
    error
      ? 'Finished, but some people who are missing in the list are still subscribed.'
      : `Finished, but ${plural(countUnresolvedRows(rows), 'row needs', 'rows need')} a look.`,
  refused: ({ error }) =>
    isDeclined(error)
      ? 'Not started: the answer was no. Nothing was sent.'
      : 'Not started: a check stopped the run. Nothing was sent.',
  stopped: (report) =>
    isStoppedByCheck(report)
      ? `Stopped: a check does not let the run continue. ${recordWords(report)}`
      : (unsentSentence(report) ??
        `Stopped: ${OWN_STOPS.has(report.error?.code) ? 'svc sends nothing more, because it could do harm' : 'the service refused, and the cause must be removed first'}. ${recordWords(report)}`),
  failed: (report) =>
    unsentSentence(report) ??
    `Gave up: ${isStateFolderLost(report.error) ? 'the state folder was changed' : (machineProblem(report.error?.code) ?? 'the network or the service failed')}. ${recordWords(report)}`,
  interrupted: (report) => `Interrupted. ${recordWords(report)}`,
  unverified: unverifiedSentence,
  later: (report) => `Paused: the service asks for a longer wait than --max-wait allows. ${recordWords(report)}`,
  busy: () => 'Not started: another run is working on this destination. Nothing was sent.',
  bug: (report) => `svc itself failed: this is a bug. ${recordWords(report)}`,
};

/** If this run sent nothing, an earlier run showed the fault: the service signed opted-out people up again (C1). */
function unverifiedSentence({ phase, resumed, rows }: ReportEnd): string {
  if (!isSendingPhase(phase)) {
    return `${resumed ? 'Stopped' : 'Not started'}: the service signs people up again who opted out. ${resumed ? 'Nothing more' : 'Nothing'} was sent.`;
  }
  return phase === 'first_batch' || countUnsentRows(rows) > 0
    ? 'Stopped early: what the service shows differs from what svc sent.'
    : 'Sent, but what the service shows differs in part from what svc sent.';
}

/** The error codes of runs that svc itself decided to stop. */
const OWN_STOPS: ReadonlySet<string | undefined> = new Set(['in_doubt', 'automations', 'max_failures', 'same_name']);

export function isDeclined(error: RunReport['error']): boolean {
  return error?.code === 'declined';
}

/** True if a check stopped the run. False if a response of the service stopped it. */
export function isStoppedByCheck({ findings = [], error }: StoppedReport): boolean {
  return findings.some(({ check, level }) => level === 'stop' && check === error?.code);
}

type StoppedReport = Partial<Pick<RunReport, 'findings'>> & { readonly error?: { readonly code: string } | undefined };

function recordWords({ phase, resumed, error }: ReportEnd): string {
  if (isStateFolderLost(error)) {
    return 'The records of the run were deleted, moved or replaced.';
  }
  return resumed || isSendingPhase(phase) ? 'What was done is recorded; nothing is lost.' : 'No row was sent.';
}

/** True for each phase after the survey and the plan, because something may have been written then. */
export function isSendingPhase(phase: Phase): boolean {
  return phase !== 'survey' && phase !== 'plan';
}
