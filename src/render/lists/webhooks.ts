import type { WebhookDelivery, WebhookEndpoint } from '../../wire/shapes.ts';
import { type Cell, timeCell } from '../table/cell.ts';
import { table } from '../table/table.ts';
import type { Style, Tone } from '../text/style.ts';

// The service tries a delivery seven times, so a streak of seven means that a delivery was lost.
const LOST_DELIVERY = 7;

/**
 * `svc webhooks ls`: the health of the endpoints. The service disables none, so only this table shows failures (service
 * document, "Delivery rules" 7).
 */
export function webhooksTable(endpoints: readonly WebhookEndpoint[], now: number, style: Style): string {
  return table(
    [
      { title: 'id', neverCut: true },
      { title: 'url', minWidth: 12 },
      { title: 'status', dropOrder: 2 },
      { title: 'events', cutFirst: true, dropOrder: 1 },
      { title: 'streak', align: 'right' },
      { title: 'last ok' },
      { title: 'last fail' },
      { title: 'last error' },
    ],
    endpoints.map((endpoint) => endpointRow(endpoint, now)),
    style,
  );
}

function endpointRow(endpoint: WebhookEndpoint, now: number): Cell[] {
  const { id, url, status, events, consecutive_failures, last_error } = endpoint;
  const streak = consecutive_failures ?? 0;
  const tone = endpointTone(endpoint);
  return [
    id,
    // All URLs are https, and in a narrow column the host is more useful.
    { text: url, short: url.replace(/^https:\/\//, '') },
    { text: status, tone: status === 'active' ? undefined : 'yellow' },
    events.join(','),
    { text: String(streak), tone, raw: streak },
    timeCell(endpoint.last_success_at, now),
    timeCell(endpoint.last_failure_at, now),
    { text: last_error ?? '', tone: streak > 0 ? tone : 'dim', raw: last_error },
  ];
}

function endpointTone({ consecutive_failures: streak, last_success_at }: WebhookEndpoint): Tone {
  if (streak >= LOST_DELIVERY) {
    return 'red';
  }
  if (streak > 0) {
    return 'yellow';
  }
  return last_success_at === null ? 'dim' : 'green';
}

/** `svc webhooks deliveries`: newest first, in the order of the service. */
export function deliveriesTable(deliveries: readonly WebhookDelivery[], now: number, style: Style): string {
  return table(
    [
      { title: 'id', neverCut: true },
      { title: 'created' },
      { title: 'event', minWidth: 19 },
      { title: 'status' },
      { title: 'attempt', align: 'right', dropOrder: 3 },
      { title: 'answer', align: 'right', dropOrder: 4 },
      { title: 'ms', align: 'right', dropOrder: 1 },
      { title: 'next attempt', dropOrder: 2 },
      { title: 'error' },
    ],
    deliveries.map((delivery) => deliveryRow(delivery, now)),
    style,
  );
}

function deliveryRow(delivery: WebhookDelivery, now: number): Cell[] {
  return [
    delivery.id,
    timeCell(delivery.created_at, now),
    delivery.event_type,
    { text: delivery.status, tone: deliveryTone(delivery) },
    delivery.attempt,
    delivery.response_status,
    delivery.duration_ms,
    timeCell(delivery.next_attempt_at, now),
    delivery.error,
  ];
}

// The service document shows only the status `failed`. For other words the time of delivery decides.
function deliveryTone(delivery: WebhookDelivery): Tone | undefined {
  if (delivery.status === 'failed') {
    return 'red';
  }
  return delivery.delivered_at ? 'green' : 'yellow';
}
