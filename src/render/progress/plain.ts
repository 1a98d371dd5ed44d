import type { Phase, RunEvent } from '../../base/events.ts';
import { formatDuration } from '../../base/lib/duration.ts';
import { plural, safe } from '../../base/lib/text.ts';
import type { ProgressHandle, ProgressOptions } from './handle.ts';
import { countWords, endWords, hasEndLine, hasFinished, paceWords } from './lines.ts';
import { advance, fraction, initialProgress, type PhaseState, workedMs } from './state.ts';
import { phaseLabel, phaseWords, requestLine, waitWords } from './words.ts';

const MIN_INTERVAL_MS = 10_000;
const MIN_WAIT_MS = 5_000;

/**
 * Progress for logs: a line when a phase begins and ends, and between them a line for each tenth, at most one in 10 s.
 * `silent` leaves only the request lines of --verbose.
 */
export function createPlainProgress(
  options: Pick<ProgressOptions, 'stderr' | 'clock' | 'verbose'> & { readonly silent: boolean },
): ProgressHandle {
  const { stderr, clock, verbose, silent } = options;
  let state = initialProgress(clock.monotonic());
  let lastLineAt = Number.NEGATIVE_INFINITY;
  let lastTenth = 0;
  let reportedWaitUntil = 0;
  let lastCause: string | undefined;

  const writeLine = (text: string) => {
    if (!silent) {
      stderr.write(`${text}\n`);
    }
  };
  const endPhase = (next: Phase | undefined) => {
    if (state.current && hasEndLine(state.current)) {
      writeLine(endText(state.current, { now: clock.monotonic(), next }));
    }
  };
  const beginPhase = (current: PhaseState) => {
    lastLineAt = clock.monotonic();
    lastTenth = 0;
    if (phaseWords(current.phase).endsWithLine && current.total !== 0) {
      writeLine(startText(current));
    }
  };
  const writeProgress = (current: PhaseState) => {
    const since = clock.monotonic() - lastLineAt;
    const tenth = Math.floor((fraction(current) ?? 0) * 10);
    if (tenth < 10 && since >= MIN_INTERVAL_MS && tenth > lastTenth) {
      lastLineAt = clock.monotonic();
      lastTenth = tenth;
      writeLine(progressText(current, workedMs(state, clock.monotonic())));
    }
  };
  const writeWait = (event: Extract<RunEvent, { type: 'wait' }>) => {
    const until = clock.monotonic() + event.ms;
    const isNewCause = event.cause !== undefined && event.cause !== lastCause;
    if (isNewCause || until - Math.max(clock.monotonic(), reportedWaitUntil) >= MIN_WAIT_MS) {
      reportedWaitUntil = until;
      lastCause = event.cause;
      writeLine(waitWords(event, event.ms));
    }
  };

  const emit = (event: RunEvent) => {
    if (event.type === 'phase') {
      endPhase(event.phase);
    } else if (event.type === 'wait') {
      writeWait(event);
    } else if (event.type === 'note') {
      writeLine(`note: ${safe(event.message)}`);
    } else if (event.type === 'request' && verbose) {
      stderr.write(`${requestLine(event)}\n`);
    }
    const previous = state.current;
    state = advance(state, event, clock.monotonic());
    if (!state.current) {
      return;
    }
    if (event.type === 'phase' || previous?.phase !== state.current.phase) {
      beginPhase(state.current);
    } else if (event.type === 'progress') {
      writeProgress(state.current);
    }
  };

  return {
    emit,
    pause: () => undefined,
    resume: () => undefined,
    stop: () => {
      endPhase(undefined);
      state = initialProgress(clock.monotonic());
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
  const ending = hasFinished(state, next) ? 'done' : 'not finished';
  const took = formatDuration(now - state.startedAt);
  return `${phaseLabel(state)}: ${ending}, ${endWords(state, next)}, ${took}`;
}
