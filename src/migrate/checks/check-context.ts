import type { Finding } from '../../base/finding.ts';
import { skippedCheckMessage } from '../../base/skipped-checks.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import type { ImportOptions } from '../../run-lifecycle/data/run-options.ts';
import type { EarlierImport } from '../../runs/find/earlier-import.ts';
import type { ReplacedAudience } from '../../runs/find/same-audience.ts';
import type { RunSummary } from '../../runs/find/summarize-run.ts';
import type { AccountSnapshot } from '../account/account-snapshot.ts';
import type { ChangeCounts } from '../contact-ledger/change-counts.ts';

interface LostLedgerHints {
  /** How the user continues, as whole commands. */
  readonly goOn: string;
  /** How to find the people who left the list before the ledger was lost. */
  readonly leavers: string;
}

/** What a check of the plan may look at. */
export interface CheckContext {
  readonly survey: Survey;
  /** What svc read from the account. Undefined if the account was not queried. */
  readonly snapshot: AccountSnapshot | undefined;
  /** Why the account was not queried, if a problem prevented it. */
  readonly accountProblem: string | undefined;
  readonly options: ImportOptions;
  /** When the run began, in milliseconds since the epoch. The later clock counts: the machine's or the service's. */
  readonly startedAt: number;
  /**
   * The number of people of the list who are not in the audience yet. Undefined if svc did not count them, because the
   * check of the free plan does not need their number.
   */
  readonly newPeople: number | undefined;
  /** Attribute keys of the list that no contact on the first page of the audience has. */
  readonly newFields: readonly string[];
  /** A finished run that imported this list, or an earlier version of it, to the same destination. */
  readonly earlierImport: EarlierImport | undefined;
  /** The unfinished runs that would write another list to this audience. */
  readonly unfinishedLists: readonly RunSummary[];
  /** True if the audience must still be created. */
  readonly createsAudience: boolean;
  /** How the list differs from what the audience last accepted. Undefined without --only-changed, --full and --gone. */
  readonly ledgerCounts: ChangeCounts | undefined;
  /**
   * The id of another audience with the same name, to which this machine last sent a list with --only-changed, --full
   * or --gone.
   */
  readonly earlierAudience: string | undefined;
  /** Another audience of the same name, to which this machine last sent a list. Undefined if there is none. */
  readonly replacedAudience: ReplacedAudience | undefined;
  /** What the user can do about a lost ledger. Undefined if it is not lost. */
  readonly lostLedgerHints: LostLedgerHints | undefined;
  /** The command that compares the list with the audience. Undefined if there is no audience yet. */
  readonly checkCommand: string | undefined;
  /** The typed command with --full. Undefined if flags can't be added to it. */
  readonly fullCommand: string | undefined;
}

/** The finding for a check that was skipped, because the run has no account or could not read it. */
export function skippedCheck(check: string, { accountProblem }: Pick<CheckContext, 'accountProblem'>): Finding {
  return { check, level: 'skipped', message: skippedCheckMessage(accountProblem) };
}
