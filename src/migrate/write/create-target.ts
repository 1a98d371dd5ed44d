import { ApiError } from '../../api/api-error.ts';
import { createAudience, getAudience } from '../../api/resources/audiences.ts';
import { creationKey, type Keyed, type UnitOutcome } from '../../api/retry/write-request.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { CREATION_IN_DOUBT } from '../../runs/find/run-status.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { Work } from '../work.ts';
import { interrupted, later } from './deliver.ts';

/** What a creation needs of a run. */
export type Creator = Pick<Work, 'journal' | 'client' | 'signal' | 'randomHex'> & {
  /** Of the key that it has now. */
  readonly keyFingerprint: string;
};

/**
 * Creates the audience of a run. The key is on disk before the first byte; a run that was killed in between finds the
 * audience by its name when it goes on, because the target is looked up first. A replayed creation is read back.
 */
export async function createTarget(work: Creator, name: string): Promise<Audience> {
  const { journal, client, signal, keyFingerprint } = work;
  const kept = journal.read(CREATION) as Creation | undefined;
  const inDoubt = kept !== undefined && journal.read(CREATION_IN_DOUBT) === true;
  if (inDoubt && (kept.keyFingerprint ?? keyFingerprint) !== keyFingerprint) {
    const cause = new SvcError(EXIT.failed, LATE, 'it was asked for with another API key');
    throw unknownFate({ cause }, name, journal.header.run);
  }
  const random = kept?.random ?? work.randomHex(24);
  const keyed: Keyed = {
    keyAt: (generation) => creationKey('audience', random, generation),
    generation: kept?.generation ?? 0,
    firstSentAt: kept?.firstSentAt,
    inDoubt,
    beforeKey: ({ generation, firstSentAt }) => {
      journal.note(CREATION, { random, generation, firstSentAt, keyFingerprint } satisfies Creation);
      journal.note(CREATION_IN_DOUBT, true);
    },
  };
  const outcome = await createAudience(client, name, { keyed, signal });
  journal.note(CREATION_IN_DOUBT, 'inDoubt' in outcome && outcome.inDoubt);
  switch (outcome.kind) {
    case 'answered':
      return keep(work, await readBack(work, outcome.value.id, name));
    case 'refused':
      throw isAboutName(outcome.error) ? byHand(outcome.error, name, journal.header.run) : outcome.error;
    case 'doubt':
      throw outcome.inDoubt ? unknownFate(outcome, name, journal.header.run) : outcome.cause;
    case 'later':
      throw later(outcome.resumeAt);
    case 'interrupted':
      throw interrupted(signal);
    default:
      return outcome satisfies never;
  }
}

/** A refusal that has to do with what was asked for, not with who asked. */
function isAboutName({ status }: ApiError): boolean {
  return status === 400 || status === 409 || status === 422;
}

/** The service keeps its refusal under the key for a day, so that asking again changes nothing. */
function byHand(cause: ApiError, name: string, run: string): SvcError {
  const { exit, code, message, requestId } = cause;
  const hint = `If the name is right, create the audience in the app, or with: svc audiences create ${quoted(name)}. Then: svc runs resume ${run}`;
  return new SvcError(exit, code, message, { hint, cause, requestId });
}

/** Too late to ask again with the same key, a person has to look (rule I4); before that the same key is asked again. */
function unknownFate({ cause, over }: Pick<Doubt, 'cause' | 'over'>, name: string, run: string): SvcError {
  const { exit, code, requestId } = cause;
  const late = code === LATE;
  const look = `Once ten minutes have passed since it was sent, in which the service may still be at it, look whether it is there: svc audiences ls. If it is not, create it: svc audiences create ${quoted(name)}. Then: svc runs resume ${run}`;
  const ask = `Nobody knows whether it was created. Ask again with the same key: svc runs resume ${run}`;
  const message = late
    ? `whether the audience "${safe(name)}" was created is unknown: ${cause.message}`
    : cause.message;
  return new SvcError(exit, code, message, { hint: late || over ? look : ask, cause, requestId });
}

/** What is there is what counts; where somebody deleted it since, its key has no more business here (rule I7). */
async function readBack({ journal, client, signal }: Creator, id: string, name: string): Promise<Audience> {
  try {
    return await getAudience(client, id, { signal });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) {
      throw error;
    }
    journal.note(CREATION, undefined);
    const message = `the audience "${safe(name)}" was created, and somebody has deleted it since`;
    throw new SvcError(EXIT.stopped, 'deleted_since', message, {
      hint: 'The same command creates it anew.',
      cause: error,
    });
  }
}

type Doubt = Extract<UnitOutcome<Audience>, { kind: 'doubt' }>;

/** A name as a shell takes it. */
function quoted(name: string): string {
  return `'${safe(name).replaceAll("'", "'\\''")}'`;
}

interface Creation {
  readonly random: string;
  readonly generation: number;
  readonly firstSentAt: number;
  /** Runs of earlier builds have none. */
  readonly keyFingerprint?: string;
}

const CREATION = 'creation';
// The code of a key that is too old to be asked again.
const LATE = 'in_doubt';

function keep({ journal }: Creator, audience: Audience): Audience {
  journal.setDestination({ kind: 'audience', id: audience.id, name: audience.name, createdAt: audience.created_at });
  return audience;
}
