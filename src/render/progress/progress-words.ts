import type { Phase, RunEvent, WaitCause, WaitReason } from '../../base/events.ts';
import { formatDuration } from '../../base/lib/duration.ts';
import { formatNumber, terminalSafe } from '../../base/lib/text.ts';
import type { PhaseState } from './state.ts';

/**
 * The label of a phase, and the unit that it counts. `endsWithLine`: the phase leaves a line when it ends. On a
 * terminal, a finished phase leaves its line only if it `writes`, because the plan and the result show the other
 * phases.
 */
interface PhaseWords {
  readonly label: string;
  readonly unit: string;
  readonly endsWithLine: boolean;
  readonly writes?: true;
}

export function phaseWords(phase: Phase): PhaseWords {
  return PHASE_WORDS[phase];
}

/** The label of a phase. A survey that follows a survey is the `second read`. */
export function phaseLabel(state: Pick<PhaseState, 'phase' | 'isRepeat'>): string {
  return state.isRepeat && state.phase === 'survey' ? 'second read' : PHASE_WORDS[state.phase].label;
}

/** The width of the labels before the bar, in columns. Every label is shorter than this. */
export const LABEL_WIDTH = 14;

const PHASE_WORDS: Readonly<Record<Phase, PhaseWords>> = {
  copy: { label: 'copy', unit: 'byte', endsWithLine: false },
  survey: { label: 'survey', unit: 'row', endsWithLine: true },
  plan: { label: 'plan', unit: 'step', endsWithLine: false },
  suppressions: { label: 'suppressions', unit: 'row', endsWithLine: true, writes: true },
  first_batch: { label: 'first people', unit: 'row', endsWithLine: true },
  contacts: { label: 'contacts', unit: 'row', endsWithLine: true, writes: true },
  export: { label: 'export', unit: 'contact', endsWithLine: false },
  check: { label: 'audience', unit: 'contact', endsWithLine: true },
  enrollments: { label: 'enrollments', unit: 'row', endsWithLine: true, writes: true },
  verify: { label: 'verify', unit: 'check', endsWithLine: true },
  report: { label: 'report', unit: 'step', endsWithLine: false },
  done: { label: 'done', unit: 'step', endsWithLine: false },
};

/** A line with the reason of a wait. `ms` is how long the wait still takes. */
export function waitWords({ reason, cause, rate }: WaitCause, ms: number): string {
  if (rate !== undefined) {
    return `waiting ${formatDuration(ms)}: --rate ${formatNumber(rate)} is used up`;
  }
  const why = cause === undefined ? '' : `: ${terminalSafe(cause)}`;
  return `${WAIT_WORDS[reason](formatDuration(ms))}${why}`;
}

const WAIT_WORDS: Readonly<Record<WaitReason, (time: string) => string>> = {
  rate_limit: (time) => `waiting ${time} for the service's rate limit`,
  reserve: (time) => `waiting ${time} to leave requests to other programs`,
  retry: (time) => `waiting ${time} before trying again`,
  in_flight_elsewhere: (time) => `waiting ${time}: the service is still processing this request`,
  too_many_retries: (time) => `waiting ${time}: too many requests are failing`,
  lock: (time) => `waiting ${time} for the other run at this destination`,
};

/** A line for one attempt of a request: `POST /v1/… 200 312 ms req_… remaining 480 replayed`. Addresses are hidden. */
export function requestLine(event: Extract<RunEvent, { type: 'request' }>): string {
  const parts = [
    event.method,
    event.path.replace(ADDRESS, '<address>'),
    event.status === undefined ? 'no answer' : String(event.status),
    `${formatNumber(Math.round(event.ms))} ms`,
    event.requestId,
    event.remaining === undefined ? undefined : `remaining ${event.remaining}`,
    event.attempt > 1 ? `attempt ${event.attempt}` : undefined,
    event.replayed ? 'replayed' : undefined,
    event.problem,
  ];
  return terminalSafe(parts.filter((part) => part !== undefined && part !== '').join(' '));
}

// Matches an email address in a path, percent-encoded or not.
const ADDRESS = /(?<![^/?&=])[^/?&=]+(?:@|%40)[^/?&]+/gi;
