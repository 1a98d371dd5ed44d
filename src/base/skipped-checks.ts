/** The fields of a finding that these functions need. */
interface CheckResult {
  readonly level: string;
  readonly message: string;
}

/** The start of the message of a skipped check, if svc tried to read the account and failed. */
export const UNREADABLE_ACCOUNT = 'the account could not be read';

/**
 * The message of a check that was skipped because it needs the account. `problem` says why svc could not read the
 * account. It is undefined if the run has no account.
 */
export function skippedCheckMessage(problem: string | undefined): string {
  return problem === undefined ? 'the account was not checked: no URL or no key' : `${UNREADABLE_ACCOUNT}: ${problem}`;
}

/** The number of checks that were skipped because the run has no account, or because svc could not read it. */
export function countSkippedAccountChecks(findings: readonly CheckResult[] = []): number {
  return findings.filter(({ level, message }) => level === 'skipped' && message.startsWith('the account ')).length;
}
