import type { Client } from '../../api/client.ts';
import { listWebhooks } from '../../api/resources/webhooks.ts';
import { shellWord, terminalSafe } from '../../base/lib/text.ts';
import { isSameText, isSameUrl } from '../../wire/same-value.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';

/** An endpoint that an earlier attempt may have created. The response was lost, and the secret with it. */
export type OrphanedEndpoint = Pick<WebhookEndpoint, 'id' | 'url'>;

// svc knows the service's time in whole seconds only, from `Date` headers. So `created_at` may look up to two seconds
// too early.
const TOLERANCE_MS = 2_000;

/** The endpoints of the account with this URL, also if the service writes it in another form. */
export async function listEndpointsWithUrl(
  client: Client,
  url: string,
  signal: AbortSignal,
): Promise<WebhookEndpoint[]> {
  const endpoints = await Array.fromAsync(listWebhooks(client, { signal }));
  return endpoints.filter((endpoint) => isSameUrl(endpoint.url, url));
}

/**
 * The endpoints with the planned description that were created since the first attempt (W1). `begunAt` is the time of
 * that attempt: by the service's clock, or by the local clock if svc had no response before. `skewMs` is the difference
 * of the two clocks.
 */
export function findOrphanedEndpoints(
  endpoints: readonly WebhookEndpoint[],
  planned: string | undefined,
  begunAt: number,
  skewMs: number,
): OrphanedEndpoint[] {
  const since = Math.min(begunAt, begunAt + skewMs) - TOLERANCE_MS;
  return endpoints
    .filter(({ description, created_at }) => isSameText(description, planned) && !(Date.parse(created_at) < since))
    .map(({ id, url }) => ({ id, url }));
}

/** The note about an orphaned endpoint, with the command that deletes it. */
export function orphanNote({ id, url }: OrphanedEndpoint): string {
  return `An earlier attempt created another endpoint for ${terminalSafe(url)}. Delete it unless you have its secret: svc webhooks delete ${shellWord(id)}`;
}
