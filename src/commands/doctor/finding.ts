import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode, worstExit } from '../../base/lib/exit.ts';

/** `info` is worth knowing and needs nothing done; `stop` is why a command would fail. */
export type FindingLevel = 'pass' | 'info' | 'warn' | 'stop' | 'skipped';

/** What one look found. */
export interface DoctorFinding {
  readonly check: string;
  readonly level: FindingLevel;
  readonly message: string;
  readonly hint?: string | undefined;
  /** `error.code`, where a problem was met. */
  readonly code?: string | undefined;
  /** What a stop is worth as an exit code. */
  readonly exit_code?: ExitCode | undefined;
}

/** The exit code of the worst finding: a warning is 3, a stop is worth what its cause is. */
export function exitOf(findings: readonly DoctorFinding[]): ExitCode {
  return worstExit(
    findings.map(({ level, exit_code }) => {
      if (level === 'stop') {
        return exit_code ?? EXIT.failed;
      }
      return level === 'warn' ? EXIT.partial : EXIT.ok;
    }),
  );
}

/** A problem as a finding; what is no problem of a run is thrown on. */
export function findingOf(check: string, error: unknown): DoctorFinding {
  if (!(error instanceof SvcError)) {
    throw error;
  }
  const { message, hint, code, exit } = error;
  return { check, level: 'stop', message, hint, code, exit_code: exit };
}
