import type { Finding, Survey } from '../../import/survey/survey-types.ts';
import type { ImportOptions } from '../options.ts';
import type { AccountSnapshot } from '../prepare/account-snapshot.ts';

/** What a check may judge by: the list, the account (undefined where it was not asked), and the user's answers. */
export interface CheckContext {
  readonly survey: Survey;
  readonly facts: AccountSnapshot | undefined;
  /** Why the account was not asked, where something kept us from it. */
  readonly unasked?: string | undefined;
  readonly options: ImportOptions;
  /** People not yet in the target, counted exactly where the plan cap made it matter. */
  readonly newPeople: number | undefined;
  /** Attribute keys of the list that the target doesn't show yet. */
  readonly newFields: readonly string[];
  /** A finished run of the same list to the same place. */
  readonly finishedBefore?: string | undefined;
  /** True when the target audience is still to be created. */
  readonly creates: boolean;
}

/** What a check says that needs the account where it was not asked. */
export function skippedCheck(check: string, { unasked = 'no URL or no key' }: Pick<CheckContext, 'unasked'>): Finding {
  return { check, level: 'skipped', message: `the account was not asked: ${unasked}` };
}
