import {
  createWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpointsWithUrl,
  type NewWebhookEndpoint,
} from '../../api/resources/webhooks.ts';
import { isKeyExpired } from '../../api/retry/key-expiry.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';
import { objectText } from '../../render/text/object.ts';
import { type CreationResult, createIdempotently } from '../../sending/create-idempotently.ts';
import { type CreationRun, findOpenCreation, recordedResponse } from '../../sending/creation-record.ts';
import { readBackResource, SECRET_LOST } from '../../sending/read-created.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import { noteSameName } from '../framework/find-id.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { findOrphanedEndpoints, noteOrphans, type OrphanedEndpoint } from './orphaned-endpoints.ts';
import { openSecretFile, type SecretFile, secretHash } from './secret-file.ts';

/** The endpoint to create. The run stores it for a resume. `secret_file` is an absolute path. */
export interface EndpointPlan extends NewWebhookEndpoint {
  readonly secret_file?: string | undefined;
}

/**
 * What run.db records about the response. The hash shows whether the secret file already has the secret. There is no
 * hash if the response was a replay without the secret. Runs of earlier versions recorded no `created_at`.
 */
interface RecordedEndpoint extends Pick<WebhookEndpoint, 'id'>, Partial<Pick<WebhookEndpoint, 'created_at'>> {
  readonly secret_hash?: string | undefined;
  readonly orphaned: readonly OrphanedEndpoint[];
}

/**
 * Creates the endpoint, stores its secret and prints the endpoint. Opens the secret file before the request, and
 * deletes it again if it stays empty. Returns the response, or undefined if an earlier process received it.
 */
export async function createEndpointWithSecretFile(
  run: CreationRun,
  invocation: Invocation<unknown>,
  plan: EndpointPlan,
): Promise<WebhookEndpoint | undefined> {
  const { user } = invocation.context.platform;
  const recorded = recordedResponse(run) as RecordedEndpoint | undefined;
  const hash = recorded?.secret_hash;
  const file = plan.secret_file === undefined ? undefined : openSecretFile(plan.secret_file, { user, hash });
  try {
    recorded && (await refuseLostSecret(run, invocation, recorded));
    const created = await createOnce(run, invocation, plan, file);
    await refuseLostSecret(run, invocation, created.result.recorded);
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
  readonly result: CreationResult<WebhookEndpoint, RecordedEndpoint>;
  readonly withSameUrl: readonly WebhookEndpoint[];
}

/**
 * Creates the endpoint, or repeats an earlier request with the same key. Writes the secret of the response to the file.
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
  const result = await createIdempotently<WebhookEndpoint, RecordedEndpoint>(run, {
    post: (sendOptions) => createWebhookEndpoint(client, endpointOf(plan), sendOptions),
    record: ({ id, secret, created_at }) => ({
      id,
      // The document promises no `created_at` in this response.
      created_at: Number.isNaN(Date.parse(created_at)) ? new Date(client.serverNow()).toISOString() : created_at,
      secret_hash: secret ? secretHash(secret) : undefined,
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
  if (file && secret) {
    context.hideSecret(secret, '[secret]');
    file.writeSecret(secret);
  }
  return { result, withSameUrl };
}

/**
 * Throws if the endpoint was created, but no response had its secret. svc does not send the key again: the service
 * would repeat its response, and after 24 hours create a second endpoint (I6).
 */
async function refuseLostSecret(
  run: CreationRun,
  invocation: Invocation<unknown>,
  recorded: RecordedEndpoint,
): Promise<void> {
  const { id, secret_hash, orphaned } = recorded;
  if (secret_hash !== undefined) {
    return;
  }
  noteOrphans(orphaned, invocation);
  await readBack(run, recorded, undefined);
  const message = `endpoint ${id} was created, but its secret is lost: the service repeated its response without it`;
  const forget = `svc runs delete ${run.journal.run} --confirm ${run.journal.run}`;
  throw new SvcError(EXIT.failed, SECRET_LOST, message, {
    hint: `Read the secret in the app, or delete the endpoint: svc webhooks delete ${shellWord(id)} --confirm ${shellWord(id)}\nThen, in both cases: ${forget}\nIf you deleted the endpoint, run the same command again.`,
  });
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
  result: CreationResult<WebhookEndpoint, RecordedEndpoint>,
  file: SecretFile | undefined,
): Promise<WebhookEndpoint> {
  if (result.kind === 'created') {
    const { secret: _, ...endpoint } = result.response;
    return endpoint;
  }
  return readBack(run, result.recorded, file);
}

function readBack(
  run: CreationRun,
  { id, created_at: createdAt }: RecordedEndpoint,
  file: SecretFile | undefined,
): Promise<WebhookEndpoint> {
  const { client, signal } = run;
  return readBackResource(run, {
    what: `endpoint ${id}`,
    read: () => getWebhookEndpoint(client, id, { signal }),
    createdAt,
    forget: () => file?.removeSecret(),
  });
}
