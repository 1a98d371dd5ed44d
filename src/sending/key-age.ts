import type { RecordedRequest } from '../runs/store/recorded-request.ts';
import { type CreationRun, creationStartedAt, findOpenRequest, readCreationRecord } from './creation-record.ts';

/**
 * The times of a creation with unknown outcome, by the service's clock. `begunAt`: its first request. `firstSentAt`:
 * its first request in the current retry window (4 min 30 s).
 */
interface OpenCreation {
  readonly begunAt: number;
  readonly firstSentAt: number;
}

export function findOpenCreation(run: CreationRun): OpenCreation | undefined {
  const request = findOpenRequest(run);
  return request && { begunAt: creationStartedAt(run, request), firstSentAt: keyFirstSentAt(run, request) };
}

/**
 * When the key was first sent in the current retry window, by the service's clock. If svc did not know the service's
 * time when the window began, or does not know it now, the wall clock counts too. Then the larger age wins (P7).
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
 * Learns the service's time from a response, because the age of a key counts by that time (I3, I6). Sends a read if
 * this process has sent no request yet. Returns the error of the read instead of throwing it: most refusals show the
 * time too.
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
