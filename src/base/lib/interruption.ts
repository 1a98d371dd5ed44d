import { EXIT, type ExitCode, errorMessage, SvcError } from './errors.ts';

/** The reason of an abort after a signal of the operating system. `exit` is the exit code of the process. */
export interface Interruption {
  readonly kind: 'interruption';
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP';
  readonly exit: ExitCode;
}

const EXITS = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: EXIT.hangup } as const;

/** Makes the abort reason that main.ts sets after a signal of the operating system. */
export function createInterruption(signal: Interruption['signal']): Interruption {
  return { kind: 'interruption', signal, exit: EXITS[signal] };
}

/** The reason of the abort if it is an Interruption. Undefined for another reason, or if nothing was aborted. */
export function interruptionOf(signal: AbortSignal): Interruption | undefined {
  const reason: unknown = signal.reason;
  return signal.aborted && isInterruption(reason) ? reason : undefined;
}

const resumeLines = new WeakMap<AbortSignal, () => string | undefined>();

/**
 * Sets the line that svc prints after a second signal of the operating system, just before the process ends. It says
 * how to continue the work that `signal` stops. `line` is called only at that moment.
 */
export function setResumeLine(signal: AbortSignal, line: () => string | undefined): void {
  resumeLines.set(signal, line);
}

/** How to continue the work that `signal` stops. Undefined if no work began, or if its record can't be read. */
export function resumeLineOf(signal: AbortSignal): string | undefined {
  try {
    return resumeLines.get(signal)?.();
  } catch {
    return undefined;
  }
}

/** The error of a command that was stopped. `effect` says what became of its work, such as `nothing was sent`. */
export function interruptedError({ exit, signal }: Stop, effect?: string): SvcError {
  const stopped = stoppedText(signal);
  return new SvcError(exit, 'interrupted', effect === undefined ? stopped : `${stopped}: ${effect}`);
}

/**
 * Like an Interruption. `signal` is undefined if the abort has any other reason than a signal of the operating system.
 */
type Stop = Pick<Interruption, 'exit'> & { readonly signal: Interruption['signal'] | undefined };

/**
 * The error for work that ended because `signal` aborted: the reason of the abort if it is an SvcError, otherwise an
 * interruption.
 */
export function abortError(signal: AbortSignal): SvcError {
  const reason: unknown = signal.reason;
  return reason instanceof SvcError
    ? reason
    : interruptedError(interruptionOf(signal) ?? { exit: EXIT.interrupted, signal: undefined });
}

/**
 * The message of an error. Work that `signal` stops may throw the reason of the abort itself, which has no message.
 * Then the result says what stopped the work.
 */
export function messageOfFailure(error: unknown, signal: AbortSignal): string {
  return errorMessage(signal.aborted && error === signal.reason ? abortError(signal) : error);
}

/** The message that says what stopped the command. */
function stoppedText(signal: Interruption['signal'] | undefined): string {
  return signal === 'SIGINT' ? 'stopped with Ctrl-C' : `stopped by ${signal ?? 'a signal'}`;
}

function isInterruption(value: unknown): value is Interruption {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'interruption';
}
