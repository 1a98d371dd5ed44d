import { formatDuration } from '../base/duration.ts';
import { plural } from '../base/text.ts';
import { phaseWords } from './phase-words.ts';
import { countWords, LABEL_WIDTH } from './progress-line.ts';
import { fraction, latest, type PhaseState } from './progress-state.ts';
import type { Style } from './style.ts';

/** True for a phase that did something worth a line of its own. */
export function leavesLine(state: PhaseState): boolean {
  return phaseWords(state.phase).kept && (state.total ?? latest(state).done) > 0;
}

/** The line that a phase leaves behind: what was done and how long it took, marked when it was cut short. */
export function endLine(state: PhaseState, end: { now: number; reached: boolean }, style: Style): string {
  const mark = isWhole(state, end.reached) ? style.green('✓') : style.yellow('■');
  const took = style.dim(`, ${formatDuration(end.now - state.startedAt)}`);
  return `${mark} ${phaseWords(state.phase).label.padEnd(LABEL_WIDTH)}${endWords(state, end.reached)}${took}`;
}

/** `1,200 rows`, or `742 of 1,200 rows, 61%` of a phase cut short. */
export function endWords(state: PhaseState, reached: boolean): string {
  const part = fraction(state);
  if (isWhole(state, reached)) {
    return plural(latest(state).rows, phaseWords(state.phase).unit);
  }
  return part === undefined ? countWords(state) : `${countWords(state)}, ${Math.floor(part * 100)}%`;
}

/** True when the run went on from here (`reached`) and, where the phase counts in rows, none is missing. */
export function isWhole(state: PhaseState, reached: boolean): boolean {
  return reached && (state.unit === 'bytes' || state.total === undefined || latest(state).done >= state.total);
}
