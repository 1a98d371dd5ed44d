import type { RecordedRequest } from '../../runs/store/recorded-request.ts';
import { begunAt, type CreationRun, openRequest, readRecord } from './creation-record.ts';

/**
 * The times of a creation with unknown outcome, by the service's clock. `begunAt`: its first request. `firstSentAt`:
 * its first request in the present window of 4 min 30 s.
 */
interface OpenCreation {
  readonly begunAt: number;
  readonly firstSentAt: number;
}

export function openCreation(run: CreationRun): OpenCreation | undefined {
  const request = openRequest(run);
  return request && { begunAt: begunAt(run, request), firstSentAt: firstSentAt(run, request) };
}

/**
 * When the key was first sent, by the service's clock. Without the service's time, then or now, the wall clock counts
 * too, and the larger age wins (P7).
 */
export function firstSentAt(run: CreationRun, request: RecordedRequest): number {
  const { client, clock } = run;
  const { window } = readRecord(run) ?? {};
  if (!window || isDatedByService(run)) {
    return request.firstSentAt;
  }
  return Math.min(request.firstSentAt, client.serverNow() - (clock.now() - window.wallClock));
}

/** True if the service showed its time both when the present window began and now. */
export function isDatedByService(run: CreationRun): boolean {
  return wasDatedByService(run) && run.client.knowsServerTime();
}

/** True if the service showed its time when the present window began. */
export function wasDatedByService(run: CreationRun): boolean {
  return readRecord(run)?.window.byService === true;
}

/**
 * Reads the service's time from any response, because the age of a key counts by it (I3, I6). Returns the error instead
 * of throwing it: most refusals show the time too.
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
