import { LIMITS } from '../../wire/limits.ts';
import type { Call, Route } from '../context.ts';
import type { Answer } from '../http/envelope.ts';
import { listDeliveries, purgeDeliveries } from '../store/deliveries.ts';
import { readPage, toPage } from './pagination.ts';
import { deliveryItem } from './shapes.ts';
import { webhookOf } from './webhooks.ts';

/** Document, "Webhook endpoint management": the delivery log. */
export const DELIVERY_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/webhooks/{webhook_id}/deliveries', scope: 'webhooks:manage', action: list },
];

function list(call: Call): Answer {
  const { store, clock, ids } = call.world;
  const webhook = webhookOf(call);
  const page = readPage(call.query);
  purgeDeliveries(store, clock.now() - LIMITS.webhookRetentionMs);
  const rows = listDeliveries(store, { webhook: webhook.seq, status: call.query.get('status') }, page);
  return { status: 200, body: toPage(rows, page.limit, (row) => deliveryItem(ids, row)) };
}
