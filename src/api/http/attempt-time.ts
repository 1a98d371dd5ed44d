import type { Clock } from '../../base/lib/clock.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';

/** The time limit of one attempt, in milliseconds (I5). */
export const MAX_ATTEMPT_MS = 2 * 60_000;

/** How long an attempt in flight may continue after the first Ctrl-C or SIGTERM, in milliseconds (D4). */
export const INTERRUPTED_GRACE_MS = 10_000;

const ENDED = 'the attempt has ended';

/** The time limit of an attempt, and how long it may continue once the signal aborts, both in milliseconds. */
export interface AttemptTime {
  readonly limitMs: number;
  readonly graceMs: number;
}

/**
 * Runs one attempt. `run` gets a signal that aborts at the time limit, or `graceMs` after `signal` has aborted. Always
 * waits until `run` has ended, so that two attempts never overlap (I5).
 */
export async function runWithTimeLimit<T>(
  run: (signal: AbortSignal) => Promise<T>,
  { limitMs, graceMs }: AttemptTime,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<T> {
  const closer = new AbortController();
  const ended = new AbortController();
  // Makes the reason only when the attempt is closed. An error collects its stack, which would cost time in each of
  // many attempts.
  const closeAfter = (ms: number, createReason: () => SvcError) => {
    clock.sleep(ms, ended.signal).then(
      () => closer.abort(createReason()),
      () => {},
    );
  };
  const stop = () =>
    closeAfter(graceMs, () => new SvcError(EXIT.failed, 'interrupted', 'stopped before the response arrived'));
  closeAfter(
    limitMs,
    () => new SvcError(EXIT.failed, 'timeout', `no response within ${Math.round(limitMs / 1_000)} s`),
  );
  if (signal?.aborted) {
    stop();
  } else {
    signal?.addEventListener('abort', stop, { once: true });
  }
  try {
    return await run(closer.signal);
  } finally {
    signal?.removeEventListener('abort', stop);
    ended.abort(ENDED);
  }
}
