import type { Finding } from '../../import/survey/finding.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import type { ChangeCounts } from '../contact-ledger/compare-ledger.ts';
import type { ImportOptions } from '../options.ts';
import type { AccountSnapshot } from '../prepare/account-snapshot.ts';

/** The input of a check: the list, the account (undefined if it was not queried), and the options. */
export interface CheckContext {
  readonly survey: Survey;
  readonly snapshot: AccountSnapshot | undefined;
  /** Why the account was not queried, if a problem prevented it. */
  readonly notAskedBecause?: string | undefined;
  readonly options: ImportOptions;
  /** People who are not yet in the target. Counted exactly if the plan cap depends on it. */
  readonly newPeople: number | undefined;
  /** Attribute keys of the list that the target does not show yet. */
  readonly newFields: readonly string[];
  /** A finished run of the same list and destination. */
  readonly finishedBefore?: string | undefined;
  /** True if the target audience must still be created. */
  readonly creates: boolean;
  /** What the ledger says about the list, with --only-changed. */
  readonly changes?: ChangeCounts | undefined;
}

export function skippedCheck(check: string, { notAskedBecause }: Pick<CheckContext, 'notAskedBecause'>): Finding {
  const message =
    notAskedBecause === undefined
      ? 'the account was not asked: no URL or no key'
      : `the account could not be read: ${notAskedBecause}`;
  return { check, level: 'skipped', message };
}

/** The number of checks that a dry run did not make, because there is no account or it could not be read. */
export function uncheckedAccount({ findings }: { readonly findings: readonly Finding[] }): number {
  return findings.filter(({ level, message }) => level === 'skipped' && message.startsWith('the account ')).length;
}
