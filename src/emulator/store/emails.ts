import type { Store } from './store.ts';

/** One transactional message to one or several recipients. */
export interface EmailRow {
  readonly seq: number;
  readonly organization: number;
  /** The recipients: a JSON array of canonical addresses. */
  readonly recipients: string;
  readonly subject: string;
  /**
   * `queued`, `sent` or `delivered`; also `bounced`, `complained` and `failed`, which the service document does not
   * show.
   */
  readonly status: string;
  readonly provider_message_id: string;
  readonly created_at: number;
}

/** Stores a message and returns its row number. */
export function insertEmail(store: Store, email: Omit<EmailRow, 'seq'>): number {
  const { organization, recipients, subject, status, provider_message_id, created_at } = email;
  const sql =
    'insert into emails (organization, recipients, subject, status, provider_message_id, created_at) values (?, ?, ?, ?, ?, ?)';
  return store.run(sql, organization, recipients, subject, status, provider_message_id, created_at).id;
}

/** The message with this number, of any organization. The caller checks the organization. */
export function findEmail(store: Store, seq: number): EmailRow | undefined {
  return store.get<EmailRow>('select * from emails where seq = ?', seq);
}

export function setEmailStatus(store: Store, seq: number, status: string): void {
  store.run('update emails set status = ? where seq = ?', status, seq);
}
