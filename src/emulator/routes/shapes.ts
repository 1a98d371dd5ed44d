import type { Audience, Automation, Contact, WebhookDelivery, WebhookEndpoint } from '../../wire/shapes.ts';
import { type Ids, timestamp, timestampOrNull } from '../domain/formats.ts';
import type { Answer } from '../http/envelope.ts';
import type { AudienceRow } from '../store/audiences.ts';
import type { AutomationRow } from '../store/automations.ts';
import type { ContactRow } from '../store/contacts.ts';
import { parseList } from '../store/organizations.ts';
import type { DeliveryRow, WebhookRow } from '../store/webhooks.ts';

/** An audience as a list item: without counts. */
export function audienceItem(ids: Ids, row: AudienceRow): Audience {
  const { seq, name, created_at, updated_at } = row;
  const times = { created_at: timestamp(created_at), updated_at: timestamp(updated_at) };
  return { id: ids.make('audience', seq), object: 'audience', name, ...times };
}

/** An audience as retrieved alone: with counts. */
export function audienceWithCounts(ids: Ids, row: AudienceRow): Audience {
  const { created_at, updated_at, ...head } = audienceItem(ids, row);
  const { subscribed, unsubscribed, total } = row;
  return { ...head, contact_counts: { subscribed, unsubscribed, total }, created_at, updated_at };
}

/** An automation as listed. */
export function automationItem(ids: Ids, row: AutomationRow): Automation {
  return {
    id: ids.make('automation', row.seq),
    object: 'automation',
    name: row.name,
    status: row.status,
    trigger: row.trigger,
    audience_id: ids.make('audience', row.audience),
    live_version: row.live_version,
    sandbox: row.sandbox === 1,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** A contact. `topics` is present only for `expand=topics`. */
export function contactItem(ids: Ids, row: ContactRow, expand: { topics: boolean }): Contact {
  return {
    id: ids.make('contact', row.seq),
    object: 'contact',
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    status: row.status,
    unsubscribed_at: timestampOrNull(row.unsubscribed_at),
    attributes: JSON.parse(row.attributes),
    ...(expand.topics ? { topics: JSON.parse(row.topics) } : {}),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** An endpoint without its secret, which only the answer to its creation holds. */
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

/** A delivery as the log shows it, without the signed payload. */
export function deliveryItem(ids: Ids, row: DeliveryRow): WebhookDelivery {
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

/** The delete confirmation (document, "Common shapes" and "Versioning" 5). */
export function deletedAnswer(id: string): Answer {
  return { status: 200, body: { id, deleted: true } };
}
