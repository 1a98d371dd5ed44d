import type { Client } from '../api/client.ts';
import { creationKey } from '../api/retry/key-source.ts';
import type { Clock } from '../base/lib/clock.ts';
import type { RowPosition } from '../base/lib/rows.ts';
import type { Journal } from '../runs/store/journal.ts';
import { OUTCOME_UNKNOWN, type RecordedRequest } from '../runs/store/recorded-request.ts';

/** What a creation needs of its run. A run has at most one creation. */
export interface CreationRun {
  readonly journal: Journal;
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A hash of the API key of this command. */
  readonly keyFingerprint: string;
  /** A part of the idempotency key that says what is created, such as `audience`. */
  readonly op: string;
  /** The rows that count as unknown until the outcome of the creation is known. */
  readonly rows: readonly RowPosition[];
  randomHex(length: number): string;
}

/** What run.db records of a creation, besides its request. */
interface CreationRecord {
  /** The random part of the idempotency key. */
  readonly random: string;
  readonly keyFingerprint: string;
  /** When the current retry window (4 min 30 s) began, by the wall clock. `byService`: svc knew the service's time. */
  readonly window: { readonly wallClock: number; readonly byService: boolean };
  /** When the creation was first sent. Set only once a second retry window begins. */
  readonly begunAt?: number;
  /** The part of the response that a resume needs. */
  readonly recorded?: unknown;
  /** True once svc found that the object was deleted. */
  readonly deleted?: boolean;
}

/** The name of the note in run.db that holds the creation record. */
const CREATION_NOTE = 'creation';

/**
 * The times of a creation with an unknown outcome, by the service's clock. `begunAt` is the time of its first request.
 * `firstSentAt` is the time of the first request in the current retry window (4 min 30 s).
 */
interface OpenCreation {
  readonly begunAt: number;
  readonly firstSentAt: number;
}

export function readCreationRecord({ journal }: Pick<CreationRun, 'journal'>): CreationRecord | undefined {
  return journal.readNote(CREATION_NOTE) as CreationRecord | undefined;
}

function changeRecord({ journal }: CreationRun, changes: Partial<CreationRecord>): void {
  journal.writeNote(CREATION_NOTE, { ...readCreationRecord({ journal }), ...changes });
}

/** Records the key of a creation before it is used (I9). If the creation had no effect so far, it keeps its key. */
export function recordCreationKey(run: CreationRun): void {
  const { journal, keyFingerprint } = run;
  const random = readCreationRecord(run)?.random ?? run.randomHex(24);
  journal.writeNote(CREATION_NOTE, { random, keyFingerprint, window: windowFromNow(run) } satisfies CreationRecord);
}

/** The idempotency keys of the creation, by key version. `recordCreationKey` must have been called before. */
export function recordedKeys(run: CreationRun): (keyVersion: number) => string {
  const { random } = readCreationRecord(run) as CreationRecord;
  return (keyVersion) => creationKey(run.op, random, keyVersion);
}

/** Records that a request with unknown outcome may be repeated for 4 min 30 s more, and returns it. */
export function recordNewRetryWindow(run: CreationRun, request: RecordedRequest): RecordedRequest {
  const renewed = { ...request, firstSentAt: run.client.serverNow() };
  changeRecord(run, { begunAt: creationStartedAt(run, request), window: windowFromNow(run) });
  run.journal.requests.replaceKey(request.id, renewed);
  return renewed;
}

function windowFromNow({ client, clock }: CreationRun): CreationRecord['window'] {
  return { wallClock: clock.now(), byService: client.knowsServerTime() };
}

/** Records the part of the response that a resume needs. */
export function recordResponse(run: CreationRun, recorded: unknown): void {
  changeRecord(run, { recorded });
}

/**
 * Records that the created object was deleted since. The key is kept, so that no resume creates the object again (I9).
 */
export function recordDeletion(run: CreationRun): void {
  changeRecord(run, { deleted: true });
}

/** Forgets the creation, so that the next one has a new key. */
export function forgetCreation(journal: Journal): void {
  journal.writeNote(CREATION_NOTE, undefined);
}

/** The part of the response that an earlier process recorded. Undefined if it got no response. */
export function recordedResponse(run: CreationRun): unknown {
  return readCreationRecord(run)?.recorded;
}

/** The request of the creation. Undefined if none was sent. */
export function findCreationRequest({ journal, op }: CreationRun): RecordedRequest | undefined {
  return journal.requests.find('creation', op);
}

/** The request of the creation, if its outcome is unknown. */
export function findOpenRequest(run: CreationRun): RecordedRequest | undefined {
  const request = findCreationRequest(run);
  return request?.state === 'pending' || request?.state === OUTCOME_UNKNOWN ? request : undefined;
}

/** When the creation was first sent, in any retry window, by the service's clock. */
function creationStartedAt(run: CreationRun, request: RecordedRequest): number {
  return readCreationRecord(run)?.begunAt ?? request.firstSentAt;
}

/** Records how a creation ended. Does nothing if no request was sent. Use `done` once the user can find the result. */
export function endCreation(run: CreationRun, state: 'done' | 'refused' | typeof OUTCOME_UNKNOWN): void {
  const request = findCreationRequest(run);
  if (request) {
    run.journal.requests.recordOutcome(request.id, state);
  }
}

export function findOpenCreation(run: CreationRun): OpenCreation | undefined {
  const request = findOpenRequest(run);
  return request && { begunAt: creationStartedAt(run, request), firstSentAt: keyFirstSentAt(run, request) };
}

/**
 * When the key was first sent in the current retry window, by the service's clock. If svc did not know the service's
 * time when the window began, or does not know it now, it also measures the age by the wall clock. The larger age
 * counts (P7).
 */
export function keyFirstSentAt(run: CreationRun, request: RecordedRequest): number {
  const { client, clock } = run;
  const { window } = readCreationRecord(run) ?? {};
  if (!window || isDatedByService(run)) {
    return request.firstSentAt;
  }
  return Math.min(request.firstSentAt, client.serverNow() - (clock.now() - window.wallClock));
}

/** True if svc knows the service's time now, and knew it when the current retry window began. */
export function isDatedByService(run: CreationRun): boolean {
  return wasDatedByService(run) && run.client.knowsServerTime();
}

/** True if svc knew the service's time when the current retry window began. */
export function wasDatedByService(run: CreationRun): boolean {
  return readCreationRecord(run)?.window.byService === true;
}

/**
 * Learns the service's time from a response, because the age of a key counts by that time (I3, I6). Sends a read,
 * unless this process has sent a request already. Returns an error of this read instead of throwing it, because most
 * refusals show the time too.
 */
export async function learnServiceTime({ client, signal }: CreationRun): Promise<unknown> {
  if (client.stats().sent > 0) {
    return undefined;
  }
  try {
    await client.get(['audiences'], { limit: 1 }, { signal });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return error;
  }
}
