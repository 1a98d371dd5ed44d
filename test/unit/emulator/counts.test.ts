import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { createHex } from '../../contract/service.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const contact = fc.record(
  {
    email: fc.constantFrom('a@example.com', 'b@example.com', 'c@example.com', 'bad', 'out@example.com'),
    status: fc.constantFrom('subscribed', 'unsubscribed', 'gone'),
  },
  { requiredKeys: ['email'] },
);
const batches = fc.array(
  fc.tuple(fc.boolean(), fc.uniqueArray(contact, { selector: ({ email }) => email, maxLength: 5 })),
  { maxLength: 8 },
);

describe('the emulator', () => {
  test('the emulator returns correct counts and summaries after any batches', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (all) => {
        const emulator = await createEmulator({ clock: createManualClock(), randomHex: createHex('counts') });
        emulator.admin.suppress(['out@example.com']);
        const headers = { authorization: `Bearer ${emulator.apiKey}`, 'content-type': 'application/json' };
        const path = `/v1/audiences/${emulator.audienceId}`;
        for (const [upsert, contacts] of all) {
          const body = Buffer.from(JSON.stringify({ upsert, contacts }));
          const { summary, results } = JSON.parse(
            (await emulator.handle({ method: 'POST', path: `${path}/contacts/batch`, headers, body })).body.toString(),
          );
          const count = (status: string) => results.filter((each: { status: string }) => each.status === status).length;
          expect(summary).toEqual({ created: count('created'), updated: count('updated'), failed: count('failed') });
          expect(results).toHaveLength(contacts.length);
        }
        const one = await emulator.handle({ method: 'GET', path, headers, body: Buffer.alloc(0) });
        const held = emulator.admin.contacts().map(({ status }) => status);
        const of = (status: string) => held.filter((each) => each === status).length;
        expect(JSON.parse(one.body.toString()).contact_counts).toEqual({
          subscribed: of('subscribed'),
          unsubscribed: of('unsubscribed'),
          total: held.length,
        });
        await emulator.close();
      }),
      { numRuns: 60, seed: 20_260_101 },
    );
  });
});
