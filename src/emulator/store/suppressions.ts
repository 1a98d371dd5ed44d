import type { Store } from './store.ts';

/** One address on the suppression list of an account. */
export interface SuppressionRow {
  readonly seq: number;
  readonly organization: number;
  readonly email: string;
  /**
   * Why the address is suppressed. Requests use `bounced`, `complained` and `unsubscribed`. The web app also uses
   * `manual` and `provider_suppressed`.
   */
  readonly reason: string;
  readonly created_at: number;
}

/** The reasons that stop transactional email too. With any other reason, the person still gets transactional email. */
export const HARD_REASONS: readonly string[] = ['bounced', 'complained', 'provider_suppressed'];

/**
 * Replaces a weaker reason of these addresses, if the new reason is one of `HARD_REASONS`. Without this, the reason
 * "unsubscribed" would hide a bounce, and transactional email would still be sent. Returns the addresses whose reason
 * changed.
 */
export function strengthenReasons(
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

/** Adds the addresses that are not suppressed yet, and returns them. Suppressed addresses keep their reason. */
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

/** The addresses that are suppressed, with their reasons. Makes one query for a whole batch. */
export function findSuppressed(store: Store, organization: number, emails: readonly string[]): Map<string, string> {
  if (store.get('select 1 from suppressions where organization = ? limit 1', organization) === undefined) {
    return new Map();
  }
  const sql = `select email, reason from json_each(?) as wanted cross join suppressions
    on suppressions.organization = ? and suppressions.email = wanted.value`;
  const rows = store.all<SuppressionRow>(sql, JSON.stringify(emails), organization);
  return new Map(rows.map((row) => [row.email, row.reason]));
}

/** The number of suppressed addresses of an account. */
export function countSuppressions(store: Store, organization: number): number {
  const sql = 'select count(*) as count from suppressions where organization = ?';
  return store.get<{ count: number }>(sql, organization)?.count ?? 0;
}
