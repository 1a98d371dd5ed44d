import { LIMITS } from '../../wire/limits.ts';
import { type Answer, invalid } from '../envelope.ts';
import { readPage, toPage } from '../pagination.ts';
import type { Quirks } from '../quirks.ts';
import { deliveryItem } from '../shapes.ts';
import { type DeliveryRow, listDeliveries, purgeDeliveries } from '../store/deliveries.ts';
import type { Call, Route } from '../world.ts';
import { webhookOf } from './webhooks.ts';

/** Document, "Webhook endpoint management": the delivery log. */
export const DELIVERY_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/webhooks/{webhook_id}/deliveries', scope: 'webhooks:manage', action: list },
];

function list(call: Call): Answer {
  const { store, clock, ids } = call.world;
  const webhook = webhookOf(call);
  const status = readFilter(call);
  const page = readPage(call.query, call.world.quirks);
  purgeDeliveries(store, clock.now() - LIMITS.webhookRetentionMs);
  const rows = listDeliveries(store, { webhook: webhook.seq, status }, page);
  const shape = (row: DeliveryRow) => deliveryItem(ids, row, wordOf(row.status, call.world.quirks));
  return { status: 200, body: toPage(rows, page.limit, shape) };
}

/** The kept state that the filter's word stands for; a word that stands for none finds nothing. */
function readFilter({ query, world: { quirks } }: Call): string | null {
  const status = query.get('status');
  const kept = STATES.find((state) => wordOf(state, quirks) === status);
  if (quirks.webhook_status_filter === 'strict' && status !== null && kept === undefined) {
    throw invalid('status is not one that a delivery can have.', 'status');
  }
  return kept ?? (status === null ? null : '');
}

const STATES = ['pending', 'delivered', 'failed'] as const;
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['pending', 'retrying'],
  ['delivered', 'succeeded'],
]);

function wordOf(state: string, quirks: Quirks): string {
  return quirks.delivery_states === 'retrying_succeeded' ? (OTHER_WORDS.get(state) ?? state) : state;
}
