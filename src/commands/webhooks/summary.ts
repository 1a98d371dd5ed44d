import { formatNumber, plural, safe } from '../../base/lib/text.ts';
import { timeCell } from '../../render/table/cell.ts';
import { table } from '../../render/table/table.ts';
import type { Style } from '../../render/text/style.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { WebhookDelivery } from '../../wire/shapes.ts';

/** Deliveries that share error, status and event type. Times are creation times. */
interface DeliveryGroup {
  readonly status: string;
  readonly event_type: string;
  readonly error: string | null;
  readonly response_status: number | null;
  readonly count: number;
  readonly oldest_at: string;
  readonly newest_at: string;
  /** How many the service deletes within three days. */
  readonly expiring: number;
}

/** `webhooks deliveries --summary`. `resend` holds failed deliveries, in the order in which they expire. */
interface DeliverySummary {
  readonly object: 'delivery_summary';
  readonly endpoint_id: string;
  readonly deliveries: number;
  readonly groups: readonly DeliveryGroup[];
  readonly expiring: number;
  readonly resend: readonly { readonly id: string; readonly event_id: string; readonly expires_at: string }[];
}

/** Collects deliveries one by one, and keeps only groups and failures. */
interface DeliverySums {
  add(delivery: WebhookDelivery): void;
  end(): DeliverySummary;
}

const SOON_MS = 3 * 24 * 3_600_000;

/** Summarizes the deliveries of an endpoint at `now` (service time). The largest groups come first. */
export function createDeliverySums(endpointId: string, now: number): DeliverySums {
  const groups = new Map<string, DeliveryGroup>();
  const failed: { id: string; event_id: string; expires_at: string }[] = [];
  let deliveries = 0;
  return {
    add(delivery) {
      const key = keyOf(delivery);
      const expires = Date.parse(delivery.created_at) + LIMITS.webhookRetentionMs;
      groups.set(key, added(groups.get(key), delivery, expires - now < SOON_MS));
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

function added(group: DeliveryGroup | undefined, delivery: WebhookDelivery, expiring: boolean): DeliveryGroup {
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

/** The time as the service writes it; empty where the delivery has no valid time. */
function isoOf(ms: number): string {
  return Number.isNaN(new Date(ms).getTime()) ? '' : new Date(ms).toISOString();
}

/** The summary as text: groups, deliveries that expire soon, and ids to resend in the app, because the API cannot. */
export function summaryText(summary: DeliverySummary, now: number, style: Style): string {
  if (summary.deliveries === 0) {
    return style.columns === undefined ? '' : 'No deliveries.\n';
  }
  const groups = groupsTable(summary, now, style);
  return style.columns === undefined ? groups : `${groups}${foot(summary, now, style)}`;
}

function groupsTable({ groups }: DeliverySummary, now: number, style: Style): string {
  return table(
    [
      { title: 'count', align: 'right' },
      { title: 'status' },
      { title: 'event', minWidth: 19 },
      { title: 'answer', align: 'right', dropOrder: 3 },
      { title: 'error' },
      { title: 'left < 3 d', align: 'right' },
      { title: 'oldest', dropOrder: 2 },
      { title: 'newest', dropOrder: 1 },
    ],
    groups.map((group) => [
      { text: formatNumber(group.count), raw: group.count },
      { text: group.status, tone: group.status === 'failed' ? ('red' as const) : undefined },
      group.event_type,
      group.response_status,
      group.error,
      { text: String(group.expiring), tone: group.expiring > 0 ? ('yellow' as const) : ('dim' as const) },
      timeCell(group.oldest_at, now),
      timeCell(group.newest_at, now),
    ]),
    style,
  );
}

const SHOWN_AT_MOST = 20;

function foot({ endpoint_id, resend, expiring, deliveries }: DeliverySummary, now: number, style: Style): string {
  const soon = expiring > 0 ? `, ${formatNumber(expiring)} with under 3 days left of their 30` : '';
  const head = `\n${plural(deliveries, 'delivery')}${soon}.\n`;
  if (resend.length === 0) {
    return head;
  }
  const rows = resend
    .slice(0, SHOWN_AT_MOST)
    .map(({ id, event_id, expires_at }) => [id, event_id, timeCell(expires_at, now)]);
  const columns = [
    { title: 'to resend in the app', whole: true },
    { title: 'event', whole: true },
    { title: 'expires' },
  ];
  const why = `${plural(resend.length, 'delivery')} failed for good. The API can't send ${resend.length === 1 ? 'it' : 'them'} again; the app can:`;
  const more = resend.length - rows.length;
  const all = `svc webhooks deliveries ${safe(endpoint_id)} --summary --json`;
  const rest = more > 0 ? `and ${formatNumber(more)} more that expire later. All of them:\n  ${all}\n` : '';
  return `${head}${safe(why)}\n${table(columns, rows, style)}${rest}`;
}
