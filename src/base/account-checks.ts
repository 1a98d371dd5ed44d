/** The part of a finding that the functions below need. */
interface CheckResult {
  readonly level: string;
  readonly message: string;
}

/** How the message of a skipped check begins, if svc tried to read the account and could not. */
export const UNREADABLE_ACCOUNT = 'the account could not be read';

/**
 * The message of a check that needs the account and was skipped. `problem` says why svc could not read the account. It
 * is undefined if the run has no account.
 */
export function skippedCheckMessage(problem: string | undefined): string {
  return problem === undefined ? 'the account was not checked: no URL or no key' : `${UNREADABLE_ACCOUNT}: ${problem}`;
}

/** The number of checks that were skipped because there is no account, or because it could not be read. */
export function countSkippedAccountChecks(findings: readonly CheckResult[] = []): number {
  return findings.filter(({ level, message }) => level === 'skipped' && message.startsWith('the account ')).length;
}
