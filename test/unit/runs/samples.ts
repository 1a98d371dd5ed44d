import { createSystemClock } from '../../../src/base/lib/clock.ts';
import type { LockOptions } from '../../../src/runs/store/lock.ts';
import type { RecordedResponse } from '../../../src/runs/store/recorded-request.ts';
import type { RequestIntent } from '../../../src/runs/store/request-journal.ts';
import type { RunHeader } from '../../../src/runs/store/run-header.ts';

/** A sample header of a run that starts at `startedAt`. `more` replaces fields. */
export function header(run: string, more: Partial<RunHeader> = {}): RunHeader {
  return {
    run,
    command: 'migrate',
    options: { from: 'auto' },
    origin: 'https://api.example.test',
    destination: { kind: 'audience', id: 'aud_1', name: 'News', createdAt: '2026-01-01T00:00:00.000Z' },
    inputs: [{ path: 'list.csv', sha256: 'a'.repeat(64), size: 100 }],
    keyFingerprint: '0123456789abcdef',
    startedAt: 1_000,
    version: 1,
    ...more,
  };
}

/** A contact request called `name` with ten rows. */
export function intent(name: string, more: Partial<RequestIntent> = {}): RequestIntent {
  return { kind: 'contacts', name, key: `svc1.contacts.${name}.g0`, keyVersion: 0, rows: 10, firstSentAt: 5, ...more };
}

/** A plain success without rows. */
export function response(more: Partial<RecordedResponse> = {}): RecordedResponse {
  return { status: 200, replayed: false, created: 0, updated: 0, alreadySuppressed: 0, failures: [], ...more };
}

/** Options of a lock request that does not wait. */
export function claim(run: string, more: Partial<LockOptions> = {}): LockOptions {
  return { run, waitMs: 0, clock: createSystemClock(), ...more };
}
