import type { Client } from '../../api/client.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { RowPosition } from '../../base/lib/rows.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { RecordedRequest } from '../../runs/store/recorded-request.ts';

/** What a creation needs of its run. A run records at most one creation. */
export interface CreationRun {
  readonly journal: Journal;
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A hash of the API key of this command. */
  readonly keyFingerprint: string;
  /** The word in the idempotency key, such as `audience`. */
  readonly op: string;
  /** The rows that count as unknown until the outcome of the creation is known. */
  readonly rows: readonly RowPosition[];
  randomHex(length: number): string;
}

export interface Entry {
  readonly random: string;
  readonly keyFingerprint: string;
  /** When the present window began by the wall clock, and whether the service's time was known then. */
  readonly window?: { readonly wallClock: number; readonly byService: boolean };
  /** When the key was sent for the first time. Set once the key got a new window. */
  readonly begunAt?: number;
  readonly recorded?: unknown;
  /** True once svc found that the object was deleted. */
  readonly deleted?: boolean;
}

export const KIND = 'creation';
export const ENTRY = 'creation';

export function readEntry({ journal }: CreationRun): Entry | undefined {
  return journal.read(ENTRY) as Entry | undefined;
}

export function openRequest({ journal, op }: CreationRun): RecordedRequest | undefined {
  const request = journal.requests.find(KIND, op);
  return request?.state === 'pending' || request?.state === 'doubt' ? request : undefined;
}

/** The part of the response that an earlier process recorded. Undefined if it got no response. */
export function recordedResponse(run: CreationRun): unknown {
  return readEntry(run)?.recorded;
}

/** Ends a creation, after its result is stored where the user finds it. After that it is never repeated. */
export function closeCreation(run: CreationRun): void {
  finish(run, 'done');
}

/** Records the outcome of the creation, if a request was sent. */
export function finish({ journal, op }: CreationRun, state: 'done' | 'refused' | 'doubt'): void {
  const request = journal.requests.find(KIND, op);
  if (request) {
    journal.requests.recordOutcome(request.id, state);
  }
}
