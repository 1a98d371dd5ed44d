import { badUsage, EXIT, errorMessage, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';

const HINT = 'For any free port:\n--port 0';

/** Parses --port: 0 (any port) to 65535. Anything else is a usage error. */
export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw badUsage(`--port takes a number from 0 to 65535, not "${terminalSafe(text)}"`, HINT);
  }
  return port;
}

export function unusablePortError(host: string, port: number, cause: unknown): SvcError {
  // The emulator wraps the error of the system as `cause`. The error of the system says more.
  const root = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const message = `can't listen on ${terminalSafe(host)} port ${port}: ${terminalSafe(errorMessage(root))}`;
  return new SvcError(EXIT.usage, 'port_unusable', message, { hint: HINT, cause });
}

/** Resolves when the signal aborts. A command that serves waits for this. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
