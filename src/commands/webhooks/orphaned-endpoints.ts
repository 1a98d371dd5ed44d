import { shellWord, terminalSafe } from '../../base/lib/text.ts';
import { isSameText } from '../../wire/same-value.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import type { Invocation } from '../framework/invocation.ts';
import { withPasteableLastCommand } from '../framework/output/command-to-paste.ts';
import { writeNote } from '../framework/output/print.ts';

/**
 * An endpoint that an earlier attempt may have created. The response to that attempt was lost, and only this response
 * had the secret.
 */
export type OrphanedEndpoint = Pick<WebhookEndpoint, 'id' | 'url'>;

// svc knows the service's time only in whole seconds, from `Date` headers. So `created_at` may look up to two seconds
// earlier than the first attempt.
const TOLERANCE_MS = 2_000;

/**
 * The endpoints with this description that were created since the first attempt (W1). `begunAt` is the time of that
 * attempt, by the service's clock. If svc had no response before, it is a time of the local clock. `skewMs` is the
 * difference between the two clocks.
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

/** Writes a note that names each orphaned endpoint, with the command that deletes it. */
export function noteOrphans(orphaned: readonly OrphanedEndpoint[], { argv, context }: Invocation<unknown>): void {
  for (const endpoint of orphaned) {
    writeNote(context, withPasteableLastCommand(orphanNote(endpoint), argv, context));
  }
}

function orphanNote({ id, url }: OrphanedEndpoint): string {
  return `An earlier attempt created another endpoint for ${terminalSafe(url)}. Delete it unless you have its secret: svc webhooks delete ${shellWord(id)}`;
}
