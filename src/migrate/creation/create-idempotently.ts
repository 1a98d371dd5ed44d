import { ApiError } from '../../api/api-error.ts';
import { creationKey, type SendOptions, type WriteOutcome } from '../../api/retry/write-request.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { RecordedRequest } from '../../runs/store/recorded-request.ts';
import { failureOf, type NoResponse, sendRequest } from '../write/record-and-send.ts';
import { type CreationRun, ENTRY, type Entry, finish, KIND, openRequest, readEntry } from './creation-record.ts';
import { ageUnknown, firstSentAt, isDatedByService, learnServiceTime, momentOf } from './key-age.ts';

/** One POST that must take effect at most once. `T` is its response, `R` the part that the journal records. */
interface Creation<T, R> {
  post(sendOptions: SendOptions): Promise<WriteOutcome<T>>;
  /** Returns the part of the response that a resume needs. run.db stores it, so it must hold no secret. */
  record(response: T): R;
  /** True if the caller needs the whole response: then a resume sends the same key again. */
  readonly needsResponse?: boolean;
  /** True to repeat a key with unknown outcome for 4 min 30 s more. The caller checks first what exists (W1). */
  readonly newWindow?: boolean;
  /** True if the caller finds and names a second object. Then the local clock may decide how old a key is (I6). */
  readonly findsSecond?: boolean;
  /** Called before a new key is used. Throws if another run may still create the same object (I11). */
  refuseOpen?(): void;
  /** Makes the error to throw if the service refuses. By default it is that of the service. */
  explain?(refusal: ApiError): SvcError;
}

/**
 * A creation that took effect. `replayed`: the service repeated its stored response. `recorded`: an earlier process
 * recorded the response, and this one sent nothing. In both cases the object may have been deleted since (I7).
 */
export type CreationResult<T, R> =
  | { readonly kind: 'created' | 'replayed'; readonly recorded: R; readonly response: T }
  | { readonly kind: 'recorded'; readonly recorded: R; readonly response?: undefined };

export class CreationUnknown extends SvcError {
  /** Why the key can't be repeated: its age, a failure that is replayed, or another API key. */
  readonly expired: 'time' | 'stored' | 'api key' | undefined;

  constructor(cause: SvcError, expired: CreationUnknown['expired']) {
    const { exit, code, message, hint, requestId } = cause;
    super(exit, code, message, { hint, cause, requestId });
    this.expired = expired;
  }
}

/**
 * Creates one object, or repeats the request of an earlier process with the same key. The key is on disk before the
 * request is sent (I9), and the recorded part of the response before this returns. The creation stays open until the
 * caller has stored the result and calls closeCreation. Throws if nothing was created, or CreationUnknown if that is
 * unknown.
 */
export async function createIdempotently<T, R>(
  run: CreationRun,
  creation: Creation<T, R>,
): Promise<CreationResult<T, R>> {
  const { post, record, needsResponse = false, explain = (refusal) => refusal } = creation;
  const { journal, op, rows, keyFingerprint, signal } = run;
  const entry = readEntry(run);
  const earlier = openRequest(run);
  if (earlier && entry && entry.keyFingerprint !== keyFingerprint) {
    const cause = new SvcError(EXIT.failed, 'in_doubt', 'the request was sent with another API key');
    throw new CreationUnknown(cause, 'api key');
  }
  if (entry?.recorded !== undefined && (entry.deleted || !needsResponse)) {
    return { kind: 'recorded', recorded: entry.recorded as R };
  }
  const random = entry?.random ?? run.randomHex(24);
  const request = earlier ? await reopen(run, earlier, creation) : await begin(run, creation, { entry, random });
  const keyForVersion = (keyVersion: number) => creationKey(op, random, keyVersion);
  const { outcome } = await sendRequest<T>(run, { kind: KIND, name: op, rows, keyForVersion, post }, request);
  switch (outcome.kind) {
    case 'accepted': {
      const recorded = record(outcome.value);
      journal.note(ENTRY, { ...readEntry(run), recorded });
      return { kind: outcome.replayed ? 'replayed' : 'created', response: outcome.value, recorded };
    }
    case 'refused':
      finish(run, 'refused');
      throw explain(outcome.error);
    default:
      finish(run, outcome.outcomeUnknown ? 'doubt' : 'refused');
      throw problemOf(outcome, signal);
  }
}

/**
 * Begins a creation: records its key. Returns the request in the journal, if an earlier attempt had no effect. Throws
 * if the service can't be reached: nothing was sent yet, so no outcome is unknown.
 */
async function begin(
  run: CreationRun,
  { refuseOpen }: Pick<Creation<unknown, unknown>, 'refuseOpen'>,
  { entry, random }: { readonly entry: Entry | undefined; readonly random: string },
): Promise<RecordedRequest | undefined> {
  const { journal, op, keyFingerprint } = run;
  const problem = await learnServiceTime(run);
  if (problem && !(problem instanceof ApiError)) {
    throw problem;
  }
  const lost = journal.problemIfLost();
  if (lost) {
    throw lost;
  }
  refuseOpen?.();
  journal.note(ENTRY, { random, keyFingerprint, window: momentOf(run) } satisfies Entry);
  const request = journal.requests.find(KIND, op);
  // A request without an entry created an object that was deleted since. The new creation has a new key, from version
  // 0.
  return entry || !request ? request : { ...request, keyVersion: 0 };
}

/**
 * Prepares a request with unknown outcome for a repeat. It keeps its key version, even in a new window (I2). Throws if
 * no clock but the local one shows its age: that clock may have been set back since (I6).
 */
async function reopen(
  run: CreationRun,
  request: RecordedRequest,
  { newWindow = false, findsSecond = false }: Pick<Creation<unknown, unknown>, 'newWindow' | 'findsSecond'>,
): Promise<RecordedRequest> {
  const { journal, client } = run;
  const problem = await learnServiceTime(run);
  if (!newWindow && !findsSecond && !isDatedByService(run)) {
    // Without a connection nothing is known yet, and a later resume may still be in time.
    throw problem && !(problem instanceof ApiError) ? problem : new CreationUnknown(ageUnknown(), 'time');
  }
  if (!newWindow) {
    return { ...request, firstSentAt: firstSentAt(run, request) };
  }
  const renewed = { ...request, firstSentAt: client.serverNow() };
  const begunAt = readEntry(run)?.begunAt ?? request.firstSentAt;
  journal.note(ENTRY, { ...readEntry(run), begunAt, window: momentOf(run) });
  journal.requests.replaceKey(request.id, renewed);
  return renewed;
}

function problemOf(outcome: NoResponse, signal: AbortSignal): SvcError {
  return outcome.kind === 'gave_up' && outcome.outcomeUnknown
    ? new CreationUnknown(outcome.cause, outcome.expired)
    : failureOf(outcome, signal);
}
