import { EXIT, type ExitCode } from './exit.ts';

/** What to say beside a problem: a line that can be typed next, the origin, and the service's request id. */
export interface ErrorDetails {
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  readonly requestId?: string | undefined;
}

/**
 * A problem of a whole run. Thrown where the cause is known, caught once in cli.ts. `code` names the cause in
 * snake_case (`plan_limit_reached`), never the verb that failed. A problem of one row is a value, not an exception.
 */
export class SvcError extends Error {
  readonly exit: ExitCode;
  readonly code: string;
  readonly hint: string | undefined;
  readonly requestId: string | undefined;

  constructor(exit: ExitCode, code: string, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'SvcError';
    this.exit = exit;
    this.code = code;
    this.hint = details.hint;
    this.requestId = details.requestId;
  }
}

/** An exception that nobody expected, as the problem it is: a bug of ours, with the stack for whoever mends it. */
export function bugOf(error: unknown): SvcError {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  return new SvcError(EXIT.bug, 'bug', `this is a bug in svc: ${message}`, { hint: stack, cause: error });
}
