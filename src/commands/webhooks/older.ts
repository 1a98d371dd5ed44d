import { listWebhooks } from '../../api/resources/webhooks.ts';
import type { Context } from '../../base/context.ts';
import { safe } from '../../base/lib/text.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import { gather } from '../framework/output/print.ts';
import type { Account } from '../framework/settings/account.ts';

/** An endpoint that an earlier attempt may have made, and whose secret may be lost. */
export type Older = Pick<WebhookEndpoint, 'id' | 'url'>;

interface Looking {
  readonly account: Account;
  readonly plan: { readonly url: string; readonly description?: string | undefined };
  readonly context: Context;
}

// `Date` headers count whole seconds.
const TOLERANCE_MS = 2_000;

/**
 * Endpoints like the planned one that came into being since its first attempt (rule W1). `begunAt` is service time, or
 * local time where nothing was answered before it.
 */
export async function madeSince(begunAt: number, { account, plan, context }: Looking): Promise<Older[]> {
  const { client } = account;
  const endpoints = await gather(listWebhooks(client, { signal: context.signal }));
  const skewMs = client.serverNow() - context.clock.now();
  const since = Math.min(begunAt, begunAt + skewMs) - TOLERANCE_MS;
  return endpoints
    .filter(
      ({ url, description, created_at }) =>
        url === plan.url && (description ?? '') === (plan.description ?? '') && !(Date.parse(created_at) < since),
    )
    .map(({ id, url }) => ({ id, url }));
}

/** Names it with the command that deletes it. */
export function olderNote({ id, url }: Older): string {
  return `An earlier attempt made another endpoint for ${safe(url)}. Unless somebody holds its secret: svc webhooks delete ${safe(id)}`;
}
