import type { WebhookDelivery } from '../../wire/shapes.ts';
import type { Cell } from '../table/cell.ts';
import { table } from '../table/table.ts';
import { timeCell } from '../table/time-cell.ts';
import type { Style, Tone } from '../text/style.ts';

/** `svc webhooks deliveries`: newest first, as the service gives them. */
export function deliveriesTable(deliveries: readonly WebhookDelivery[], now: number, style: Style): string {
  return table(
    [
      { title: 'id', whole: true },
      { title: 'created' },
      { title: 'event', least: 19 },
      { title: 'status' },
      { title: 'attempt', align: 'right', drops: 3 },
      { title: 'answer', align: 'right', drops: 4 },
      { title: 'ms', align: 'right', drops: 1 },
      { title: 'next attempt', drops: 2 },
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
    { text: delivery.status, tone: health(delivery) },
    delivery.attempt,
    delivery.response_status,
    delivery.duration_ms,
    timeCell(delivery.next_attempt_at, now),
    delivery.error,
  ];
}

// Only `failed` is shown by the service document; of other words the moment of delivery tells.
function health(delivery: WebhookDelivery): Tone | undefined {
  if (delivery.status === 'failed') {
    return 'red';
  }
  return delivery.delivered_at ? 'green' : 'yellow';
}
