import { isNotFound } from '../../api/http/api-error.ts';
import { getAudience, listAudiences } from '../../api/resources/audiences.ts';
import { isSameInstant } from '../../base/lib/clock.ts';
import { findUnfinishedMatchingRun, type MatchingRunQuery } from '../../runs/find/matching-run.ts';
import type { RunSummary } from '../../runs/find/summarize-run.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { readListedRun } from '../../runs/store/open-journal.ts';
import type { RunHeader } from '../../runs/store/run-header.ts';
import type { RunContext, WriteContext } from '../data/run-context.ts';

/**
 * An audience of the account to which a run wrote suppressions. It identifies the account, because such a run has no
 * destination. If another API key can read this audience, the key belongs to the same account, and may continue the run
 * (K4).
 */
interface AccountMark {
  readonly id: string;
  readonly createdAt: string;
}

const ACCOUNT_AUDIENCE_NOTE = 'account_audience';

/**
 * Records an audience of the account, if the run has not recorded one yet. Never throws, because only a resume with
 * another API key needs this record.
 */
export async function recordAccount({ client, journal, signal }: Omit<WriteContext, 'options'>): Promise<void> {
  if (journal.readNote(ACCOUNT_AUDIENCE_NOTE) !== undefined) {
    return;
  }
  try {
    for await (const { id, created_at: createdAt } of listAudiences(client, { limit: 1, signal })) {
      journal.writeNote(ACCOUNT_AUDIENCE_NOTE, { id, createdAt } satisfies AccountMark);
      return;
    }
  } catch {
    // If the service or the disk has a problem, the writes of the run report it.
  }
}

/** What run.db says about the account of a run. `mark` is undefined if no audience was recorded. */
interface RecordedAccount {
  readonly header: RunHeader;
  readonly mark: AccountMark | undefined;
  readonly mayHaveWritten: boolean;
}

export function recordedAccount(journal: Journal): RecordedAccount {
  const mark = journal.readNote(ACCOUNT_AUDIENCE_NOTE) as AccountMark | undefined;
  return { header: journal.header, mark, mayHaveWritten: mayHaveWritten(journal) };
}

/**
 * True if the run may have suppressed an address. False if all its requests were refused, for example for a wrong key.
 */
function mayHaveWritten(journal: Journal): boolean {
  const counts = journal.counts('suppressions');
  return counts.suppressed + counts.doubt + counts.pending > 0;
}

/**
 * True if this is the account to which the run wrote suppressions. Also true if the run wrote nothing, and for a run
 * with an audience or automation: `checkDestination` compares these. False if nothing shows which account it was.
 */
export async function isSameAccount(
  { header, mark, mayHaveWritten }: RecordedAccount,
  { account, signal }: Pick<RunContext, 'account' | 'signal'>,
): Promise<boolean> {
  if (header.destination || !mayHaveWritten || !account || header.keyFingerprint === account.keyFingerprint) {
    return true;
  }
  if (!mark) {
    return false;
  }
  try {
    const audience = await getAudience(account.client, mark.id, { signal });
    return isSameInstant(audience.created_at, mark.createdAt);
  } catch (error) {
    if (isNotFound(error)) {
      return false;
    }
    throw error;
  }
}

/** The unfinished run that a command continues, if `runs` has one. Leaves out runs of other accounts. */
export async function findMatchingRunOfAccount(
  runs: readonly RunSummary[],
  query: MatchingRunQuery,
  context: RunContext,
): Promise<RunSummary | undefined> {
  const excludedRuns: string[] = [];
  for (;;) {
    const match = findUnfinishedMatchingRun(runs, { ...query, excludedRuns });
    const recorded = match && readListedRun(context.stateFolder, match.run, recordedAccount);
    if (!match || !recorded || (await isSameAccount(recorded, context))) {
      return match;
    }
    excludedRuns.push(match.run);
  }
}

/**
 * Records the API key of this command in a run without a destination. Called only after `isSameAccount` returned true.
 * `isSameAccount` also returns true for a run that wrote nothing. Such a run may continue in another account, so its
 * recorded audience is removed.
 */
export function recordApiKey(journal: Journal, { account }: Pick<RunContext, 'account'>): void {
  const { destination, keyFingerprint } = journal.header;
  if (destination || !account || keyFingerprint === account.keyFingerprint) {
    return;
  }
  if (!mayHaveWritten(journal)) {
    journal.writeNote(ACCOUNT_AUDIENCE_NOTE, undefined);
  }
  journal.amendHeader({ keyFingerprint: account.keyFingerprint });
}
