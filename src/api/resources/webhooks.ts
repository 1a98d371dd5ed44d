import { isRecord } from '../../base/lib/json.ts';
import { isSameUrl } from '../../wire/same-value.ts';
import type { DeleteConfirmation, WebhookDelivery, WebhookEndpoint } from '../../wire/shapes.ts';
import type { CallOptions, Client } from '../client.ts';
import { refuseWrongId } from '../http/api-error.ts';
import type { SendOptions, WriteOutcome } from '../retry/key-source.ts';
import { deleteObject } from './deletion.ts';
import { checkId, requireSameId } from './ids.ts';
import { createObjectDecoder, createObjectReader, encodeJsonBody } from './json-bodies.ts';
import { type ListOptions, listAll, MAX_PAGES_OF_LONG_LISTS } from './pages.ts';

/** A new webhook endpoint. The service checks its URL and events. */
export interface NewWebhookEndpoint {
  readonly url: string;
  readonly events: readonly string[];
  readonly description?: string | undefined;
}

/** Changes of an endpoint. `events` replaces the whole list (W3). Values are sent unchanged. */
export interface WebhookEndpointChange extends Partial<NewWebhookEndpoint> {
  readonly status?: string | undefined;
}

/** GET /v1/webhooks, all pages. Without the scope `webhooks:manage` the response is a 403, never an empty list (W2). */
export function listWebhookEndpoints(client: Client, options: ListOptions = {}): AsyncGenerator<WebhookEndpoint> {
  return listAll(client, { segments: ['webhooks'], decode: decodeWithoutSecret, ...options });
}

/** The endpoints of the account with this URL, even if the service writes it in another form. */
export async function listWebhookEndpointsWithUrl(
  client: Client,
  url: string,
  signal: AbortSignal,
): Promise<WebhookEndpoint[]> {
  const endpoints = await Array.fromAsync(listWebhookEndpoints(client, { signal }));
  return endpoints.filter((endpoint) => isSameUrl(endpoint.url, url));
}

/** GET /v1/webhooks/{id}. An unknown id is a usage error. Throws if the response has a different id. */
export async function getWebhookEndpoint(client: Client, id: string, options?: CallOptions): Promise<WebhookEndpoint> {
  const json = await client.get(segmentsOf(id), {}, options).catch(refuseWrongId(`endpoint ${id}`));
  return requireSameId(decodeWithoutSecret(json), 'endpoint', id);
}

/**
 * POST /v1/webhooks. After an unknown outcome it is repeated only with the same key and within 4 min 30 s. Later, the
 * service could create a second endpoint (I4). A caller that first checks which endpoints exist may repeat the request
 * for another 4 min 30 s (W1). Only a replay may lack the secret: the document says that a secret is shown only once.
 */
export function createWebhookEndpoint(
  client: Client,
  { url, events, description }: NewWebhookEndpoint,
  { keySource, signal }: SendOptions,
): Promise<WriteOutcome<WebhookEndpoint>> {
  const body = encodeJsonBody({ url, events, description });
  return client.post(
    { ...keySource, segments: ['webhooks'], body, policy: 'once', parseResponse: readCreated },
    signal,
  );
}

/** PATCH /v1/webhooks/{id}. Throws if the response has a different id. */
export async function updateWebhookEndpoint(
  client: Client,
  id: string,
  { change, signal }: { readonly change: WebhookEndpointChange } & CallOptions,
): Promise<WebhookEndpoint> {
  const { url, events, description, status } = change;
  const body = encodeJsonBody({ url, events, description, status });
  const { json } = await client
    .mutate({ method: 'PATCH', segments: segmentsOf(id), body }, { signal })
    .catch(refuseWrongId(`endpoint ${id}`));
  return requireSameId(decodeWithoutSecret(json), 'endpoint', id);
}

/** DELETE /v1/webhooks/{id}: deletes the endpoint and its delivery history. */
export async function deleteWebhookEndpoint(
  client: Client,
  id: string,
  options?: CallOptions,
): Promise<DeleteConfirmation> {
  return deleteObject(client, { kind: 'webhooks', id: checkId('webhook', id), what: `endpoint ${id}` }, options);
}

/**
 * GET /v1/webhooks/{id}/deliveries, newest first. The document does not show the words of `status`, so svc sends it
 * unchanged.
 */
export async function* listDeliveries(
  client: Client,
  id: string,
  { status, ...options }: ListOptions & { readonly status?: string | undefined } = {},
): AsyncGenerator<WebhookDelivery> {
  const segments = [...segmentsOf(id), 'deliveries'];
  try {
    const maxPages = MAX_PAGES_OF_LONG_LISTS;
    yield* listAll(client, { segments, query: { status }, decode: decodeDelivery, maxPages, ...options });
  } catch (error) {
    refuseWrongId(`endpoint ${id}`)(error);
  }
}

/** Decodes an endpoint without its secret, because svc shows a secret only when it creates the endpoint (K8). */
function decodeWithoutSecret(json: unknown): WebhookEndpoint {
  const { secret: _, ...endpoint } = isRecord(json) ? json : {};
  return decodeEndpoint(endpoint);
}

const decodeEndpoint = createObjectDecoder<WebhookEndpoint>('a webhook endpoint', {
  id: 'string',
  url: 'string',
  events: 'strings',
  status: 'string',
  description: 'string?',
  consecutive_failures: 'count?',
  last_success_at: 'string|null',
  last_failure_at: 'string|null',
  last_error: 'string|null',
  created_at: 'string?',
});
const decodeDelivery = createObjectDecoder<WebhookDelivery>('a delivery', {
  id: 'string',
  event_type: 'string',
  status: 'string',
  event_id: 'string?',
  attempt: 'number?',
  response_status: 'number|null',
  error: 'string|null',
  duration_ms: 'number|null',
  next_attempt_at: 'string|null',
  delivered_at: 'string|null',
  created_at: 'string?',
});
const readEndpoint = createObjectReader<WebhookEndpoint>({ id: 'string', url: 'string', secret: 'string?' });

/** The created endpoint. Undefined if the secret is missing and this is no replay: only a replay may lack it (O4). */
function readCreated(json: unknown, replayed: boolean): WebhookEndpoint | undefined {
  const endpoint = readEndpoint(json);
  return replayed || endpoint?.secret ? endpoint : undefined;
}

function segmentsOf(id: string): readonly string[] {
  return ['webhooks', checkId('webhook', id)];
}
