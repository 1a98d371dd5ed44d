import { type CreatedWebhook, createWebhook, getWebhook, type NewWebhook } from '../../api/resources/webhooks.ts';
import { isKeyExpired } from '../../api/retry/key-expiry.ts';
import type { Context } from '../../base/context.ts';
import { objectText } from '../../render/text/object.ts';
import { type CreationResult, createIdempotently } from '../../sending/create-idempotently.ts';
import { type CreationRun, findOpenCreation, recordedResponse } from '../../sending/creation-record.ts';
import { readBackResource } from '../../sending/read-created.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import { noteSameName } from '../framework/find-id.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { findOrphanedEndpoints, listEndpointsWithUrl, type OrphanedEndpoint, orphanNote } from './earlier-creations.ts';
import { openSecretFile, type SecretFile, secretHash } from './secret-file.ts';

/** The endpoint to create, as the run stores it for a resume. `secret_file` is an absolute path. */
export interface EndpointPlan extends NewWebhook {
  readonly secret_file?: string | undefined;
}

/** What run.db records of the response. The hash shows whether the secret file already holds the secret. */
interface RecordedEndpoint {
  readonly id: string;
  readonly secret_hash: string;
  readonly orphaned: readonly OrphanedEndpoint[];
}

/**
 * Creates the endpoint, stores its secret and prints it. Opens the secret file before the request. Deletes this file
 * again if it stays empty. Returns the response to the creation, or undefined if an earlier process received that
 * response.
 */
export async function createEndpointWithSecretFile(
  run: CreationRun,
  invocation: Invocation<unknown>,
  plan: EndpointPlan,
): Promise<CreatedWebhook | undefined> {
  const { user } = invocation.context.platform;
  const { secret_hash: hash } = (recordedResponse(run) as RecordedEndpoint | undefined) ?? {};
  const file = plan.secret_file === undefined ? undefined : openSecretFile(plan.secret_file, { user, hash });
  try {
    const created = await createOnce(run, invocation.context, plan, file);
    await showCreated(run, invocation, created, file);
    return created.made.response;
  } catch (error) {
    file?.discard();
    throw error;
  } finally {
    file?.close();
  }
}

interface CreatedEndpoint {
  readonly made: CreationResult<CreatedWebhook, RecordedEndpoint>;
  /** The endpoints that already had this URL before the creation. */
  readonly same: readonly WebhookEndpoint[];
}

/** Creates the endpoint, or repeats a request with the same key. The secret is in the file when this returns. */
async function createOnce(
  run: CreationRun,
  context: Context,
  plan: EndpointPlan,
  file: SecretFile | undefined,
): Promise<CreatedEndpoint> {
  const { client } = run;
  const same = file?.isFilled ? [] : await listEndpointsWithUrl(client, plan.url, context.signal);
  const creation = file?.isFilled ? undefined : findOpenCreation(run);
  // After a lost response svc first lists what exists. Then it may send the key again at any age (W1).
  const skewMs = client.serverNow() - context.clock.now();
  const orphaned = creation ? findOrphanedEndpoints(same, plan.description, creation.begunAt, skewMs) : [];
  const result = await createIdempotently<CreatedWebhook, RecordedEndpoint>(run, {
    post: (sendOptions) => createWebhook(client, endpointOf(plan), sendOptions),
    record: ({ id, secret }) => ({
      id,
      secret_hash: secretHash(secret),
      orphaned: orphaned.filter((endpoint) => endpoint.id !== id),
    }),
    needsResponse: !file?.isFilled,
    newWindow: creation !== undefined && isKeyExpired('once', client.serverNow() - creation.firstSentAt),
    callerDetectsDuplicate: true,
    explain: (refusal) => {
      noteOrphans(orphaned, context);
      return refusal;
    },
  });
  const secret = result.response?.secret;
  if (file && secret !== undefined) {
    context.hideSecret(secret, '[secret]');
    file.writeSecret(secret);
  }
  return { made: result, same };
}

function noteOrphans(orphaned: readonly OrphanedEndpoint[], { stderr }: Context): void {
  orphaned.forEach((endpoint) => stderr.write(`note: ${orphanNote(endpoint)}\n`));
}

/**
 * Prints the endpoint. Writes notes about other endpoints with the same URL: an earlier attempt may have created them.
 */
async function showCreated(
  run: CreationRun,
  invocation: Invocation<unknown>,
  { made, same }: CreatedEndpoint,
  file: SecretFile | undefined,
): Promise<void> {
  noteOrphans(made.recorded.orphaned, invocation.context);
  const named = [made.recorded, ...made.recorded.orphaned].map(({ id }) => id);
  const others = same.filter(({ id }) => !named.includes(id));
  noteSameName('webhook', others, invocation);
  const endpoint = await readCurrent(run, made, file);
  const secret = file ? { secret_file: file.path } : { secret: made.response?.secret };
  print(invocation, { ...endpoint, ...secret }, objectText);
  if (!file && secret.secret !== undefined) {
    invocation.context.stderr.write('Store the secret now: it is not shown again.\n');
  }
}

export function endpointOf({ url, events, description }: EndpointPlan): NewWebhook {
  return { url, events, description };
}

/** The endpoint as it is now. svc reads it after a replay: it may have been changed or deleted since (I7). */
async function readCurrent(
  run: CreationRun,
  result: CreationResult<CreatedWebhook, RecordedEndpoint>,
  file: SecretFile | undefined,
): Promise<WebhookEndpoint> {
  const { client, signal } = run;
  const { id } = result.recorded;
  if (result.kind === 'created') {
    const { secret: _, ...endpoint } = result.response;
    return endpoint;
  }
  return readBackResource(run, {
    what: `endpoint ${id}`,
    read: () => getWebhook(client, id, { signal }),
    forget: () => file?.removeSecret(),
  });
}
