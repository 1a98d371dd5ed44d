import type { Clock } from '../../base/lib/clock.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';

/** How long an attempt may take, and how long it may go on after the signal aborted. */
export interface AttemptTime {
  readonly limitMs: number;
  readonly graceMs: number;
}

/**
 * Runs one attempt with a signal of its own, which aborts when the time is over or when `signal` aborted and the grace
 * is over. Always waits for the attempt to end, so that two attempts never overlap (rule I5).
 */
export async function withinTime<T>(
  run: (signal: AbortSignal) => Promise<T>,
  { limitMs, graceMs }: AttemptTime,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<T> {
  const closer = new AbortController();
  const ended = new AbortController();
  const closeAfter = (ms: number, reason: unknown) => {
    clock.sleep(ms, ended.signal).then(
      () => closer.abort(reason),
      () => {},
    );
  };
  const stop = () => closeAfter(graceMs, new SvcError(EXIT.failed, 'interrupted', 'stopped before the answer came'));
  closeAfter(limitMs, new SvcError(EXIT.failed, 'timeout', `no answer within ${Math.round(limitMs / 1_000)} s`));
  if (signal?.aborted) {
    stop();
  } else {
    signal?.addEventListener('abort', stop, { once: true });
  }
  try {
    return await run(closer.signal);
  } finally {
    signal?.removeEventListener('abort', stop);
    ended.abort();
  }
}
