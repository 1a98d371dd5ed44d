import type { ApiError } from '../../api/api-error.ts';
import { createAudience, getAudience } from '../../api/resources/audiences.ts';
import { reworded, type SvcError } from '../../base/lib/errors.ts';
import { safe, shellWord } from '../../base/lib/text.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { WriteContext } from '../write-context.ts';
import {
  type CreationRun,
  CreationUnknown,
  closeCreation,
  createIdempotently,
  readBackResource,
} from './create-idempotently.ts';

/**
 * Creates the audience of a run. If the run was killed before it recorded the response, its resume finds the audience
 * by name. The resume looks the target up first.
 */
export async function createTarget(context: WriteContext, name: string): Promise<Audience> {
  const { journal, client } = context;
  const run: CreationRun = { ...context, op: 'audience', rows: [] };
  try {
    const { recorded } = await createIdempotently<Audience, { readonly id: string }>(run, {
      post: (sendOptions) => createAudience(client, name, sendOptions),
      record: ({ id }) => ({ id }),
      explain: (refusal) => (isAboutName(refusal) ? createByHand(refusal, name, journal.run) : refusal),
    });
    return await store(run, name, recorded.id);
  } catch (error) {
    throw error instanceof CreationUnknown ? outcomeUnknown(error, name, journal.run) : error;
  }
}

/** Makes the audience the destination of the run, after reading it: the response may be a replay (I7). */
async function store(run: CreationRun, name: string, id: string): Promise<Audience> {
  const { journal, client, signal } = run;
  const audience = await readBackResource(run, {
    what: `the audience "${safe(name)}"`,
    read: () => getAudience(client, id, { signal }),
  });
  journal.setDestination({ kind: 'audience', id: audience.id, name: audience.name, createdAt: audience.created_at });
  closeCreation(run);
  return audience;
}

/** True if the service refused the name, not the API key. */
function isAboutName({ status }: ApiError): boolean {
  return status === 400 || status === 409 || status === 422;
}

/** The service replays its refusal of this key for a day, so a repeat changes nothing. */
function createByHand(cause: ApiError, name: string, run: string): SvcError {
  const hint = `If the name is right, create the audience in the app, or with: svc audiences create ${shellWord(name)}. Then: svc runs resume ${run}`;
  return reworded(cause, { hint });
}

/** If it is too late to repeat the key, the user must check (I4). Until then the resume repeats the key. */
function outcomeUnknown(cause: CreationUnknown, name: string, run: string): SvcError {
  const { code, expired } = cause;
  const late = code === 'in_doubt';
  const afterCheck = `The service may work on it for up to ten minutes. After that check whether it exists: svc audiences ls. If it does not, create it: svc audiences create ${shellWord(name)}. Then: svc runs resume ${run}`;
  const repeat = `It is unknown whether it was created. Repeat the request with the same key: svc runs resume ${run}`;
  const message = late
    ? `it is unknown whether the audience "${safe(name)}" was created: ${cause.message}`
    : cause.message;
  return reworded(cause, { message, hint: late || expired ? afterCheck : repeat });
}
