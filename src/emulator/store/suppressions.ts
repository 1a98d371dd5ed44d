import type { PageRequest } from '../http/pagination.ts';
import type { Store } from './store.ts';

/** One address on an account's suppression list. */
export interface SuppressionRow {
  readonly seq: number;
  readonly organization: number;
  readonly email: string;
  /**
   * A word of the request: `bounced`, `complained`, `unsubscribed`; or one of the app: `manual`, `provider_suppressed`.
   */
  readonly reason: string;
  readonly created_at: number;
}

/** Reasons for which transactional email is refused too. The others affect campaigns only. */
export const HARD_REASONS: readonly string[] = ['bounced', 'complained', 'provider_suppressed'];

/**
 * Gives a hard reason to the suppressed addresses among these, and returns the changed ones. The document says that
 * hard bounces and complaints are refused for both kinds of mail.
 */
export function hardenSuppressions(
  store: Store,
  entry: Pick<SuppressionRow, 'organization' | 'reason'>,
  emails: readonly string[],
): string[] {
  if (!HARD_REASONS.includes(entry.reason)) {
    return [];
  }
  const sql = `update suppressions set reason = ? where organization = ? and email in (select value from json_each(?))
    and reason not in (select value from json_each(?)) returning email`;
  const values = [entry.reason, entry.organization, JSON.stringify(emails), JSON.stringify(HARD_REASONS)];
  return store.all<{ email: string }>(sql, ...values).map(({ email }) => email);
}

/** Adds addresses that are not suppressed yet, and returns those. The reason of the others stays. */
export function insertSuppressions(
  store: Store,
  entry: Omit<SuppressionRow, 'seq' | 'email'>,
  emails: readonly string[],
): string[] {
  const { organization, reason, created_at } = entry;
  const sql = `insert or ignore into suppressions (organization, email, reason, created_at)
    select ?, value, ?, ? from json_each(?) returning email`;
  const rows = store.all<{ email: string }>(sql, organization, reason, created_at, JSON.stringify(emails));
  return rows.map(({ email }) => email);
}

/** The suppressed addresses among these, with their reasons. One query for a whole batch. */
export function findSuppressed(store: Store, organization: number, emails: readonly string[]): Map<string, string> {
  if (store.get('select 1 from suppressions where organization = ? limit 1', organization) === undefined) {
    return new Map();
  }
  const sql = `select email, reason from json_each(?) as wanted cross join suppressions
    on suppressions.organization = ? and suppressions.email = wanted.value`;
  const rows = store.all<SuppressionRow>(sql, JSON.stringify(emails), organization);
  return new Map(rows.map((row) => [row.email, row.reason]));
}

/** Size of an account's list. */
export function countSuppressions(store: Store, organization: number): number {
  const sql = 'select count(*) as count from suppressions where organization = ?';
  return store.get<{ count: number }>(sql, organization)?.count ?? 0;
}

/** One row more than the page holds, newest first. */
export function listSuppressions(store: Store, organization: number, page: PageRequest): SuppressionRow[] {
  const sql = 'select * from suppressions where organization = ? and seq < ? order by seq desc limit ?';
  return store.all<SuppressionRow>(sql, organization, page.before, page.limit + 1);
}
