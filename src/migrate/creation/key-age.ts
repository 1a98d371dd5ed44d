import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { RecordedRequest } from '../../runs/store/recorded-request.ts';
import { type CreationRun, type Entry, openRequest, readEntry } from './creation-record.ts';

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
  return request && { begunAt: readEntry(run)?.begunAt ?? request.firstSentAt, firstSentAt: firstSentAt(run, request) };
}

/**
 * When the key was first sent, by the service's clock. Without the service's time, then or now, the wall clock counts
 * too, and the larger age wins (P7).
 */
export function firstSentAt(run: CreationRun, request: RecordedRequest): number {
  const { client, clock } = run;
  const { window } = readEntry(run) ?? {};
  if (!window || isDatedByService(run)) {
    return request.firstSentAt;
  }
  return Math.min(request.firstSentAt, client.serverNow() - (clock.now() - window.wallClock));
}

/** True if the service showed its time both when the present window began and now. */
export function isDatedByService(run: CreationRun): boolean {
  return readEntry(run)?.window?.byService === true && run.client.knowsServerTime();
}

export function ageUnknown(): SvcError {
  const message = 'no response arrived, and the service did not show its time, so the request may be too old to repeat';
  return new SvcError(EXIT.failed, 'in_doubt', message);
}

export function momentOf({ client, clock }: CreationRun): Required<Entry>['window'] {
  return { wallClock: clock.now(), byService: client.knowsServerTime() };
}

/**
 * Reads the service's time from any response, because the age of a key counts by it (I3, I6). Returns an error instead
 * of throwing it: a refusal shows the time too.
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
