import { type ApiError, isNotFound } from '../../api/http/api-error.ts';
import { changedNameNote, createAudience, getAudience } from '../../api/resources/audiences.ts';
import { EXIT, rewordError, SvcError } from '../../base/lib/errors.ts';
import { looseNameKey, shellArgument, terminalSafe } from '../../base/lib/text.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { commandToResumeAt, mayBeSameService } from '../../runs/find/next-commands.ts';
import type { RunSummary } from '../../runs/find/summarize-run.ts';
import { CreationOutcomeUnknown, createIdempotently } from '../../sending/create-idempotently.ts';
import { type CreationRun, endCreation } from '../../sending/creation-record.ts';
import { readBackResource } from '../../sending/read-created.ts';
import type { Audience } from '../../wire/shapes.ts';
import { findOthersOfName, recordSameName, sameNameError } from './same-name.ts';

/** What run.db records of a new audience. Runs of earlier versions recorded no `created_at`. */
export type NewAudienceRecord = Pick<Audience, 'id'> & Partial<Pick<Audience, 'created_at'>>;

/** Creates the audience of a run. If the response is lost, a resume finds the audience by its name. */
export async function createTargetAudience(context: WriteContext, name: string): Promise<Audience> {
  const { journal, client, stateFolder } = context;
  const run = { ...context, op: 'audience', rows: [] };
  try {
    const { recorded } = await createIdempotently<Audience, NewAudienceRecord>(run, {
      post: (sendOptions) => createAudience(client, name, sendOptions),
      record: ({ id, created_at }) => ({ id, created_at }),
      refuseOpen: () => refuseOpenCreation({ client, stateFolder, name, own: journal.run }),
      explain: (refusal) => refusalError(refusal, name, journal.run),
    });
    const audience = await recordCreated(run, name, recorded);
    const message = changedNameNote(name, audience);
    if (message !== undefined) {
      context.emit({ type: 'note', message });
    }
    return audience;
  } catch (error) {
    throw error instanceof CreationOutcomeUnknown ? outcomeUnknown(error, name, journal.run) : error;
  }
}

/**
 * Reads the created audience, and records it as the destination. If the response was a replay, the audience may have
 * been deleted since (I7). Throws if another audience has the same name, because two runs could then write to two
 * audiences and mail people twice (L3).
 */
async function recordCreated(
  run: CreationRun & WriteContext,
  name: string,
  { id, created_at: createdAt }: NewAudienceRecord,
): Promise<Audience> {
  const { client, signal } = run;
  const audience = await readBackResource(run, {
    what: `the audience "${terminalSafe(name)}"`,
    read: () => getAudience(client, id, { signal }),
    createdAt,
  });
  const others = await findOthersOfName(run, audience);
  if (others.length > 0) {
    recordSameName(run);
  }
  // The audience is recorded before the error is thrown, so that a resume writes to this audience.
  recordAudience(run, audience);
  if (others.length > 0) {
    throw sameNameError(run, audience, others);
  }
  return audience;
}

/** Records the audience as the destination of the run, and ends the creation. */
export function recordAudience(run: CreationRun, { id, name, created_at: createdAt }: Audience): void {
  run.journal.amendHeader({ destination: { kind: 'audience', id, name, createdAt } });
  endCreation(run, 'done');
}

/** The error for a refused creation. */
function refusalError(refusal: ApiError, name: string, runId: string): SvcError {
  if (isAboutName(refusal)) {
    return createByHandError(refusal, name, runId);
  }
  return isNotFound(refusal) ? notFoundError(refusal, name, runId) : refusal;
}

/** True if the refusal is about the name of the audience, and not about the API key. */
function isAboutName({ status }: ApiError): boolean {
  return status === 400 || status === 409 || status === 422;
}

/**
 * The error for a 404 to the creation. It has its own code, because `not_found` means elsewhere that the audience was
 * deleted.
 */
function notFoundError(cause: ApiError, name: string, runId: string): SvcError {
  const message = `the audience "${terminalSafe(name)}" was not created, because the service answers 404 to the request: ${cause.message}`;
  const hint = `The base URL or the API key may be wrong. Check both: svc doctor\nThen: svc runs resume ${runId}`;
  return rewordError(cause, { code: 'not_created', message, hint });
}

/**
 * The error for a refused name. The service would replay the refusal for a day, so the hint names another way to create
 * the audience.
 */
function createByHandError(cause: ApiError, name: string, runId: string): SvcError {
  const hint = `If the name is right, create the audience in the app, or with: svc audiences create ${shellArgument(name)}. Then: svc runs resume ${runId}`;
  return rewordError(cause, { hint });
}

/**
 * The error for a lost response. Once svc may not repeat the key any more, the user must check which audiences exist
 * (I4).
 */
function outcomeUnknown(cause: CreationOutcomeUnknown, name: string, runId: string): SvcError {
  const { code, expired } = cause;
  const mayAppearLater = code === 'in_doubt';
  const afterCheck = `The service may still create it for up to ten minutes. After that, check if it exists: svc audiences ls. If it does not, create it: svc audiences create ${shellArgument(name)}. Then: svc runs resume ${runId}`;
  const repeat = `To repeat the request with the same key: svc runs resume ${runId}`;
  const message = mayAppearLater
    ? `it is unknown whether the audience "${terminalSafe(name)}" was created: ${cause.message}`
    : cause.message;
  return rewordError(cause, { message, hint: mayAppearLater || expired ? afterCheck : repeat });
}

// How long after its first request an audience may still appear. svc repeats the request for 4 min 50 s, and then the
// service may work on the last repeat for five more minutes (I4).
const OPEN_MS = 10 * 60_000;

interface NewName {
  readonly client: WriteContext['client'];
  readonly stateFolder: string;
  readonly name: string;
  /** The run of this command. Undefined for a rename, because a rename has no run. */
  readonly own?: string | undefined;
}

/**
 * Throws if another run may still create an audience with this name, because its request got no response (I11).
 * Otherwise two audiences could get the name. After ten minutes the list of audiences shows whether that run created
 * one. While the other run is running, its lock on the name prevents this already.
 */
export function refuseOpenCreation({ client, stateFolder, name, own }: NewName): void {
  const now = client.serverNow();
  const open = listReadableRuns(stateFolder).find(
    (other) =>
      other.run !== own &&
      mayBeSameService(other.origin, client.origin) &&
      looseNameKey(newNameOf(other) ?? '') === looseNameKey(name) &&
      other.hasSent &&
      now - (other.lastSentAt ?? now) < OPEN_MS,
  );
  if (open) {
    const message = `nothing was ${own === undefined ? 'renamed' : 'created'}: ${open.run} may still create this audience, because its request got no response`;
    const resume = open.origin === client.origin ? `svc runs resume ${open.run}` : commandToResumeAt(open);
    const hint = `Resume it: ${resume}\nOr wait ten minutes, and run the same command again.`;
    throw new SvcError(EXIT.busy, 'busy', message, { hint });
  }
}

/** The name of the audience that a run must still create, or may have created. Such a run has sent no other request. */
function newNameOf({ command, header }: RunSummary): string | undefined {
  return command === 'audiences create'
    ? String(header?.options.name)
    : header?.destination?.kind === 'new audience'
      ? header.destination.name
      : undefined;
}
