import { type ExitCode, SvcError } from '../../base/lib/errors.ts';

/** An SvcError as plain data. A thread posts it, because a thread can't throw an error of a class in another thread. */
export interface ThreadProblem {
  readonly kind: 'problem';
  readonly exit: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** The plain data of an SvcError. Throws any other error, which ends the thread. */
export function problemOf(error: unknown): ThreadProblem {
  if (!(error instanceof SvcError)) {
    throw error;
  }
  const { exit, code, message, hint } = error;
  return { kind: 'problem', exit, code, message, ...(hint !== undefined && { hint }) };
}

/** The error that `problemOf` has turned into plain data. */
export function errorOfProblem({ exit, code, message, hint }: ThreadProblem): SvcError {
  return new SvcError(exit, code, message, { hint });
}
