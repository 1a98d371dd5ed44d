import {
  type CreatedWebhookEndpoint,
  createWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpointsWithUrl,
  type NewWebhookEndpoint,
} from '../../api/resources/webhooks.ts';
import { isKeyExpired } from '../../api/retry/key-expiry.ts';
import { shellWord, terminalSafe } from '../../base/lib/text.ts';
import { objectText } from '../../render/text/object.ts';
import { type CreationResult, createIdempotently } from '../../sending/create-idempotently.ts';
import { type CreationRun, findOpenCreation, recordedResponse } from '../../sending/creation-record.ts';
import { readBackResource } from '../../sending/read-created.ts';
import { isSameText } from '../../wire/same-value.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import { noteSameName } from '../framework/find-id.ts';
import type { Invocation } from '../framework/invocation.ts';
import { withPasteableLastCommand } from '../framework/output/command-to-paste.ts';
import { print, writeNote } from '../framework/output/print.ts';
import { openSecretFile, type SecretFile, secretHash } from './secret-file.ts';

/** The endpoint to create. The run stores it for a resume. `secret_file` is an absolute path. */
export interface EndpointPlan extends NewWebhookEndpoint {
  readonly secret_file?: string | undefined;
}

/**
 * What run.db records about the response. The hash shows whether the secret file already has the secret. Runs of
 * earlier versions recorded no `created_at`.
 */
interface RecordedEndpoint extends Pick<WebhookEndpoint, 'id'>, Partial<Pick<WebhookEndpoint, 'created_at'>> {
  readonly secret_hash: string;
  readonly orphaned: readonly OrphanedEndpoint[];
}

/**
 * An endpoint that an earlier attempt may have created. The response to that attempt was lost, and only this response
 * had the secret.
 */
type OrphanedEndpoint = Pick<WebhookEndpoint, 'id' | 'url'>;

// svc knows the service's time only in whole seconds, from `Date` headers. So `created_at` may look up to two seconds
// earlier than the first attempt.
const TOLERANCE_MS = 2_000;

/**
 * Creates the endpoint, stores its secret and prints the endpoint. Opens the secret file before the request, and
 * deletes it again if it stays empty. Returns the response, or undefined if an earlier process received it.
 */
export async function createEndpointWithSecretFile(
  run: CreationRun,
  invocation: Invocation<unknown>,
  plan: EndpointPlan,
): Promise<CreatedWebhookEndpoint | undefined> {
  const { user } = invocation.context.platform;
  const { secret_hash: hash } = (recordedResponse(run) as RecordedEndpoint | undefined) ?? {};
  const file = plan.secret_file === undefined ? undefined : openSecretFile(plan.secret_file, { user, hash });
  try {
    const created = await createOnce(run, invocation, plan, file);
    await showCreated(run, invocation, created, file);
    return created.result.response;
  } catch (error) {
    file?.discard();
    throw error;
  } finally {
    file?.close();
  }
}

interface CreatedEndpoint {
  readonly result: CreationResult<CreatedWebhookEndpoint, RecordedEndpoint>;
  readonly withSameUrl: readonly WebhookEndpoint[];
}

/**
 * Creates the endpoint, or repeats an earlier request with the same key. When this returns, the secret is in the file.
 */
async function createOnce(
  run: CreationRun,
  invocation: Invocation<unknown>,
  plan: EndpointPlan,
  file: SecretFile | undefined,
): Promise<CreatedEndpoint> {
  const { context } = invocation;
  const { client } = run;
  const withSameUrl = file?.isFilled ? [] : await listWebhookEndpointsWithUrl(client, plan.url, context.signal);
  const creation = file?.isFilled ? undefined : findOpenCreation(run);
  const skewMs = client.serverNow() - context.clock.now();
  const orphaned = creation ? findOrphanedEndpoints(withSameUrl, plan.description, creation.begunAt, skewMs) : [];
  const result = await createIdempotently<CreatedWebhookEndpoint, RecordedEndpoint>(run, {
    post: (sendOptions) => createWebhookEndpoint(client, endpointOf(plan), sendOptions),
    record: ({ id, secret, created_at }) => ({
      id,
      // The document promises no `created_at` in this response.
      created_at: Number.isNaN(Date.parse(created_at)) ? new Date(client.serverNow()).toISOString() : created_at,
      secret_hash: secretHash(secret),
      orphaned: orphaned.filter((endpoint) => endpoint.id !== id),
    }),
    needsResponse: !file?.isFilled,
    // svc has listed the endpoints, so it would have found one that a lost attempt created. So it may send the same key
    // again, however old the key is (W1).
    newWindow: creation !== undefined && isKeyExpired('once', client.serverNow() - creation.firstSentAt),
    callerDetectsDuplicate: true,
    explain: (refusal) => {
      noteOrphans(orphaned, invocation);
      return refusal;
    },
  });
  const secret = result.response?.secret;
  if (file && secret !== undefined) {
    context.hideSecret(secret, '[secret]');
    file.writeSecret(secret);
  }
  return { result, withSameUrl };
}

function noteOrphans(orphaned: readonly OrphanedEndpoint[], { argv, context }: Invocation<unknown>): void {
  for (const endpoint of orphaned) {
    writeNote(context, withPasteableLastCommand(orphanNote(endpoint), argv, context));
  }
}

/**
 * Prints the endpoint. Notes on stderr name the orphaned endpoints of earlier attempts, and other endpoints with the
 * same URL.
 */
async function showCreated(
  run: CreationRun,
  invocation: Invocation<unknown>,
  { result, withSameUrl }: CreatedEndpoint,
  file: SecretFile | undefined,
): Promise<void> {
  noteOrphans(result.recorded.orphaned, invocation);
  const named = [result.recorded, ...result.recorded.orphaned].map(({ id }) => id);
  const others = withSameUrl.filter(({ id }) => !named.includes(id));
  noteSameName('webhook', others, invocation);
  const endpoint = await readCurrent(run, result, file);
  const secret = file ? { secret_file: file.path } : { secret: result.response?.secret };
  print(invocation, { ...endpoint, ...secret }, objectText);
  if (!file && secret.secret !== undefined) {
    invocation.context.stderr.write('Store the secret now: it is not shown again.\n');
  }
}

export function endpointOf({ url, events, description }: EndpointPlan): NewWebhookEndpoint {
  return { url, events, description };
}

/**
 * The endpoint as it is now. svc reads the endpoint after a replay, because it may have been changed or deleted since
 * (I7).
 */
async function readCurrent(
  run: CreationRun,
  result: CreationResult<CreatedWebhookEndpoint, RecordedEndpoint>,
  file: SecretFile | undefined,
): Promise<WebhookEndpoint> {
  const { client, signal } = run;
  const { id, created_at: createdAt } = result.recorded;
  if (result.kind === 'created') {
    const { secret: _, ...endpoint } = result.response;
    return endpoint;
  }
  return readBackResource(run, {
    what: `endpoint ${id}`,
    read: () => getWebhookEndpoint(client, id, { signal }),
    createdAt,
    forget: () => file?.removeSecret(),
  });
}

/**
 * The endpoints with this description that were created since the first attempt (W1). `begunAt` is the time of that
 * attempt, by the service's clock. If svc had no response before, it is a time of the local clock. `skewMs` is the
 * difference between the two clocks.
 */
function findOrphanedEndpoints(
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

function orphanNote({ id, url }: OrphanedEndpoint): string {
  return `An earlier attempt created another endpoint for ${terminalSafe(url)}. Delete it unless you have its secret: svc webhooks delete ${shellWord(id)}`;
}
