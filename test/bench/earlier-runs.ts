import { createJournal } from '../../src/runs/store/open-journal.ts';
import { AUDIENCE } from './programs.ts';

const HOUR_MS = 3_600_000;
const NEWEST_AT = Date.UTC(2026, 0, 1);

/** Records finished migrations of other lists to the audience of the bench, like a folder after a year of nights. */
export function writeEarlierRuns(state: string, origin: string, runs: number): void {
  for (let index = 0; index < runs; index += 1) {
    const startedAt = NEWEST_AT - index * HOUR_MS;
    const journal = createJournal(state, {
      run: `run_earlier_${index}`,
      command: 'migrate',
      options: { inputs: [`list-${index}.csv`] },
      origin,
      destination: { kind: 'audience', id: AUDIENCE, name: 'Bench', createdAt: '2025-01-01T00:00:00Z' },
      inputs: [{ path: `list-${index}.csv`, sha256: index.toString(16).padStart(64, '0'), size: 1 }],
      keyFingerprint: '0'.repeat(16),
      startedAt,
      version: 1,
    });
    const request = {
      key: `key-${index}`,
      keyVersion: 1,
      firstSentAt: startedAt,
      kind: 'contacts',
      name: '0',
      rows: 1,
    } as const;
    journal.requests.recordOutcome(journal.requests.recordIntent(request), 'done');
    journal.setPhase('done');
    journal.setStatus('completed', 0, startedAt + 1_000);
    journal.close();
  }
}
