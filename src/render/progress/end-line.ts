import type { Phase } from '../../base/events.ts';
import { formatDuration } from '../../base/lib/duration.ts';
import { plural } from '../../base/lib/text.ts';
import type { Style } from '../text/style.ts';
import { phaseLabel, phaseWords } from './phase-words.ts';
import { countWords, LABEL_WIDTH } from './progress-line.ts';
import { fraction, heardOf, latest, type PhaseState } from './progress-state.ts';

/** True for a phase that did something worth a line of its own. */
export function leavesLine(state: PhaseState): boolean {
  const size = state.unit === 'rows' ? (state.total ?? latest(state).done) : latest(state).done;
  return phaseWords(state.phase).kept && size > 0;
}

/** The line that a phase leaves behind when `next` begins, or nothing does: what was done, how long it took, if it was cut short. */
export function endLine(state: PhaseState, end: { now: number; next: Phase | undefined }, style: Style): string {
  const mark = isWhole(state, end.next) ? style.green('✓') : style.yellow('■');
  const took = style.dim(`, ${formatDuration(end.now - state.startedAt)}`);
  return `${mark} ${phaseLabel(state).padEnd(LABEL_WIDTH)}${endWords(state, end.next)}${took}`;
}

/** `1,200 rows`, or `742 of 1,200 rows, 61%` of a phase cut short. */
export function endWords(state: PhaseState, next: Phase | undefined): string {
  const part = fraction(state);
  if (isWhole(state, next)) {
    return plural(heardOf(state) ? latest(state).rows : (state.total ?? 0), phaseWords(state.phase).unit);
  }
  return part === undefined ? countWords(state) : `${countWords(state)}, ${Math.floor(part * 100)}%`;
}

/**
 * True when a phase came to its end: its whole is done, or what it doesn't count gave way to more work. The report is no
 * proof, for it follows a failure too.
 */
export function isWhole(state: PhaseState, next: Phase | undefined): boolean {
  const countsRows = state.unit === 'rows' && state.total !== undefined && heardOf(state);
  return fraction(state) === 1 || (!countsRows && wentOn(next));
}

function wentOn(next: Phase | undefined): boolean {
  return next !== undefined && next !== 'report' && next !== 'done';
}
