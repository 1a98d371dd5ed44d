import { ApiError } from '../../api/api-error.ts';
import type { Client } from '../../api/client.ts';
import { type CountedAudience, getAudience, listAudiences } from '../../api/resources/audiences.ts';
import { listAutomations } from '../../api/resources/automations.ts';
import { listWebhooks } from '../../api/resources/webhooks.ts';
import type { Automation, WebhookEndpoint } from '../../wire/shapes.ts';
import { gather } from '../framework/output/print.ts';

/** Everything that `doctor` reads of an account. */
export interface AccountRead {
  readonly audiences: readonly CountedAudience[];
  readonly automations: readonly Automation[];
  /** The refusal where the key may not read them (rule W2). */
  readonly webhooks: readonly WebhookEndpoint[] | ApiError;
}

/** Reads audiences with their counts, automations and webhooks, all pages. Throws what the first read met. */
export async function readAccount(client: Client, signal: AbortSignal): Promise<AccountRead> {
  const audiences: CountedAudience[] = [];
  for await (const { id } of listAudiences(client, { signal })) {
    audiences.push(await getAudience(client, id, { signal }));
  }
  const automations = await gather(listAutomations(client, { signal }));
  return { audiences, automations, webhooks: await readWebhooks(client, signal) };
}

async function readWebhooks(client: Client, signal: AbortSignal): Promise<AccountRead['webhooks']> {
  try {
    return await gather(listWebhooks(client, { signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) {
      return error;
    }
    throw error;
  }
}
