import { isNotFound } from '../../api/api-error.ts';
import { getAudience, listAudiences } from '../../api/resources/audiences.ts';
import type { RunSummary } from '../../runs/find/list-runs.ts';
import { findUnfinishedMatch, type MatchingRunQuery } from '../../runs/find/matching-run.ts';
import type { RunHeader } from '../../runs/store/header.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { readListedRun } from '../../runs/store/read-run.ts';
import type { RunContext, WriteContext } from '../run-context.ts';

/**
 * An audience of the account of a run. Suppressions belong to the account and have no destination, so only this shows
 * whether another API key is of the same account (K4).
 */
interface AccountMark {
  readonly id: string;
  readonly createdAt: string;
}

const NOTE = 'account_audience';

/** Records an audience of the account. Never fails: without it, only the same API key continues the run. */
export async function recordAccount({ client, journal, signal }: Omit<WriteContext, 'options'>): Promise<void> {
  if (journal.read(NOTE) !== undefined) {
    return;
  }
  try {
    for await (const { id, created_at: createdAt } of listAudiences(client, { limit: 1, signal })) {
      journal.note(NOTE, { id, createdAt } satisfies AccountMark);
      return;
    }
  } catch {
    // If the service or the disk fails, the requests of the run report it.
  }
}

/** What run.db says about the account of a run. */
interface RecordedAccount {
  readonly header: RunHeader;
  readonly mark: AccountMark | undefined;
  readonly mayHaveWritten: boolean;
}

export function recordedAccount(journal: Journal): RecordedAccount {
  const mark = journal.read(NOTE) as AccountMark | undefined;
  return { header: journal.header, mark, mayHaveWritten: mayHaveWritten(journal) };
}

/** False for a run whose requests were all refused, for example because its key was wrong. */
function mayHaveWritten(journal: Journal): boolean {
  const counts = journal.counts('suppressions');
  return counts.suppressed + counts.doubt + counts.pending > 0;
}

/**
 * False if the run wrote to another account, or if nothing shows that it was this one. A destination has its own check.
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
    return audience.created_at === mark.createdAt;
  } catch (error) {
    if (isNotFound(error)) {
      return false;
    }
    throw error;
  }
}

/** The unfinished run that the same command continues. Runs of other accounts are left out. */
export async function findOwnMatch(query: MatchingRunQuery, context: RunContext): Promise<RunSummary | undefined> {
  const others: string[] = [];
  for (;;) {
    const match = findUnfinishedMatch(context.state, { ...query, others });
    const recorded = match && readListedRun(context.state, match.run, recordedAccount);
    if (!match || !recorded || (await isSameAccount(recorded, context))) {
      return match;
    }
    others.push(match.run);
  }
}

/**
 * Binds a run without a destination to the API key in use. Call this once the account is known to be the same. If the
 * run has written nothing yet, the account may be another one.
 */
export function useKey(journal: Journal, { account }: Pick<RunContext, 'account'>): void {
  const { destination, keyFingerprint } = journal.header;
  if (destination || !account || keyFingerprint === account.keyFingerprint) {
    return;
  }
  if (!mayHaveWritten(journal)) {
    journal.note(NOTE, undefined);
  }
  journal.amend({ keyFingerprint: account.keyFingerprint });
}
