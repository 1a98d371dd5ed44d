import type { WebhookDelivery } from '../../wire/shapes.ts';
import { type Cell, type Column, timeCell } from '../text/cell.ts';
import type { Style, Tone } from '../text/style.ts';
import { table } from '../text/table.ts';

/** `svc webhooks deliveries`, in the order of the service. Users see the status first; scripts keep the order. */
export function deliveriesTable(deliveries: readonly WebhookDelivery[], now: number, style: Style): string {
  const columns = style.columns === undefined ? SCRIPT_COLUMNS : SCREEN_COLUMNS;
  return table(
    columns.map(({ column }) => column),
    deliveries.map((delivery) => columns.map(({ cell }) => cell(delivery, now))),
    style,
  );
}

interface DeliveryColumn {
  readonly column: Column;
  cell(delivery: WebhookDelivery, now: number): Cell;
}

const ID: DeliveryColumn = { column: { title: 'id', neverCut: true, dropOrder: 4 }, cell: ({ id }) => id };
const CREATED: DeliveryColumn = {
  column: { title: 'created', field: 'created_at' },
  cell: ({ created_at }, now) => timeCell(created_at, now),
};
const EVENT: DeliveryColumn = {
  column: { title: 'event', field: 'event_type', minWidth: 19 },
  cell: ({ event_type }) => event_type,
};
const STATUS: DeliveryColumn = {
  column: { title: 'status' },
  cell: (delivery) => ({ text: delivery.status, tone: toneOf(delivery) }),
};
const ATTEMPT: DeliveryColumn = {
  column: { title: 'attempt', align: 'right', dropOrder: 3 },
  cell: ({ attempt }) => attempt,
};
const ANSWER: DeliveryColumn = {
  column: { title: 'answer', field: 'response_status', align: 'right', dropOrder: 1 },
  cell: ({ response_status }) => response_status,
};
const DURATION: DeliveryColumn = {
  column: { title: 'ms', field: 'duration_ms', align: 'right', dropOrder: 0 },
  cell: ({ duration_ms }) => duration_ms,
};
const NEXT: DeliveryColumn = {
  column: { title: 'next attempt', field: 'next_attempt_at', dropOrder: 2 },
  cell: ({ next_attempt_at }, now) => timeCell(next_attempt_at, now),
};
const ERROR: DeliveryColumn = { column: { title: 'error', minWidth: 12 }, cell: ({ error }) => error };

const SCRIPT_COLUMNS = [ID, CREATED, EVENT, STATUS, ATTEMPT, ANSWER, DURATION, NEXT, ERROR];
const SCREEN_COLUMNS = [STATUS, EVENT, CREATED, ERROR, ATTEMPT, NEXT, ANSWER, DURATION, ID];

// The service document shows only the status `failed`. For other words the time of delivery decides.
function toneOf(delivery: WebhookDelivery): Tone | undefined {
  if (delivery.status === 'failed') {
    return 'red';
  }
  return delivery.delivered_at ? 'green' : 'yellow';
}
