import { badUsage, EXIT, errorMessage, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';

const HINT = 'For any free port:\n--port 0';

/** Parses --port: a number from 0 (any free port) to 65535. Throws a usage error for any other text. */
export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw badUsage(`--port takes a number from 0 to 65535, not "${terminalSafe(text)}"`, HINT);
  }
  return port;
}

export function unusablePortError(host: string, port: number, cause: unknown): SvcError {
  // `cause` is an error of the emulator. The error of the operating system inside it says more.
  const root = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const message = `can't listen on ${terminalSafe(host)} port ${port}: ${terminalSafe(errorMessage(root))}`;
  return new SvcError(EXIT.usage, 'port_unusable', message, { hint: HINT, cause });
}

/** Resolves when the signal aborts. Commands that serve requests wait for it. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
