import { insertRow, updateRow } from './rows.ts';
import type { Store } from './store.ts';

/** A webhook endpoint with its signing secret, and the results of its last deliveries. */
export interface WebhookRow {
  readonly seq: number;
  readonly organization: number;
  readonly url: string;
  readonly description: string;
  /** The event types to which the endpoint subscribes, as a JSON array. */
  readonly events: string;
  readonly status: string;
  readonly secret: string;
  readonly consecutive_failures: number;
  readonly last_success_at: number | null;
  readonly last_failure_at: number | null;
  readonly last_error: string | null;
  readonly created_at: number;
}

/** The endpoints that subscribe to an event type, active or not. */
export function listSubscribedWebhooks(store: Store, organization: number, type: string): WebhookRow[] {
  const sql = `select * from webhooks where organization = ? and exists (select 1 from json_each(webhooks.events) as subscribed where subscribed.value = ?)`;
  return store.all<WebhookRow>(sql, organization, type);
}

/** Deletes an endpoint and its deliveries. */
export function deleteWebhook(store: Store, seq: number): void {
  store.run('delete from deliveries where webhook = ?', seq);
  store.run('delete from webhooks where seq = ?', seq);
}

/** Records a successful delivery. The number of consecutive failures becomes 0. */
export function recordSuccess(store: Store, seq: number, now: number): void {
  updateRow<WebhookRow>(store, 'webhooks', seq, { consecutive_failures: 0, last_success_at: now });
}

/** Records a failed delivery. The endpoint stays active, no matter how many deliveries fail. */
export function recordFailure(store: Store, seq: number, failure: { now: number; error: string }): void {
  const sql =
    'update webhooks set consecutive_failures = consecutive_failures + 1, last_failure_at = ?, last_error = ? where seq = ?';
  store.run(sql, failure.now, failure.error, seq);
}

/**
 * The delivery of one event to one endpoint. `attempt` is the number of the last attempt, and 1 before the first one.
 */
export interface DeliveryRow {
  readonly seq: number;
  readonly webhook: number;
  readonly event: number;
  readonly event_type: string;
  /** `pending` while an attempt is still to come, then `delivered` or `failed`. */
  readonly status: string;
  readonly attempt: number;
  readonly response_status: number | null;
  readonly error: string | null;
  /** How long the last attempt took. Null until the first attempt has ended. */
  readonly duration_ms: number | null;
  readonly next_attempt_at: number | null;
  readonly delivered_at: number | null;
  readonly created_at: number;
}

/** A delivery that is due, with the URL, the secret and the payload that an attempt needs. */
export interface DueDelivery extends DeliveryRow {
  readonly url: string;
  readonly secret: string;
  readonly payload: string;
}

/**
 * Stores an event, and returns its row number. The payload contains the event id, so `payloadOf` makes the payload once
 * the row number is known.
 */
export function insertEvent(
  store: Store,
  event: { organization: number; type: string; created_at: number },
  payloadOf: (seq: number) => string,
): number {
  const seq = insertRow(store, 'events', { ...event, payload: '' });
  updateRow(store, 'events', seq, { payload: payloadOf(seq) });
  return seq;
}

/** Queues an event for an endpoint. The delivery is due immediately. */
export function insertDelivery(
  store: Store,
  to: Pick<DeliveryRow, 'webhook' | 'event' | 'event_type'>,
  now: number,
): void {
  const due = { status: 'pending', attempt: 1, next_attempt_at: now, created_at: now };
  insertRow<DeliveryRow>(store, 'deliveries', { ...to, ...due });
}

/** The row numbers of the endpoints with a delivery whose next attempt is due at `now` or earlier. */
export function listDueWebhooks(store: Store, now: number): number[] {
  const sql = `select seq from webhooks
    where exists (select 1 from deliveries where webhook = webhooks.seq and next_attempt_at <= ?) order by seq`;
  return store.all<{ seq: number }>(sql, now).map(({ seq }) => seq);
}

/**
 * The deliveries of an endpoint that are due at `now` or earlier, in the order in which they become due. Returns at
 * most `most` deliveries, and none whose row number is in `without`.
 */
export function listDueDeliveries(
  store: Store,
  now: number,
  query: { readonly webhook: number; readonly without: readonly number[]; readonly most: number },
): DueDelivery[] {
  const sql = `select deliveries.*, url, secret, payload from deliveries join webhooks on webhooks.seq = webhook
    join events on events.seq = event where webhook = ? and next_attempt_at <= ?
    and deliveries.seq not in (select value from json_each(?)) order by next_attempt_at, deliveries.seq limit ?`;
  return store.all<DueDelivery>(sql, query.webhook, now, JSON.stringify(query.without), query.most);
}

/** The time of the earliest attempt that is due after `now`. Undefined if there is none. */
export function nextAttemptAfter(store: Store, now: number): number | undefined {
  const sql = 'select min(next_attempt_at) as at from deliveries where next_attempt_at > ?';
  return store.get<{ at: number | null }>(sql, now)?.at ?? undefined;
}

/**
 * Deletes finished deliveries that were created before `before`. Also deletes events from before that time that have no
 * delivery any more.
 */
export function purgeDeliveries(store: Store, before: number): void {
  store.run('delete from deliveries where created_at < ? and next_attempt_at is null', before);
  store.run('delete from events where created_at < ? and seq not in (select event from deliveries)', before);
}
