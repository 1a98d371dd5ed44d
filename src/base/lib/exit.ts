/** Exit codes. They are a frozen contract (docs/guide/output.md). */
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

// If several exit codes apply, the first one in this list wins.
const PRECEDENCE: readonly number[] = [70, 129, 130, 143, 4, 7, 75, 1, 8, 3, 2, 5, 6, 0];

/** Returns the exit code to report when several apply. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  return [...codes, EXIT.ok].sort((a, b) => PRECEDENCE.indexOf(a) - PRECEDENCE.indexOf(b))[0] as ExitCode;
}
