import type { Store } from './store.ts';

/** One transactional message, whatever the number of its recipients. */
export interface EmailRow {
  readonly seq: number;
  readonly organization: number;
  /** JSON array of canonical addresses. */
  readonly recipients: string;
  readonly subject: string;
  /**
   * `queued`, `sent`, `delivered`. Further words are our reading, because the document shows none: `bounced`,
   * `complained`, `failed`.
   */
  readonly status: string;
  readonly provider_message_id: string;
  readonly created_at: number;
}

export function insertEmail(store: Store, email: Omit<EmailRow, 'seq'>): number {
  const { organization, recipients, subject, status, provider_message_id, created_at } = email;
  const sql =
    'insert into emails (organization, recipients, subject, status, provider_message_id, created_at) values (?, ?, ?, ?, ?, ?)';
  return store.run(sql, organization, recipients, subject, status, provider_message_id, created_at).id;
}

/** A message of any organization; the caller compares. */
export function findEmail(store: Store, seq: number): EmailRow | undefined {
  return store.get<EmailRow>('select * from emails where seq = ?', seq);
}

/** Moves a message to a state. */
export function setEmailStatus(store: Store, seq: number, status: string): void {
  store.run('update emails set status = ? where seq = ?', status, seq);
}
