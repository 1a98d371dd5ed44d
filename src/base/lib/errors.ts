import { shellFlag } from './text.ts';

/** The exit codes. Scripts depend on them, so they never change (docs/guide/output.md). */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  partial: 3,
  auth: 4,
  refused: 5,
  busy: 6,
  stopped: 7,
  unverified: 8,
  bug: 70,
  later: 75,
  hangup: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

// The order of precedence: if several exit codes apply, the first of them in this list is used.
const PRECEDENCE: readonly number[] = [70, 129, 130, 143, 4, 7, 75, 1, 8, 3, 2, 5, 6, 0];

/**
 * Details of a problem. `hint` is a command or a sentence that helps. `requestId` is the id that the service gave to
 * the request.
 */
export interface ErrorDetails {
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  readonly requestId?: string | undefined;
  /** True if the command has printed the problem already, so that cli.ts does not print it again. */
  readonly isPrinted?: boolean;
}

/**
 * A problem that ends a command. It is thrown where its cause is known, and cli.ts prints it. `code` names the cause in
 * snake_case (`plan_limit_reached`), never the action that failed. A problem of one row is a value and no exception.
 */
export class SvcError extends Error {
  readonly exit: ExitCode;
  readonly code: string;
  readonly hint: string | undefined;
  readonly requestId: string | undefined;
  readonly isPrinted: boolean;

  constructor(exit: ExitCode, code: string, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'SvcError';
    this.exit = exit;
    this.code = code;
    this.hint = details.hint;
    this.requestId = details.requestId;
    this.isPrinted = details.isPrinted === true;
  }
}

/** The exit code to use if several of them apply. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  return [...codes, EXIT.ok].sort((a, b) => PRECEDENCE.indexOf(a) - PRECEDENCE.indexOf(b))[0] as ExitCode;
}

/** An error of the command line: a flag or an argument is missing, or is wrong. */
export function badUsage(message: string, hint?: string): SvcError {
  return new SvcError(EXIT.usage, 'usage', message, { hint });
}

/**
 * A line of a hint that means: the typed line without these flags. To also add flags, append ` with ` and the flags as
 * shell text. svc turns the line into a whole command to paste.
 */
export function withoutFlags(flags: readonly string[]): string {
  return `without ${flags.join(' ')}`;
}

/**
 * A line of a hint that means: the typed line without one pair, such as `City=ignore`, of a flag that takes several
 * pairs. `replacement` is the pair to put in its place. svc turns the line into a whole command to paste. If the user
 * did not type the pair, svc leaves the line out, or says to change the file of --mapping.
 */
export function withoutPair(flag: string, pair: string, replacement?: string): string {
  const added = replacement === undefined ? '' : ` with ${shellFlag(flag, replacement)}`;
  return withoutFlags([shellFlag(flag, pair)]) + added;
}

/**
 * A copy of a problem with another exit code, code, message or hint. The `cause` of the copy is the original problem.
 */
export function rewordError(
  error: SvcError,
  { exit = error.exit, code = error.code, message = error.message, hint = error.hint }: Rewording,
): SvcError {
  const { requestId, isPrinted } = error;
  return new SvcError(exit, code, message, { hint, cause: error, requestId, isPrinted });
}

type Rewording = Partial<Pick<SvcError, 'exit' | 'code' | 'message' | 'hint'>>;

/**
 * Turns an unexpected exception into an SvcError that reports a bug of svc. Its hint has the stack, for maintainers.
 */
export function toBugError(error: unknown): SvcError {
  const stack = error instanceof Error ? error.stack : undefined;
  return new SvcError(EXIT.bug, 'bug', `this is a bug in svc: ${errorMessage(error)}`, { hint: stack, cause: error });
}

/** The code of an error of the operating system, such as `ENOENT`. Empty if there is none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The message of an error, or of any other value that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
