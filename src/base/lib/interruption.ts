import { EXIT, type ExitCode } from './exit.ts';

/** Why the signal of the context aborted. `exit` is the exit code for it. */
export interface Interruption {
  readonly kind: 'interruption';
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP';
  readonly exit: ExitCode;
}

const EXITS = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: EXIT.hangup } as const;

/** The abort reason for the signal of the context. */
export function interruption(signal: Interruption['signal']): Interruption {
  return { kind: 'interruption', signal, exit: EXITS[signal] };
}

/** The interruption that aborted the signal. Undefined if there was none. */
export function interruptionOf(signal: AbortSignal): Interruption | undefined {
  const reason: unknown = signal.reason;
  return signal.aborted && isInterruption(reason) ? reason : undefined;
}

/** What stopped the program, as a message. */
export function stoppedText(signal: Interruption['signal'] | undefined): string {
  return signal === 'SIGINT' ? 'stopped with Ctrl-C' : `stopped by ${signal ?? 'a signal'}`;
}

function isInterruption(value: unknown): value is Interruption {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'interruption';
}
