import { afterEach, describe, expect, test } from 'vitest';
import { enrollmentKey, postEnrollment } from '../../../src/api/resources/automations.ts';
import { contactBatchKey, postContactBatch } from '../../../src/api/resources/contacts.ts';
import type { KeySource } from '../../../src/api/retry/key-source.ts';
import { runConcurrently } from '../../../src/base/lib/concurrency.ts';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import type { FaultScript } from '../../../src/emulator/faults/fault.ts';
import { createRandom } from '../../simulation/random.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { clientOf } from './emulated-client.ts';
import { drive, START } from './service.ts';

const emulators: Emulator[] = [];

afterEach(async () => {
  await Promise.all(emulators.splice(0).map((emulator) => emulator.close()));
});

/** A fault script with all kinds of faults, each occasionally. */
function randomFaults(seed: number): FaultScript {
  const match = { route: 'POST *' };
  return {
    seed,
    rules: [
      { kind: 'reset', when: 'before', match, probability: 0.06 },
      { kind: 'reset', when: 'after', match, probability: 0.06 },
      { kind: 'cut', match, probability: 0.04 },
      { kind: 'html', status: 502, when: 'after', match, probability: 0.04 },
      { kind: 'html', status: 200, when: 'before', match, probability: 0.02 },
      { kind: 'error', status: 500, code: 'internal_error', when: 'before', match, probability: 0.03 },
      { kind: 'error', status: 500, code: 'internal_error', when: 'effect', match, probability: 0.02 },
      { kind: 'error', status: 503, code: 'busy', when: 'after', match, probability: 0.03 },
      { kind: 'slow', ms: 130_000, when: 'claimed', match, probability: 0.02 },
      { kind: 'slow', ms: 20_000, when: 'after', match, probability: 0.03 },
      { kind: 'rate_limited', retry_after: '3', match, probability: 0.02 },
      { kind: 'lost_claim', effect: true, match, probability: 0.02 },
      { kind: 'lost_claim', effect: false, match, probability: 0.02 },
      { kind: 'in_flight', seconds: 30, match, probability: 0.02 },
    ],
  };
}

async function open(seed: number) {
  const clock = createManualClock(START);
  const { next, hex } = createRandom(seed);
  const emulator = await createEmulator({ clock, randomHex: hex, faults: randomFaults(seed) });
  emulators.push(emulator);
  const client = clientOf(emulator, {
    clock,
    random: next,
    limits: { rate: 600, reserve: 0, maxWaitMs: 3_600_000 },
  });
  return { client, emulator, clock };
}

const keySource = (keyForVersion: KeySource['keyForVersion']): KeySource => ({
  keyForVersion,
  keyVersion: 0,
  beforeNewKey: () => {},
  firstSentAt: undefined,
  outcomeUnknown: undefined,
  beforeAttempt: undefined,
  noteSentByOtherMachine: undefined,
  isStale: undefined,
});

async function* people() {
  for (let n = 0; n < 60; n += 1) {
    yield `p${n}@example.com`;
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of items) {
    out.push(item);
  }
  return out;
}

describe('the client against an emulator with random faults', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('enrolls no person twice under random faults: seed %i (I4)', async (seed) => {
    const { client, emulator, clock } = await open(seed);
    emulator.admin.addContacts((await collect(people())).map((email) => ({ email })));
    const automationId = emulator.admin.createAutomation({ reentry: 'always' });
    const ends = await drive(
      clock,
      collect(
        runConcurrently(people(), 4, async (email) => {
          const enrollment = { automationId, email, keySuffix: undefined, atMostOnce: undefined };
          const end = await postEnrollment(client, enrollment, {
            keySource: keySource(enrollmentKey(client, enrollment)),
          });
          return { email, end };
        }),
      ),
    );
    // The service frees the key of an unfinished request after five minutes. svc must send nothing then.
    await clock.advance(600_000);
    const enrolled = emulator.admin.enrollments(automationId).map(({ email }) => email);
    expect(enrolled.length).toBe(new Set(enrolled).size);
    const accepted = ends.filter(({ end }) => end.kind === 'accepted').map(({ email }) => email);
    const never = ends.filter(({ end }) => end.kind === 'refused' || (end.kind === 'gave_up' && !end.outcomeUnknown));
    expect(accepted.filter((email) => !enrolled.includes(email))).toEqual([]);
    expect(never.filter(({ email }) => enrolled.includes(email))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(10);
  });

  test.each([1, 2, 3, 4])('reports only written batches as accepted, random faults, seed %i (I2)', async (seed) => {
    const { client, emulator, clock } = await open(seed);
    const { audienceId } = emulator;
    const ends = await drive(
      clock,
      collect(
        runConcurrently(people(), 4, async (email) => {
          const body = Buffer.from(JSON.stringify({ upsert: true, contacts: [{ email }] }));
          const batch = { audienceId, body, keySuffix: undefined, op: undefined };
          return {
            email,
            end: await postContactBatch(client, batch, { keySource: keySource(contactBatchKey(client, batch)) }),
          };
        }),
      ),
    );
    const there = new Set(emulator.admin.contacts().map(({ email }) => email));
    const accepted = ends.filter(({ end }) => end.kind === 'accepted').map(({ email }) => email);
    expect(accepted.filter((email) => !there.has(email))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(10);
  });
});
