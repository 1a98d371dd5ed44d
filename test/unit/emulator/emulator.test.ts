import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEmulator, type EmulatorOptions } from '../../../src/emulator/emulator.ts';
import { createHex, startService } from '../../contract/service.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const start = (options: Partial<EmulatorOptions>) =>
  createEmulator({ clock: createManualClock(), randomHex: createHex('emulator'), ...options });

describe('the emulator', () => {
  test('the emulator fills a new account from --seed, and enrolls no person', async () => {
    const emulator = await start({
      seed: {
        account: { plan: 'free', members: ['me@example.com'] },
        contacts: [{ email: 'a@example.com', attributes: { plan: 'pro' } }],
        audiences: [{ name: 'Other', contacts: [{ email: 'b@example.com', status: 'unsubscribed' }] }],
        suppressions: { bounced: ['c@example.com'] },
        automations: [
          { name: 'Hello', trigger: 'audience_join' },
          { name: 'There', audience: 'Other' },
        ],
      },
    });
    const { now: _, store_id: __, ...state } = emulator.admin.state();
    expect(state).toEqual({
      plan: 'free',
      audiences: 2,
      contacts: 2,
      suppressions: 1,
      automations: 2,
      enrollments: 0,
      webhooks: 0,
      requests: 0,
    });
    await emulator.close();
  });

  test('the emulator normalizes addresses, domains and attribute keys of a seed', async () => {
    const { ask, audience, emulator } = await startService({
      seed: {
        account: { plan: 'free', members: [' Ann@Example.com'], domains: ['Example.com'] },
        contacts: [{ email: 'Ann@Example.com', attributes: { 'Company / Org': 'Acme' } }],
        suppressions: { bounced: ['Bob@Example.com'] },
        automations: [{ entryFilter: { 'Company / Org': 'Acme' } }],
      },
    });
    const path = `/v1/audiences/${audience}/contacts`;
    expect((await ask('GET', `${path}/ann@example.com`)).json.attributes).toEqual({ company_org: 'Acme' });
    expect(emulator.admin.fields()).toEqual(['company_org']);
    const refused = await ask('POST', path, { body: { email: 'bob@example.com' } });
    expect(refused.json.error.code).toBe('email_suppressed');
    const message = { from: 'me@example.com', to: 'ann@example.com', subject: 's', text: 't' };
    expect((await ask('POST', '/v1/emails', { body: message })).status).toBe(200);
    const [flow] = (await ask('GET', '/v1/automations')).json.data;
    const enrolled = await ask('POST', `/v1/automations/${flow.id}/enroll`, { body: { email: 'ann@example.com' } });
    expect(enrolled.json.outcome).toBe('enrolled');
  });

  test('the emulator applies --seed only to new data, and no part of a bad seed', async () => {
    const dataDir = tempFolder();
    const seed = { contacts: [{ email: 'a@example.com' }] };
    const twice = { contacts: [{ email: 'a@example.com' }, { email: 'a@example.com' }] };
    await expect(start({ dataDir, seed: twice })).rejects.toMatchObject({ code: 'seed_unusable', exit: 2 });
    for (const _ of [1, 2]) {
      const emulator = await start({ dataDir, seed });
      expect(emulator.admin.state().contacts).toBe(1);
      await emulator.close();
    }
  });

  test('the emulator refuses a data directory with other contents, and names it', async () => {
    const dataDir = tempFolder();
    writeFileSync(
      join(dataDir, 'emulator.db'),
      'this is not a database, and long enough to be looked at as one\n'.repeat(50),
    );
    const message = expect.stringContaining(dataDir);
    await expect(start({ dataDir })).rejects.toMatchObject({ code: 'emulator_data', exit: 2, message });
  });

  test('the emulator refuses a port that is in use', async () => {
    const { url, emulator } = await startService();
    await expect(emulator.listen(Number(new URL(url).port))).rejects.toMatchObject({ code: 'port_unusable', exit: 2 });
  });

  test('the emulator refuses no request when it has no rate limit', async () => {
    const { ask, emulator } = await startService({ rateLimit: 0 });
    emulator.admin.consumeQuota(10_000);
    const { status, headers } = await ask('GET', '/v1/audiences');
    expect([status, Number(headers['ratelimit-remaining']) > 100_000]).toEqual([200, true]);
  });

  test('the emulator logs requests with bodies when asked, never the API key', async () => {
    const { ask, emulator } = await startService({ recordBodies: true });
    await ask('POST', '/v1/audiences', { body: { name: 'A' }, idempotencyKey: 'k' });
    expect(emulator.admin.requests()).toEqual([
      {
        at: Date.UTC(2026, 0, 1),
        method: 'POST',
        path: '/v1/audiences',
        status: 201,
        idempotencyKey: 'k',
        replayed: false,
        requestId: expect.stringMatching(/^req_/),
        body: '{"name":"A"}',
      },
    ]);
    expect(JSON.stringify(emulator.admin.requests())).not.toContain(emulator.apiKey);
  });

  test('the emulator has no timer when it has no work or is closed', async () => {
    const { ask, clock, emulator } = await startService();
    await ask('GET', '/v1/audiences');
    expect(clock.sleepers).toBe(0);
    await ask('POST', '/v1/emails', { body: { from: 'a@example.com', to: 'b@example.com', subject: 's', text: 't' } });
    expect(clock.sleepers).toBe(1);
    await emulator.close();
    expect(clock.sleepers).toBe(0);
  });

  test.each([
    ['after its next start', 0, 30_000],
    ['while it was not running', 30_000, 0],
  ])('the emulator sends a stored retry that became due %s', async (_, closedMs, openMs) => {
    const dataDir = tempFolder();
    const types: (string | undefined)[] = [];
    const sendWebhook: EmulatorOptions['sendWebhook'] = async ({ headers }) => {
      types.push(headers['service-delivery-attempt']);
      return types.length === 1 ? 500 : 200;
    };
    const clock = createManualClock();
    const first = await start({ dataDir, clock, sendWebhook });
    const headers = { authorization: `Bearer ${first.apiKey}`, 'content-type': 'application/json' };
    const body = Buffer.from('{"url":"https://hooks.example.com/","events":["suppression.created"]}');
    await first.handle({ method: 'POST', path: '/v1/webhooks', headers, body });
    first.admin.suppress(['a@example.com']);
    await clock.advance(0);
    await first.close();
    await clock.advance(closedMs);
    const second = await start({ dataDir, clock, sendWebhook });
    await clock.advance(openMs);
    expect(types).toEqual(['1', '2']);
    await second.close();
  });

  test('the emulator sends a retry that becomes due between two clock readings', async () => {
    const manual = createManualClock();
    let readings = 0;
    let isMoving = false;
    // The second reading of the clock, and each later one, is a millisecond after the first.
    const now = () => manual.now() + Number(isMoving && readings++ > 0);
    const attempts: (string | undefined)[] = [];
    const { ask, emulator } = await startService({
      clock: { ...manual, now },
      sendWebhook: async ({ headers }) => {
        attempts.push(headers['service-delivery-attempt']);
        return 500;
      },
    });
    await ask('POST', '/v1/webhooks', { body: { url: 'https://hooks.example.com/', events: ['suppression.created'] } });
    emulator.admin.suppress(['a@example.com']);
    await manual.advance(0);
    await manual.advance(29_999);
    isMoving = true;
    emulator.admin.advance(0);
    await manual.advance(0);
    expect(attempts).toEqual(['1', '2']);
  });
});
