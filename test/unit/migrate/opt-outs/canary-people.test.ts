import { expect, test } from 'vitest';
import type { CanaryRecord, KnownAudience, ProbeContact } from '../../../../src/migrate/opt-outs/canary-record.ts';
import { withOptOutsOfCanary } from '../../../../src/migrate/opt-outs/known-opt-outs.ts';
import type { WriteContext } from '../../../../src/run-lifecycle/data/run-context.ts';
import type { CONTACT_STATUSES } from '../../../../src/wire/service-words.ts';
import { createWorld } from '../../../support/world.ts';
import { clientOf } from '../../api/emulated-client.ts';

type Status = (typeof CONTACT_STATUSES)[number];

const STATUSES: readonly Status[] = ['unsubscribed', 'bounced', 'pending'];

/** The people of a canary, one of each status, and what the audience knows of them once the pages show none. */
async function knownOf(keptStatuses: readonly string[], now: Readonly<Partial<Record<string, Status>>> = {}) {
  const { emulator, clock } = await createWorld();
  const { audienceId } = emulator;
  emulator.admin.addContacts(
    STATUSES.map((status) => ({ email: `${status}@example.com`, status: now[status] ?? status })),
  );
  const client = clientOf(emulator, { clock, limits: { rate: 600, reserve: 0, maxWaitMs: 0 } });
  const context = { client, signal: new AbortController().signal } as unknown as WriteContext;
  const probes = STATUSES.map((was, line): ProbeContact => {
    return { source: 0, line, contact: { email: `${was}@example.com` }, before: 'opted out', was };
  });
  const record: CanaryRecord = { audienceId, probes, keptStatuses };
  const audience = { audienceId, optedOut: new Map() } as unknown as KnownAudience;
  const { optedOut } = await withOptOutsOfCanary(context, record, audience);
  return [...optedOut].map(([email, { status }]) => `${email} ${status}`);
}

test.each([
  [[], STATUSES],
  [['unsubscribed'], ['bounced', 'pending']],
  [['bounced', 'pending'], ['unsubscribed']],
  [STATUSES, []],
])('finds opted-out canary people, statuses proven to stay: %j (C1)', async (kept, known) => {
  expect(await knownOf(kept)).toEqual(known.map((status) => `${status}@example.com ${status}`));
});

test('does not count a canary person who is subscribed now (C1)', async () => {
  expect(await knownOf([], { bounced: 'subscribed' })).toEqual([
    'unsubscribed@example.com unsubscribed',
    'pending@example.com pending',
  ]);
});
