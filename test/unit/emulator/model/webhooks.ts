import { type ModelContext, type Organization, timestamp } from './account.ts';
import { AnyOf, Matcher, SOME_TEXT } from './expectation.ts';
import { invalid, type Outcome, ok, refuseAny } from './refusals.ts';
import type { Fields, Webhook } from './shapes.ts';

export const EVENT_TYPES = [
  'email.sent',
  'email.delivered',
  'email.bounced',
  'email.complained',
  'email.failed',
  'suppression.created',
];

/** Endpoints that are not deleted. */
export const liveWebhooks = ({ webhooks }: Organization) => webhooks.filter(({ isDeleted }) => !isDeleted);

/** POST /v1/webhooks. The response is the only one that ever has the secret. */
export function createWebhook(organization: Organization, body: Fields, context: ModelContext): Outcome {
  const refusals = [
    ...(body.url === undefined ? [invalid('url')] : []),
    ...(body.events === undefined ? [invalid('events')] : []),
    ...wrongFields({ ...body, status: undefined }),
  ];
  if (refusals.length > 0) {
    return refuseAny(refusals);
  }
  const webhook: Webhook = {
    id: context.nextSymbol('whe'),
    url: String(body.url),
    description: body.description as string | undefined,
    events: body.events as string[],
    status: 'active',
    consecutive_failures: 0,
    last_success_at: null,
    last_failure_at: null,
    failedLast: false,
    created_at: timestamp(context.now()),
    deliveries: [],
    isDeleted: false,
  };
  organization.webhooks.push(webhook);
  return ok({ ...webhookRecord(webhook), secret: SOME_TEXT }, 201);
}

/** PATCH /v1/webhooks/{webhook_id}: any of four fields; `events` replaces the list. */
export function changeWebhook(webhook: Webhook, body: Fields): Outcome {
  const refusals = wrongFields(body);
  if (refusals.length > 0) {
    return refuseAny(refusals);
  }
  const { url, description, events, status } = body as Partial<Webhook>;
  webhook.url = url ?? webhook.url;
  webhook.description = description ?? webhook.description;
  webhook.events = events ?? webhook.events;
  webhook.status = status ?? webhook.status;
  return ok(webhookRecord(webhook));
}

/** DELETE removes the endpoint and its delivery history. */
export function deleteWebhook(webhook: Webhook): Outcome {
  webhook.isDeleted = true;
  webhook.deliveries.length = 0;
  return ok({ id: webhook.id, deleted: true });
}

function wrongFields({ url, events, description, status }: Fields): Outcome[] {
  const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === 'string';
  return [
    ...(url === undefined || isPublicUrl(url) ? [] : [invalid('url')]),
    ...(events === undefined || areEvents(events) ? [] : [invalid('events')]),
    ...(isTextOrAbsent(description) ? [] : [invalid('description')]),
    ...(isTextOrAbsent(status) ? [] : [invalid('status')]),
  ];
}

// Note event_types: at least one, and each is in the table of the document.
function areEvents(events: unknown): boolean {
  return Array.isArray(events) && events.length > 0 && events.every((event) => EVENT_TYPES.includes(event));
}

const NOT_PUBLIC =
  /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[::1\]|\[f[cd]|metadata\.google\.internal$)/;

/** "public https, port 443 or 8443"; loopback, private and metadata addresses are refused */
function isPublicUrl(text: unknown): boolean {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && ['', '443', '8443'].includes(url.port) && !NOT_PUBLIC.test(url.hostname);
}

const NO_DESCRIPTION = new Matcher('no description', (value) => value === undefined || value === null || value === '');

/** The record of an endpoint. It has no secret. */
export function webhookRecord(webhook: Webhook): Fields {
  const { id, url, description, events, status, created_at } = webhook;
  const { consecutive_failures, last_success_at, last_failure_at, failedLast } = webhook;
  const afterSuccess = last_failure_at === null ? null : new AnyOf([null, SOME_TEXT]);
  return {
    id,
    object: 'webhook_endpoint',
    url,
    description: description ?? NO_DESCRIPTION,
    events,
    status,
    consecutive_failures,
    last_success_at,
    last_failure_at,
    last_error: failedLast ? SOME_TEXT : afterSuccess,
    created_at,
  };
}
