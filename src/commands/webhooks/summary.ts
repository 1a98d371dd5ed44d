import { LIMITS } from '../../wire/limits.ts';
import type { WebhookDelivery } from '../../wire/shapes.ts';

/** Deliveries that share error, status and event type. Times are those of the deliveries' creation. */
export interface DeliveryGroup {
  readonly status: string;
  readonly event_type: string;
  readonly error: string | null;
  readonly response_status: number | null;
  readonly count: number;
  readonly oldest_at: string;
  readonly newest_at: string;
  /** How many of them the service forgets within three days. */
  readonly expiring: number;
}

/** `webhooks deliveries --summary`. `resend` holds failed deliveries, those first that are forgotten first. */
export interface DeliverySummary {
  readonly object: 'delivery_summary';
  readonly endpoint_id: string;
  readonly deliveries: number;
  readonly groups: readonly DeliveryGroup[];
  readonly expiring: number;
  readonly resend: readonly { readonly id: string; readonly event_id: string; readonly expires_at: string }[];
}

/** Takes deliveries one by one, so that only groups and failures are kept. */
export interface Summing {
  add(delivery: WebhookDelivery): void;
  end(): DeliverySummary;
}

const SOON_MS = 3 * 24 * 3_600_000;

/** Sums up the deliveries of an endpoint as of `now` (service time). Largest groups first. */
export function createSumming(endpointId: string, now: number): Summing {
  const groups = new Map<string, DeliveryGroup>();
  const failed: { id: string; event_id: string; expires_at: string }[] = [];
  let deliveries = 0;
  return {
    add(delivery) {
      const key = keyOf(delivery);
      const expires = Date.parse(delivery.created_at) + LIMITS.webhookRetentionMs;
      groups.set(key, grown(groups.get(key), delivery, expires - now < SOON_MS));
      deliveries += 1;
      if (delivery.status === 'failed') {
        failed.push({ id: delivery.id, event_id: delivery.event_id, expires_at: isoOf(expires) });
      }
    },
    end: () => ({
      object: 'delivery_summary',
      endpoint_id: endpointId,
      deliveries,
      groups: [...groups.values()].toSorted((a, b) => b.count - a.count),
      expiring: [...groups.values()].reduce((sum, group) => sum + group.expiring, 0),
      resend: failed.toSorted((a, b) => (a.expires_at < b.expires_at ? -1 : 1)),
    }),
  };
}

function keyOf({ error, status, event_type, response_status }: WebhookDelivery): string {
  return JSON.stringify([error ?? null, status, event_type, response_status ?? null]);
}

function grown(group: DeliveryGroup | undefined, delivery: WebhookDelivery, expiring: boolean): DeliveryGroup {
  const { status, event_type, error, response_status, created_at } = delivery;
  const { count = 0, oldest_at = created_at, newest_at = created_at, expiring: before = 0 } = group ?? {};
  return {
    status,
    event_type,
    error: error ?? null,
    response_status: response_status ?? null,
    count: count + 1,
    oldest_at: created_at < oldest_at ? created_at : oldest_at,
    newest_at: created_at > newest_at ? created_at : newest_at,
    expiring: before + (expiring ? 1 : 0),
  };
}

/** The time as the service writes it; nothing where the delivery had no time that can be read. */
function isoOf(ms: number): string {
  return Number.isNaN(new Date(ms).getTime()) ? '' : new Date(ms).toISOString();
}
