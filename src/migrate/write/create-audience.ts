import type { ApiError } from '../../api/api-error.ts';
import { createAudience, getAudience, otherNameNote } from '../../api/resources/audiences.ts';
import { reworded, type SvcError } from '../../base/lib/errors.ts';
import { safe, shellWord } from '../../base/lib/text.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { WriteContext } from '../run-context.ts';
import {
  type CreationRun,
  CreationUnknown,
  closeCreation,
  createIdempotently,
  readBackResource,
} from './create-idempotently.ts';

/** Creates the audience of a run. If the response is lost, the resume finds the audience by name. */
export async function createTarget(context: WriteContext, name: string): Promise<Audience> {
  const { journal, client } = context;
  const run: CreationRun = { ...context, op: 'audience', rows: [] };
  try {
    const { recorded } = await createIdempotently<Audience, { readonly id: string }>(run, {
      post: (sendOptions) => createAudience(client, name, sendOptions),
      record: ({ id }) => ({ id }),
      explain: (refusal) => (isAboutName(refusal) ? createByHand(refusal, name, journal.run) : refusal),
    });
    const audience = await store(run, name, recorded.id);
    const message = otherNameNote(name, audience);
    if (message !== undefined) {
      context.emit({ type: 'note', message });
    }
    return audience;
  } catch (error) {
    throw error instanceof CreationUnknown ? outcomeUnknown(error, name, journal.run) : error;
  }
}

/** Reads the created audience, and records it as destination. A replay may show one that was deleted since (I7). */
async function store(run: CreationRun, name: string, id: string): Promise<Audience> {
  const { client, signal } = run;
  const audience = await readBackResource(run, {
    what: `the audience "${safe(name)}"`,
    read: () => getAudience(client, id, { signal }),
  });
  recordAudience(run, audience);
  return audience;
}

/** Records the audience as the destination of the run, and ends the creation. */
export function recordAudience(run: CreationRun, { id, name, created_at: createdAt }: Audience): void {
  run.journal.setDestination({ kind: 'audience', id, name, createdAt });
  closeCreation(run);
}

/** True if the refusal is about the name of the audience, and not about the API key. */
function isAboutName({ status }: ApiError): boolean {
  return status === 400 || status === 409 || status === 422;
}

/** The error for a refused name. The service replays it for a day, so the hint names another way to create it. */
function createByHand(cause: ApiError, name: string, run: string): SvcError {
  const hint = `If the name is right, create the audience in the app, or with: svc audiences create ${shellWord(name)}. Then: svc runs resume ${run}`;
  return reworded(cause, { hint });
}

/** The error for a lost response. Once it is too late to repeat the key, the user must check what exists (I4). */
function outcomeUnknown(cause: CreationUnknown, name: string, run: string): SvcError {
  const { code, expired } = cause;
  const late = code === 'in_doubt';
  const afterCheck = `The service may still create it for up to ten minutes. After that, check if it exists: svc audiences ls. If it does not, create it: svc audiences create ${shellWord(name)}. Then: svc runs resume ${run}`;
  const repeat = `To repeat the request with the same key: svc runs resume ${run}`;
  const message = late
    ? `it is unknown whether the audience "${safe(name)}" was created: ${cause.message}`
    : cause.message;
  return reworded(cause, { message, hint: late || expired ? afterCheck : repeat });
}
