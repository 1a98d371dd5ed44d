import { LIMITS } from '../../wire/limits.ts';
import { EVENT_TYPES } from '../../wire/service-words.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../../wire/shapes.ts';
import type { Route, RouteCall } from '../context/action-context.ts';
import { type Ids, timestamp, timestampOrNull } from '../context/formats.ts';
import { readPageRequest, toPage } from '../context/pagination.ts';
import { ownRow } from '../domain/owned-rows.ts';
import { deletedResponse, invalidRequest, type RouteResponse } from '../protocol/envelope.ts';
import { parseList } from '../store/organizations.ts';
import { findRow, insertRow, listPage, updateRow } from '../store/rows.ts';
import { type DeliveryRow, deleteWebhook, purgeDeliveries, type WebhookRow } from '../store/webhooks.ts';
import { checkWebhookUrl } from '../webhooks/send.ts';

const scope = 'webhooks:manage';

/**
 * The routes of the section "Webhook endpoint management" in the service document. All of them need the scope
 * `webhooks:manage`, even to read.
 */
export const WEBHOOK_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/webhooks', scope, action: list },
  { method: 'POST', path: '/v1/webhooks', scope, action: create },
  { method: 'GET', path: '/v1/webhooks/{webhook_id}', scope, action: retrieve },
  { method: 'PATCH', path: '/v1/webhooks/{webhook_id}', scope, action: update },
  { method: 'DELETE', path: '/v1/webhooks/{webhook_id}', scope, action: remove },
  { method: 'GET', path: '/v1/webhooks/{webhook_id}/deliveries', scope, action: listLog },
];

/**
 * The endpoint whose id is the first `{…}` part of the path. Throws 404 for an unknown id, and for an endpoint of
 * another organization.
 */
function webhookOf(call: RouteCall): WebhookRow {
  return ownRow<WebhookRow>(call, 'webhook', call.params[0] ?? '');
}

function list(call: RouteCall): RouteResponse {
  const page = readPageRequest(call.query);
  const { organization } = call.caller;
  const rows = listPage<WebhookRow>(call.context.store, 'webhooks', { organization }, page);
  return { status: 200, body: toPage(rows, page.limit, (row) => webhookItem(call.context.ids, row)) };
}

function create(call: RouteCall): RouteResponse {
  const { context, caller, body } = call;
  const { organization } = caller;
  const url = checkWebhookUrl(body.url, context.allowLoopbackWebhooks);
  const events = JSON.stringify(readEvents(body.events));
  const described = { url, events, description: readDescription(body.description), status: 'active' };
  const secret = `whsec_${context.randomHex(48)}`;
  const created = { ...described, organization, secret, created_at: context.clock.now() };
  const seq = insertRow<WebhookRow>(context.store, 'webhooks', created);
  const row = findRow<WebhookRow>(context.store, 'webhooks', { seq });
  const item = row && webhookItem(context.ids, row);
  return { status: 201, body: { ...item, secret } };
}

function retrieve(call: RouteCall): RouteResponse {
  return { status: 200, body: webhookItem(call.context.ids, webhookOf(call)) };
}

function update(call: RouteCall): RouteResponse {
  const { context, body } = call;
  const row = webhookOf(call);
  const changes = {
    url: body.url === undefined ? row.url : checkWebhookUrl(body.url, context.allowLoopbackWebhooks),
    description: body.description === undefined ? row.description : readDescription(body.description),
    events: body.events === undefined ? row.events : JSON.stringify(readEvents(body.events)),
    status: body.status === undefined ? row.status : readStatus(body.status),
  };
  updateRow<WebhookRow>(context.store, 'webhooks', row.seq, changes);
  return { status: 200, body: webhookItem(context.ids, { ...row, ...changes }) };
}

function remove(call: RouteCall): RouteResponse {
  const row = webhookOf(call);
  deleteWebhook(call.context.store, row.seq);
  return deletedResponse(call.context.ids.make('webhook', row.seq));
}

/** Reads `events`: one or more known event types. A repeated type counts once. */
function readEvents(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw invalidRequest('events must name at least one event type.', 'events');
  }
  for (const each of value) {
    if (!EVENT_TYPES.some((known) => known === each)) {
      throw invalidRequest(`events must be among ${EVENT_TYPES.join(', ')}.`, 'events');
    }
  }
  return [...new Set<string>(value)];
}

/** Reads `description`, which is empty by default. */
function readDescription(value: unknown): string {
  if (value !== undefined && value !== null && typeof value !== 'string') {
    throw invalidRequest('description must be a string.', 'description');
  }
  return (value ?? '').toWellFormed();
}

/** Reads `status`. Accepts any word, because the service document shows only `active` and does not list the others. */
function readStatus(value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw invalidRequest('status must be a word.', 'status');
  }
  return value;
}

function listLog(call: RouteCall): RouteResponse {
  const { store, clock, ids } = call.context;
  const webhook = webhookOf(call);
  const page = readPageRequest(call.query);
  purgeDeliveries(store, clock.now() - LIMITS.webhookRetentionMs);
  const status = call.query.get('status');
  const wanted = { webhook: webhook.seq, ...(status === null ? {} : { status }) };
  const rows = listPage<DeliveryRow>(store, 'deliveries', wanted, page);
  return { status: 200, body: toPage(rows, page.limit, (row) => deliveryItem(ids, row)) };
}

/** A webhook endpoint without its secret. Only the response to its creation has the secret. */
export function webhookItem(ids: Ids, row: WebhookRow): WebhookEndpoint {
  return {
    id: ids.make('webhook', row.seq),
    object: 'webhook_endpoint',
    url: row.url,
    description: row.description,
    events: parseList(row.events),
    status: row.status,
    consecutive_failures: row.consecutive_failures,
    last_success_at: timestampOrNull(row.last_success_at),
    last_failure_at: timestampOrNull(row.last_failure_at),
    last_error: row.last_error,
    created_at: timestamp(row.created_at),
  };
}

/** A delivery as it is in the list of deliveries, without the signed payload. */
function deliveryItem(ids: Ids, row: DeliveryRow): WebhookDelivery {
  return {
    id: ids.make('delivery', row.seq),
    object: 'webhook_delivery',
    endpoint_id: ids.make('webhook', row.webhook),
    event_id: ids.make('event', row.event),
    event_type: row.event_type,
    status: row.status,
    attempt: row.attempt,
    response_status: row.response_status,
    error: row.error,
    duration_ms: row.duration_ms,
    next_attempt_at: timestampOrNull(row.next_attempt_at),
    delivered_at: timestampOrNull(row.delivered_at),
    created_at: timestamp(row.created_at),
  };
}
