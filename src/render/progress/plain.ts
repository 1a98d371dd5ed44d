import type { Phase, RunEvent } from '../../base/events.ts';
import { formatDuration } from '../../base/lib/duration.ts';
import { plural, safe } from '../../base/lib/text.ts';
import type { ProgressHandle, ProgressOptions } from './handle.ts';
import { countWords, endWords, isWhole, leavesLine, paceWords } from './lines.ts';
import { advance, fraction, nothingYet, type PhaseState, workedMs } from './state.ts';
import { phaseLabel, phaseWords, requestLine, waitWords } from './words.ts';

const LEAST_MS = 10_000;
const WORTH_SAYING_MS = 5_000;

/**
 * Progress for logs: a line where a phase begins and ends, and in between one for each tenth, at most one in 10 s.
 * `silent` leaves the request lines of --verbose only.
 */
export function createPlainProgress(
  options: Pick<ProgressOptions, 'stderr' | 'clock' | 'verbose'> & { readonly silent: boolean },
): ProgressHandle {
  const { stderr, clock, verbose, silent } = options;
  let state = nothingYet(clock.monotonic());
  let saidAt = Number.NEGATIVE_INFINITY;
  let saidTenth = 0;
  let waitSaidUntil = 0;
  let causeSaid: string | undefined;

  const say = (text: string) => {
    if (!silent) {
      stderr.write(`${text}\n`);
    }
  };
  const endPhase = (next: Phase | undefined) => {
    if (state.current && leavesLine(state.current)) {
      say(endText(state.current, { now: clock.monotonic(), next }));
    }
  };
  const beginPhase = (current: PhaseState) => {
    saidAt = clock.monotonic();
    saidTenth = 0;
    if (phaseWords(current.phase).kept && current.total !== 0) {
      say(startText(current));
    }
  };
  const sayProgress = (current: PhaseState) => {
    const since = clock.monotonic() - saidAt;
    const tenth = Math.floor((fraction(current) ?? 0) * 10);
    if (tenth < 10 && since >= LEAST_MS && tenth > saidTenth) {
      saidAt = clock.monotonic();
      saidTenth = tenth;
      say(progressText(current, workedMs(state, clock.monotonic())));
    }
  };
  const sayWait = (event: Extract<RunEvent, { type: 'wait' }>) => {
    const until = clock.monotonic() + event.ms;
    const isNews = event.cause !== undefined && event.cause !== causeSaid;
    if (isNews || until - Math.max(clock.monotonic(), waitSaidUntil) >= WORTH_SAYING_MS) {
      waitSaidUntil = until;
      causeSaid = event.cause;
      say(waitWords(event, event.ms));
    }
  };

  const emit = (event: RunEvent) => {
    if (event.type === 'phase') {
      endPhase(event.phase);
    } else if (event.type === 'wait') {
      sayWait(event);
    } else if (event.type === 'note') {
      say(`note: ${safe(event.message)}`);
    } else if (event.type === 'request' && verbose) {
      stderr.write(`${requestLine(event)}\n`);
    }
    const before = state.current;
    state = advance(state, event, clock.monotonic());
    if (!state.current) {
      return;
    }
    if (event.type === 'phase' || before?.phase !== state.current.phase) {
      beginPhase(state.current);
    } else if (event.type === 'progress') {
      sayProgress(state.current);
    }
  };

  return {
    emit,
    pause: () => undefined,
    resume: () => undefined,
    stop: () => {
      endPhase(undefined);
      state = nothingYet(clock.monotonic());
    },
  };
}

function startText(state: PhaseState): string {
  const label = phaseLabel(state);
  const { unit } = phaseWords(state.phase);
  return state.unit === 'rows' && state.total !== undefined
    ? `${label}: ${plural(state.total, unit)}`
    : `${label}: started`;
}

function progressText(state: PhaseState, work: number): string {
  const part = fraction(state);
  const words = [countWords(state), part === undefined ? '' : `${Math.floor(part * 100)}%`, paceWords(state, work)];
  return `${phaseLabel(state)}: ${words.filter((word) => word !== '').join(', ')}`;
}

function endText(state: PhaseState, { now, next }: { now: number; next: Phase | undefined }): string {
  const verdict = isWhole(state, next) ? 'done' : 'not finished';
  const took = formatDuration(now - state.startedAt);
  return `${phaseLabel(state)}: ${verdict}, ${endWords(state, next)}, ${took}`;
}
