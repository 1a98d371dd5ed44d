import type { Phase } from '../../base/events.ts';
import { formatDuration, formatUtcTimeOfDay } from '../../base/lib/duration.ts';
import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import type { Style } from '../text/style.ts';
import { shorten } from '../text/width.ts';
import { LABEL_WIDTH, phaseLabel, phaseWords, waitWords } from './progress-words.ts';
import {
  finishedFraction,
  hasProgress,
  latestSample,
  millisecondsLeft,
  type PhaseState,
  type ProgressState,
  rowsPerSecond,
  workedMs,
} from './state.ts';

const LONGEST_BAR = 40;
const SHORTEST_BAR = 10;
const BYTES_COUNT = '1,000,000 rows'.length;
const QUIET_MS = 10_000;

/** The progress line: label, bar, percentage, counts. At least one column of the terminal stays free. */
export function barLine(state: PhaseState, style: Style): string {
  const room = (style.columns ?? 80) - 1;
  const label = `  ${phaseLabel(state).padEnd(LABEL_WIDTH)}`;
  const part = finishedFraction(state);
  const counts = steadyCounts(state);
  if (part === undefined) {
    return shorten(`${label}${latestSample(state).done > 0 ? doneOfTotalWords(state) : '…'}`, room);
  }
  const percent = `${Math.floor(part * 100)}%`.padStart(5);
  const tail = room - label.length - percent.length - counts.length - 2 >= SHORTEST_BAR ? `  ${counts}` : '';
  const length = Math.min(LONGEST_BAR, room - label.length - percent.length - tail.length);
  return length < SHORTEST_BAR ? shorten(label + percent, room) : label + bar(part, length, style) + percent + tail;
}

const INDENT = ' '.repeat(LABEL_WIDTH + 2);

/** The line below the bar after the first Ctrl-C. It shows the user that svc noticed the key (D4). */
export function stoppingLine(style: Style): string {
  return indentText('stopping; Ctrl-C again leaves at once', (style.columns ?? 80) - 1);
}

/** The line below the bar: speed, time left and elapsed time, the reason of a wait, or how long nothing happened. */
export function statusLine(state: ProgressState, { monotonic: now, wall }: Moment, style: Style): string {
  const room = (style.columns ?? 80) - 1;
  const waits = state.wait ? state.wait.until - now : 0;
  if (state.wait && waits > 0) {
    return indentText(longestFitting(waitTexts(waitWords(state.wait, waits), { waits, wall }), room), room);
  }
  const silent = now - state.lastEventAt;
  if (silent >= QUIET_MS) {
    return style.dim(indentText(`nothing new for ${formatDuration(silent)}`, room));
  }
  if (!state.currentPhase) {
    return '';
  }
  const elapsed = `elapsed ${formatDuration(now - state.currentPhase.startedAt)}`;
  const words = [paceWords(state.currentPhase, workedMs(state, now)), elapsed];
  return style.dim(indentText(words.filter((word) => word !== '').join(', '), room));
}

/** A text such as `742 of 1,200 rows`, or `742 rows` if the total is unknown. */
export function doneOfTotalWords(state: PhaseState): string {
  const { unit } = phaseWords(state.phase);
  const { done, rows } = latestSample(state);
  // The service may have more objects than svc expected, because other programs write too. Then no total is shown.
  return state.unit === 'rows' && state.total !== undefined && done <= state.total
    ? `${formatNumber(done)} of ${plural(state.total, unit)}`
    : plural(rows, unit);
}

// The counts, with the same width during the whole phase, so that the bar does not move.
function steadyCounts(state: PhaseState): string {
  const { unit } = phaseWords(state.phase);
  return doneOfTotalWords(state).padStart(
    state.unit === 'rows'
      ? `${formatNumber(state.total ?? 0)} of ${plural(state.total ?? 0, unit)}`.length
      : BYTES_COUNT,
  );
}

/**
 * A text such as `310 rows/s, about 2 s left`, after `work` milliseconds of work. Empty until there are enough samples.
 */
export function paceWords(state: PhaseState, work: number): string {
  const pace = rowsPerSecond(state);
  const msLeft = millisecondsLeft(state, work);
  const words = [
    pace === undefined || pace < 1 ? undefined : `${formatNumber(Math.round(pace))} ${phaseWords(state.phase).unit}s/s`,
    msLeft === undefined || msLeft < 1000 ? undefined : `about ${formatDuration(msLeft)} left`,
  ];
  return words.filter((word) => word !== undefined).join(', ');
}

function bar(part: number, length: number, style: Style): string {
  const filled = Math.floor(part * length);
  return '━'.repeat(filled) + style.dim('·'.repeat(length - filled));
}

// The texts about a wait, the longest first. Only a long wait says when it ends.
function waitTexts(words: string, { waits, wall }: { waits: number; wall: number }): readonly string[] {
  const timed = `${words} (until ${formatUtcTimeOfDay(wall + waits)})`;
  return waits >= QUIET_MS ? [timed, words] : [words];
}

function longestFitting(texts: readonly string[], room: number): string {
  return texts.find((text) => `  ${text}`.length <= room) ?? texts.at(-1) ?? '';
}

// Indents a text. A narrow terminal gets less indentation, so that more of the text is readable.
function indentText(text: string, room: number): string {
  return shorten(INDENT.length + text.length <= room ? INDENT + text : `  ${text}`, room);
}

/** True if a phase leaves a line when it ends: it counted something, and is no short phase such as `copy`. */
export function hasEndLine(state: PhaseState): boolean {
  const size = state.unit === 'rows' ? (state.total ?? latestSample(state).done) : latestSample(state).done;
  return phaseWords(state.phase).endsWithLine && size > 0;
}

/** The line that a phase leaves when it ends: its result, its duration, and whether it finished. */
export function endLine(state: PhaseState, end: { now: number; next: Phase | undefined }, style: Style): string {
  const mark = hasPhaseFinished(state, end.next) ? style.green('✓') : style.magenta('■');
  const took = style.dim(`, ${formatDuration(end.now - state.startedAt)}`);
  return `${mark} ${phaseLabel(state).padEnd(LABEL_WIDTH)}${endWords(state, end.next)}${took}`;
}

/** A text such as `1,200 rows`, or `742 of 1,200 rows, 61%` for a phase that did not finish. */
export function endWords(state: PhaseState, next: Phase | undefined): string {
  const part = finishedFraction(state);
  if (hasPhaseFinished(state, next)) {
    return plural(hasProgress(state) ? latestSample(state).rows : (state.total ?? 0), phaseWords(state.phase).unit);
  }
  return part === undefined ? doneOfTotalWords(state) : `${doneOfTotalWords(state)}, ${Math.floor(part * 100)}%`;
}

/**
 * True if a phase reached its total. A phase that counts no rows, or has no total, has finished if another phase
 * follows. `report` and `done` prove nothing, because they also follow a failed phase.
 */
export function hasPhaseFinished(state: PhaseState, next: Phase | undefined): boolean {
  const countsRows = state.unit === 'rows' && state.total !== undefined && hasProgress(state);
  const hasNext = next !== undefined && next !== 'report' && next !== 'done';
  return finishedFraction(state) === 1 || (!countsRows && hasNext);
}

/**
 * The present moment on two clocks, in milliseconds. Durations are measured on the monotonic clock. The wall clock
 * gives the time of day (P7).
 */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

/**
 * One line that says what the command does or waits for: `waiting for the service: GET /v1/audiences, page 12, 45 s`.
 * Undefined if it does nothing. Times in `state` are on the monotonic clock.
 */
export function heartbeatLine(state: ProgressState, { monotonic: now, wall }: Moment): string | undefined {
  const why = whyWords(state, { monotonic: now, wall });
  const { currentPhase } = state;
  if (!currentPhase) {
    return why && terminalSafe(why);
  }
  const part = finishedFraction(currentPhase);
  const percent = part === undefined ? '' : `, ${Math.floor(part * 100)}%`;
  const rest = why ?? `at work for ${formatDuration(now - currentPhase.startedAt)}`;
  return terminalSafe(`${phaseLabel(currentPhase)}: ${doneOfTotalWords(currentPhase)}${percent}; ${rest}`);
}

function whyWords(
  { wait, pendingRequests, uncountedWork }: ProgressState,
  { monotonic: now, wall }: Moment,
): string | undefined {
  const [asked] = pendingRequests;
  if (asked) {
    const number = asked.page === undefined || asked.attempt > 1 ? '' : `, page ${asked.page}`;
    const attempt = asked.attempt > 1 ? `, attempt ${asked.attempt}` : '';
    const time = formatDuration(now - asked.since);
    return `waiting for the service: ${asked.method} ${asked.path}${number}${attempt}, ${time}`;
  }
  if (wait && wait.until > now) {
    return `${waitWords(wait, wait.until - now)} (until ${formatUtcTimeOfDay(wall + wait.until - now)})`;
  }
  return uncountedWork && `${uncountedWork.what}, ${formatDuration(now - uncountedWork.since)}`;
}
