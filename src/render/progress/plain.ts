import type { OutputStream } from '../../base/context.ts';
import type { Phase, RunEvent } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { formatDuration, formatLogTime } from '../../base/lib/duration.ts';
import { plural, terminalSafe } from '../../base/lib/text.ts';
import { doneOfTotalWords, endWords, hasEndLine, hasPhaseFinished, paceWords } from './lines.ts';
import { phaseLabel, phaseWords, requestLine, waitWords } from './progress-words.ts';
import {
  advanceProgress,
  finishedFraction,
  initialProgress,
  latestSample,
  type PhaseState,
  workedMs,
} from './state.ts';

const MIN_INTERVAL_MS = 10_000;
const MIN_WAIT_MS = 5_000;

interface PlainOptions {
  readonly stderr: Pick<OutputStream, 'write'>;
  readonly clock: Clock;
  readonly verbose: boolean;
  /** True to write nothing but the request lines of `--verbose`. */
  readonly isSilent?: boolean;
  /**
   * True to write a line at the start and the end of every phase, as a log file needs. By default short phases get
   * none.
   */
  readonly showsEveryPhase?: boolean;
}

/**
 * Writes progress as lines with a time, for output that is not a terminal. A phase gets a line for each tenth of its
 * work, but at most one line every 10 s. It gets a line at its end if it took 10 s or did not finish. So a short run in
 * cron writes nothing.
 */
export function createPlainProgress(options: PlainOptions) {
  const { stderr, clock, verbose, isSilent = false, showsEveryPhase = false } = options;
  let state = initialProgress(clock.monotonic());
  let lastLineAt = Number.NEGATIVE_INFINITY;
  let lastTenth = 0;
  let reportedWaitUntil = 0;
  let lastCause: string | undefined;

  const writeLine = (text: string) => {
    if (!isSilent) {
      stderr.write(`${formatLogTime(clock.now())} ${text}\n`);
    }
  };
  const endPhase = (next: Phase | undefined) => {
    const { currentPhase } = state;
    if (!currentPhase || !hasEndLine(currentPhase)) {
      return;
    }
    const isLong = clock.monotonic() - currentPhase.startedAt >= MIN_INTERVAL_MS;
    if (showsEveryPhase || isLong || !hasPhaseFinished(currentPhase, next)) {
      writeLine(endText(currentPhase, { now: clock.monotonic(), next }));
    }
  };
  const beginPhase = (current: PhaseState) => {
    lastLineAt = clock.monotonic();
    lastTenth = 0;
    if (showsEveryPhase && phaseWords(current.phase).endsWithLine && current.total !== 0) {
      writeLine(startText(current));
    }
  };
  const writeProgress = (current: PhaseState) => {
    const since = clock.monotonic() - lastLineAt;
    const tenth = Math.floor((finishedFraction(current) ?? 0) * 10);
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
      writeLine(`note: ${terminalSafe(event.message)}`);
    } else if (event.type === 'request' && verbose) {
      stderr.write(`${formatLogTime(clock.now())} ${requestLine(event)}\n`);
    }
    const previous = state.currentPhase;
    state = advanceProgress(state, event, clock.monotonic());
    if (!state.currentPhase) {
      return;
    }
    if (event.type === 'phase' || previous?.phase !== state.currentPhase.phase) {
      beginPhase(state.currentPhase);
    } else if (event.type === 'progress') {
      writeProgress(state.currentPhase);
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
  if (state.unit !== 'rows' || state.total === undefined) {
    return `${label}: started`;
  }
  const isContinued = latestSample(state).done > 0;
  return `${label}: ${isContinued ? doneOfTotalWords(state) : plural(state.total, phaseWords(state.phase).unit)}`;
}

function progressText(state: PhaseState, work: number): string {
  const part = finishedFraction(state);
  const words = [
    doneOfTotalWords(state),
    part === undefined ? '' : `${Math.floor(part * 100)}%`,
    paceWords(state, work),
  ];
  return `${phaseLabel(state)}: ${words.filter((word) => word !== '').join(', ')}`;
}

function endText(state: PhaseState, { now, next }: { now: number; next: Phase | undefined }): string {
  const ending = hasPhaseFinished(state, next) ? 'done' : 'not finished';
  const took = formatDuration(now - state.startedAt);
  return `${phaseLabel(state)}: ${ending}, ${endWords(state, next)}, ${took}`;
}
