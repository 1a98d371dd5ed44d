import { sumOf } from '../../base/lib/rows.ts';
import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import { ANSWER_COLUMN, EVENT_COLUMN } from '../../render/lists/deliveries.ts';
import { timeCell } from '../../render/text/cell.ts';
import type { Style } from '../../render/text/style.ts';
import { type ItemColumn, itemTable, renderTable } from '../../render/text/table.ts';
import { wrapText } from '../../render/text/wrap.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { WebhookDelivery } from '../../wire/shapes.ts';

/**
 * Deliveries with the same status, event type and error. `response_status` is the HTTP status of their responses, null
 * if they differ. `oldest_at` and `newest_at` say when the oldest and the newest of them were created.
 */
interface DeliveryGroup {
  readonly status: string;
  readonly event_type: string;
  readonly error: string | null;
  readonly response_status: number | null;
  readonly count: number;
  readonly oldest_at: string;
  readonly newest_at: string;
  /** How many of these deliveries the service deletes within three days. */
  readonly expiring: number;
}

/**
 * What `webhooks deliveries --summary --json` prints. `resend` lists the failed deliveries. The delivery that the
 * service deletes first comes first.
 */
interface DeliverySummary {
  readonly object: 'delivery_summary';
  readonly endpoint_id: string;
  readonly deliveries: number;
  readonly groups: readonly DeliveryGroup[];
  readonly expiring: number;
  readonly resend: readonly { readonly id: string; readonly event_id: string; readonly expires_at: string }[];
}

const SOON_MS = 3 * 24 * 3_600_000;

/**
 * Collects deliveries of an endpoint one by one, in little memory. `end` returns their summary, with the largest group
 * first. `now` decides which deliveries count as deleted soon.
 */
export function createDeliverySums(endpointId: string, now: number) {
  const groups = new Map<string, DeliveryGroup>();
  const failed: { id: string; event_id: string; expires_at: string }[] = [];
  let deliveries = 0;
  return {
    add(delivery: WebhookDelivery): void {
      const key = keyOf(delivery);
      const expires = Date.parse(delivery.created_at) + LIMITS.webhookRetentionMs;
      groups.set(key, withDelivery(groups.get(key), delivery, expires - now < SOON_MS));
      deliveries += 1;
      if (delivery.status === 'failed') {
        failed.push({ id: delivery.id, event_id: delivery.event_id, expires_at: isoOf(expires) });
      }
    },
    end: (): DeliverySummary => ({
      object: 'delivery_summary',
      endpoint_id: endpointId,
      deliveries,
      groups: [...groups.values()].toSorted((a, b) => b.count - a.count),
      expiring: sumOf(groups.values().map((group) => group.expiring)),
      resend: failed.toSorted((a, b) => (a.expires_at < b.expires_at ? -1 : 1)),
    }),
  };
}

function keyOf({ error, status, event_type }: WebhookDelivery): string {
  return JSON.stringify([error ?? null, status, event_type]);
}

function withDelivery(group: DeliveryGroup | undefined, delivery: WebhookDelivery, isExpiring: boolean): DeliveryGroup {
  const { status, event_type, error, created_at } = delivery;
  const response_status = delivery.response_status ?? null;
  const { count = 0, oldest_at = created_at, newest_at = created_at, expiring: expiringBefore = 0 } = group ?? {};
  return {
    status,
    event_type,
    error: error ?? null,
    response_status: group && group.response_status !== response_status ? null : response_status,
    count: count + 1,
    oldest_at: created_at < oldest_at ? created_at : oldest_at,
    newest_at: created_at > newest_at ? created_at : newest_at,
    expiring: expiringBefore + (isExpiring ? 1 : 0),
  };
}

/** A time in the format of the service. Empty if the delivery had no valid date. */
function isoOf(ms: number): string {
  return Number.isNaN(new Date(ms).getTime()) ? '' : new Date(ms).toISOString();
}

/** The present time, and the command that prints the ids of all failed deliveries. */
interface SummaryContext {
  readonly now: number;
  readonly allIds: string;
}

/**
 * The summary as text: a sentence, the groups, and the failed deliveries. The text names the app, because only the app
 * can send a failed delivery again. Without a terminal it has only the groups.
 */
export function summaryText(summary: DeliverySummary, about: SummaryContext, style: Style): string {
  const groups = itemTable(groupColumns(about.now), summary.groups, style, SCREEN_ORDER);
  if (style.columns === undefined) {
    return groups;
  }
  return `${paragraph(sentenceOf(summary), style)}${groups}${resendText(summary, about, style)}`;
}

const IN_WORDS: ReadonlyMap<string, string> = new Map([
  ['failed', 'failed for good'],
  ['pending', 'waiting for the next attempt'],
]);

function sentenceOf({ endpoint_id, deliveries, groups }: DeliverySummary): string {
  const byStatus = Map.groupBy(groups, ({ status }) => status);
  const parts = [...byStatus].map(([status, same]) => {
    const count = sumOf(same.map((group) => group.count));
    return `${formatNumber(count)} ${IN_WORDS.get(status) ?? status}`;
  });
  const head = `${deliveries === 0 ? 'No deliveries' : plural(deliveries, 'delivery')} to ${endpoint_id} in the last 30 days`;
  return parts.length === 0 ? `${head}.` : `${head}: ${parts.join(', ')}.`;
}

const SCREEN_ORDER = ['status', 'count', 'event', 'error', 'newest', 'oldest', 'answer'];

function groupColumns(now: number): readonly ItemColumn<DeliveryGroup>[] {
  return [
    { title: 'count', align: 'right', cell: ({ count }) => ({ text: formatNumber(count), raw: count }) },
    { title: 'status', cell: ({ status }) => ({ text: status, tone: status === 'failed' ? 'red' : undefined }) },
    EVENT_COLUMN,
    ANSWER_COLUMN,
    { title: 'error', minWidth: 12, cell: ({ error }) => error },
    { title: 'left < 3 d', field: 'expiring', align: 'right', cell: ({ expiring }) => expiring },
    { title: 'oldest', field: 'oldest_at', dropOrder: 2, cell: ({ oldest_at }) => timeCell(oldest_at, now) },
    { title: 'newest', field: 'newest_at', dropOrder: 3, cell: ({ newest_at }) => timeCell(newest_at, now) },
  ];
}

const MAX_SHOWN = 20;

function resendText({ resend, endpoint_id }: DeliverySummary, { now, allIds }: SummaryContext, style: Style): string {
  if (resend.length === 0) {
    return '';
  }
  const expiring = resend.filter(({ expires_at }) => Date.parse(expires_at) - now < SOON_MS).length;
  const soon = expiring > 0 ? ` The service deletes ${formatNumber(expiring)} of them within 3 days.` : '';
  const where = `Only the app can send failed deliveries again: open the delivery log of ${endpoint_id} there.${soon}`;
  const rows = resend
    .slice(0, MAX_SHOWN)
    .map(({ id, event_id, expires_at }) => [id, timeCell(expires_at, now), event_id]);
  const columns = [{ title: 'delivery', neverCut: true }, { title: 'deleted' }, { title: 'event', dropOrder: 1 }];
  const more = resend.length - rows.length;
  const rest = more > 0 ? `and ${formatNumber(more)} more, which are deleted later. All of them:\n  ${allIds}\n` : '';
  return `\n${paragraph(where, style)}${renderTable(columns, rows, style)}${rest}`;
}

function paragraph(text: string, style: Style): string {
  return `${wrapText(terminalSafe(text), style.columns).join('\n')}\n`;
}
