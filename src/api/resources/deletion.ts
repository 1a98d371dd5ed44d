import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { isRecord } from '../../base/lib/json.ts';
import { shellWord } from '../../base/lib/text.ts';
import type { DeleteConfirmation } from '../../wire/shapes.ts';
import type { CallOptions, Client } from '../client.ts';
import { isNotFound, refuseWrongId } from '../http/api-error.ts';

/** An object to delete. `kind` is its path after /v1, and `what` names it in messages. */
interface Deletable {
  readonly kind: 'audiences' | 'webhooks';
  readonly id: string;
  readonly what: string;
}

/**
 * Deletes an object. A confirmation with its id, a 204, or a 404 on a repeat proves that it is deleted. After any other
 * 2xx, svc reads the object, because a proxy or a queue may have responded (I10, O4). An unknown id is a usage error
 * (O8).
 */
export async function deleteObject(
  client: Client,
  object: Deletable,
  options: CallOptions | undefined,
): Promise<DeleteConfirmation> {
  const { kind, id, what } = object;
  const mutation = { method: 'DELETE', segments: [kind, id] } as const;
  const { status, json } = await client.mutate(mutation, options).catch(refuseWrongId(what));
  const isConfirmed = isRecord(json) && json.id === id && json.deleted === true;
  if (!isConfirmed && !DELETED_STATUSES.includes(status)) {
    await requireDeleted(client, object, options);
  }
  return { id, deleted: true };
}

const DELETED_STATUSES: readonly number[] = [204, 404];

async function requireDeleted(
  client: Client,
  { kind, id, what }: Deletable,
  options: CallOptions | undefined,
): Promise<void> {
  let cause: unknown;
  try {
    await client.get([kind, id], {}, options);
  } catch (error) {
    if (isNotFound(error)) {
      return;
    }
    if (!(error instanceof SvcError)) {
      throw error;
    }
    cause = error;
  }
  const message = cause instanceof SvcError ? `it can't be read now: ${cause.message}` : 'it is still there';
  throw new SvcError(EXIT.failed, 'in_doubt', `the service did not confirm that ${what} is deleted, and ${message}`, {
    hint: `Check later if it is still there: svc ${kind} get ${shellWord(id)}`,
    cause,
  });
}
