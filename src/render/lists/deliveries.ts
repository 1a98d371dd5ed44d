import type { WebhookDelivery } from '../../wire/shapes.ts';
import { timeCell } from '../text/cell.ts';
import type { Style, Tone } from '../text/style.ts';
import { type ItemColumn, itemTable } from '../text/table.ts';

/**
 * The column with the event type. `ANSWER_COLUMN` has the HTTP status of the receiver. The summary of `webhooks
 * deliveries` shows both columns too.
 */
export const EVENT_COLUMN: ItemColumn<Pick<WebhookDelivery, 'event_type'>> = {
  title: 'event',
  field: 'event_type',
  minWidth: 19,
  cell: ({ event_type }) => event_type,
};
export const ANSWER_COLUMN: ItemColumn<Pick<WebhookDelivery, 'response_status'>> = {
  title: 'answer',
  field: 'response_status',
  align: 'right',
  dropOrder: 1,
  cell: ({ response_status }) => response_status,
};

/** The table of `svc webhooks deliveries`, in the order of the service. On a terminal, the status comes first. */
export function deliveriesTable(deliveries: readonly WebhookDelivery[], now: number, style: Style): string {
  return itemTable(
    [
      { title: 'id', neverCut: true, dropOrder: 4, cell: ({ id }) => id },
      { title: 'created', field: 'created_at', cell: ({ created_at }) => timeCell(created_at, now) },
      EVENT_COLUMN,
      { title: 'status', cell: (delivery) => ({ text: delivery.status, tone: toneOf(delivery) }) },
      { title: 'attempt', align: 'right', dropOrder: 3, cell: ({ attempt }) => attempt },
      ANSWER_COLUMN,
      { title: 'ms', field: 'duration_ms', align: 'right', dropOrder: 0, cell: ({ duration_ms }) => duration_ms },
      {
        title: 'next attempt',
        field: 'next_attempt_at',
        dropOrder: 2,
        cell: ({ next_attempt_at }) => timeCell(next_attempt_at, now),
      },
      { title: 'error', minWidth: 12, cell: ({ error }) => error },
    ],
    deliveries,
    style,
    ['status', 'event', 'created', 'error', 'attempt', 'next attempt', 'answer', 'ms', 'id'],
  );
}

// The service document names only the status `failed`. Any other status is green if the delivery has a `delivered_at`,
// otherwise yellow.
function toneOf(delivery: WebhookDelivery): Tone | undefined {
  if (delivery.status === 'failed') {
    return 'red';
  }
  return delivery.delivered_at ? 'green' : 'yellow';
}
