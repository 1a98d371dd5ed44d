import { formatDuration } from '../../base/lib/duration.ts';
import { safe } from '../../base/lib/text.ts';
import { countWords } from './lines.ts';
import { fraction } from './phase-state.ts';
import type { ProgressState } from './state.ts';
import { phaseLabel, waitWords } from './words.ts';

/**
 * One moment on both clocks, in milliseconds: the monotonic clock measures, the wall clock gives the time of day (P7).
 */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

/**
 * One line with the progress of a command and the reason of its wait: `waiting for the service: GET /v1/audiences, page
 * 12, 45 s`. Undefined if nothing is in progress. The times in the state are of the monotonic clock.
 */
export function heartbeatLine(state: ProgressState, { monotonic: now, wall }: Moment): string | undefined {
  const why = whyWords(state, { monotonic: now, wall });
  const { current } = state;
  if (!current) {
    return why && safe(why);
  }
  const part = fraction(current);
  const percent = part === undefined ? '' : `, ${Math.floor(part * 100)}%`;
  const rest = why ?? `at work for ${formatDuration(now - current.startedAt)}`;
  return safe(`${phaseLabel(current)}: ${countWords(current)}${percent}; ${rest}`);
}

function whyWords({ wait, open, doing }: ProgressState, { monotonic: now, wall }: Moment): string | undefined {
  const [asked] = open;
  if (asked) {
    const number = asked.page === undefined || asked.attempt > 1 ? '' : `, page ${asked.page}`;
    const attempt = asked.attempt > 1 ? `, attempt ${asked.attempt}` : '';
    const time = formatDuration(now - asked.since);
    return `waiting for the service: ${asked.method} ${asked.path}${number}${attempt}, ${time}`;
  }
  if (wait && wait.until > now) {
    return `${waitWords(wait, wait.until - now)} (until ${timeOfDay(wall + wait.until - now)})`;
  }
  return doing && `${doing.what}, ${formatDuration(now - doing.since)}`;
}

function timeOfDay(at: number): string {
  return `${new Date(at).toISOString().slice(11, 19)} UTC`;
}
