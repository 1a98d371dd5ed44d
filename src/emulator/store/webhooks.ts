import type { PageRequest } from '../routes/pagination.ts';
import type { Store } from './store.ts';

/** A webhook endpoint with its secret and its health. */
export interface WebhookRow {
  readonly seq: number;
  readonly organization: number;
  readonly url: string;
  readonly description: string;
  /** JSON array of event types. */
  readonly events: string;
  readonly status: string;
  readonly secret: string;
  readonly consecutive_failures: number;
  readonly last_success_at: number | null;
  readonly last_failure_at: number | null;
  readonly last_error: string | null;
  readonly created_at: number;
}

/** The values of a new endpoint; its health starts empty. */
export type NewWebhook = Pick<
  WebhookRow,
  'organization' | 'url' | 'description' | 'events' | 'status' | 'secret' | 'created_at'
>;

export function insertWebhook(store: Store, webhook: NewWebhook): number {
  const { organization, url, description, events, status, secret, created_at } = webhook;
  const sql = `insert into webhooks (organization, url, description, events, status, secret, created_at) values (?, ?, ?, ?, ?, ?, ?)`;
  return store.run(sql, organization, url, description, events, status, secret, created_at).id;
}

/** Writes the fields that the API can change, and the secret, which the app rotates. */
export function updateWebhook(store: Store, { seq, url, description, events, status, secret }: WebhookRow): void {
  const sql = 'update webhooks set url = ?, description = ?, events = ?, status = ?, secret = ? where seq = ?';
  store.run(sql, url, description, events, status, secret, seq);
}

/** The endpoint. Undefined if another organization owns it. */
export function findWebhook(store: Store, organization: number, seq: number): WebhookRow | undefined {
  return store.get<WebhookRow>('select * from webhooks where seq = ? and organization = ?', seq, organization);
}

/** One row more than the page holds, newest first. */
export function listWebhooks(store: Store, organization: number, page: PageRequest): WebhookRow[] {
  const sql = 'select * from webhooks where organization = ? and seq < ? order by seq desc limit ?';
  return store.all<WebhookRow>(sql, organization, page.before, page.limit + 1);
}

/** The endpoints, whatever their status, that subscribe to an event type. */
export function listSubscribers(store: Store, organization: number, type: string): WebhookRow[] {
  const sql = `select * from webhooks where organization = ? and exists (select 1 from json_each(webhooks.events) as subscribed where subscribed.value = ?)`;
  return store.all<WebhookRow>(sql, organization, type);
}

/** Removes an endpoint and its delivery history. */
export function deleteWebhook(store: Store, seq: number): void {
  store.run('delete from deliveries where webhook = ?', seq);
  store.run('delete from webhooks where seq = ?', seq);
}

/** A delivered event ends the endpoint's failure streak. */
export function noteSuccess(store: Store, seq: number, now: number): void {
  store.run('update webhooks set consecutive_failures = 0, last_success_at = ? where seq = ?', now, seq);
}

/** A failed attempt extends the streak. The endpoint stays active after any number. */
export function noteFailure(store: Store, seq: number, at: { now: number; error: string }): void {
  const sql =
    'update webhooks set consecutive_failures = consecutive_failures + 1, last_failure_at = ?, last_error = ? where seq = ?';
  store.run(sql, at.now, at.error, seq);
}
