import { EXIT, type ExitCode } from './exit.ts';

/** Why the context's signal aborted. `exit` is the exit code of that signal. */
export interface Interruption {
  readonly kind: 'interruption';
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP';
  readonly exit: ExitCode;
}

const EXITS = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: EXIT.hangup } as const;

/** The reason to abort the context's signal with. */
export function interruption(signal: Interruption['signal']): Interruption {
  return { kind: 'interruption', signal, exit: EXITS[signal] };
}

/** The interruption behind an aborted signal; undefined while nobody interrupted. */
export function interruptionOf(signal: AbortSignal): Interruption | undefined {
  const reason: unknown = signal.reason;
  return signal.aborted && isInterruption(reason) ? reason : undefined;
}

function isInterruption(value: unknown): value is Interruption {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'interruption';
}
