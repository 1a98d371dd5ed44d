import { describe, expect, test } from 'vitest';
import { startReceiver } from '../../../contract/receiver.ts';
import { startService } from '../../../contract/service.ts';

describe('the admin API of the emulator', () => {
  test('the admin API shows the clock, moves it forward, and does the work due', async () => {
    const { ask } = await startService();
    const { json } = await ask('POST', '/v1/emails', {
      body: { from: 'a@example.com', to: 'b@example.com', subject: 's', text: 't' },
    });
    const start = (await ask('GET', '/_emulator/clock')).json.now;
    expect((await ask('POST', '/_emulator/clock', { body: { advance_ms: 5_000 } })).json).toEqual({
      now: start + 5_000,
    });
    expect((await ask('GET', `/v1/emails/${json.id}`)).json.status).toBe('delivered');
  });

  test('makes each delivery attempt at its time when the clock is moved by 8 h', async () => {
    const sent: Readonly<Record<string, string>>[] = [];
    const { ask, clock } = await startService({
      sendWebhook: async ({ headers }) => {
        sent.push(headers);
        return 500;
      },
    });
    const body = { url: 'https://hooks.example.com/', events: ['suppression.created'] };
    const { id } = (await ask('POST', '/v1/webhooks', { body })).json;
    await ask('POST', '/v1/suppressions', { body: { reason: 'bounced', emails: ['a@example.com'] } });
    await ask('POST', '/_emulator/clock', { body: { advance_ms: 8 * 3_600_000 } });
    // The signature tells the time of an attempt.
    const seconds = sent.map((headers) => Number(/\d+/.exec(`${headers['service-signature']}`)) - clock.now() / 1_000);
    expect(sent.map((headers) => headers['service-delivery-attempt'])).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(seconds).toEqual([0, 30, 150, 750, 2_550, 6_150, 27_750]);
    expect((await ask('GET', `/v1/webhooks/${id}/deliveries`)).json.data).toMatchObject([
      { status: 'failed', attempt: 7 },
    ]);
  });

  test('the admin API changes the plan of the account', async () => {
    const { ask } = await startService();
    expect((await ask('POST', '/_emulator/plan', { body: { plan: 'free' } })).status).toBe(200);
    expect((await ask('GET', '/_emulator/state')).json.plan).toBe('free');
    expect((await ask('POST', '/_emulator/plan', { body: { plan: 'gold' } })).json.error.param).toBe('plan');
  });

  test('the admin API changes single account fields, and refuses wrong values', async () => {
    const { ask, emulator } = await startService();
    const change = { sending_disabled: true, members: ['me@example.com'], allowance: 7, domains: ['example.com'] };
    expect((await ask('POST', '/_emulator/account', { body: change })).status).toBe(200);
    expect(emulator.admin.account()).toMatchObject({
      plan: 'paid',
      sending_disabled: 1,
      members: '["me@example.com"]',
      allowance: 7,
      domains: '["example.com"]',
    });
    const invalid = [
      { plan: 'gold' },
      { members: 'me' },
      { sending_disabled: 1 },
      { forbidden: 'no' },
      { allowance: -1 },
    ];
    const params = invalid.map(async (body) => (await ask('POST', '/_emulator/account', { body })).json.error.param);
    expect(await Promise.all(params)).toEqual(['plan', 'members', 'sending_disabled', 'forbidden', 'allowance']);
    await ask('POST', '/_emulator/account', { body: { allowance: null, sending_disabled: false } });
    expect(emulator.admin.account()).toMatchObject({
      allowance: null,
      sending_disabled: 0,
      members: '["me@example.com"]',
    });
  });

  test('the admin API ignores capitals in addresses and domains', async () => {
    const { ask, emulator } = await startService();
    emulator.admin.addContacts([{ email: 'ann@example.com' }]);
    await ask('POST', '/_emulator/account', { body: { members: ['Ann@Example.com'], domains: ['*', 'Example.com'] } });
    expect(emulator.admin.account()).toMatchObject({
      members: '["ann@example.com"]',
      domains: '["*","example.com"]',
    });
    const path = `/_emulator/contacts/${encodeURIComponent('Ann@Example.com')}`;
    expect((await ask('PATCH', path, { body: { status: 'bounced' } })).status).toBe(200);
    expect(emulator.admin.contact('ANN@example.com')?.status).toBe('bounced');
    expect((await ask('DELETE', path)).status).toBe(200);
    emulator.admin.suppress(['ann@example.com']);
    emulator.admin.unsuppress('Ann@example.com');
    expect([emulator.admin.contacts(), emulator.admin.suppressions()]).toEqual([[], []]);
  });

  test('the admin API ends the 403 responses when forbidden is set to false', async () => {
    const { ask } = await startService();
    await ask('POST', '/_emulator/account', { body: { forbidden: true } });
    expect((await ask('GET', '/v1/audiences')).json.error.code).toBe('forbidden');
    await ask('POST', '/_emulator/account', { body: { forbidden: false } });
    expect((await ask('GET', '/v1/audiences')).status).toBe(200);
  });

  test('the admin API adds, lists and clears faults, and ignores them itself', async () => {
    const { ask } = await startService();
    const rule = { kind: 'html', status: 502, when: 'before' };
    await ask('POST', '/_emulator/faults', { body: { rules: [rule] } });
    expect((await ask('GET', '/v1/audiences')).status).toBe(502);
    expect((await ask('GET', '/_emulator/faults')).json.data).toEqual([rule]);
    await ask('DELETE', '/_emulator/faults');
    expect((await ask('GET', '/v1/audiences')).status).toBe(200);
  });

  test('the admin API creates keys with scopes and revokes them', async () => {
    const { ask } = await startService();
    const { json } = await ask('POST', '/_emulator/keys', { body: { scopes: ['webhooks:manage'] } });
    const status = async () => (await ask('GET', '/v1/webhooks', { key: json.api_key })).status;
    expect(await status()).toBe(200);
    await ask('DELETE', '/_emulator/keys', { body: { api_key: json.api_key } });
    expect(await status()).toBe(401);
  });

  test('the admin API changes and publishes automations, lists enrollments', async () => {
    const { ask, audience, emulator } = await startService();
    emulator.admin.addContacts([{ email: 'a@example.com' }]);
    const { json } = await ask('POST', '/_emulator/automations', {
      body: { name: 'Win back', status: 'draft', audience_id: audience },
    });
    await ask('POST', `/_emulator/automations/${json.id}/publish`);
    await ask('POST', `/v1/automations/${json.id}/enroll`, { body: { email: 'a@example.com' } });
    const runs = await ask('GET', `/_emulator/automations/${json.id}/enrollments`);
    expect(runs.json.data).toMatchObject([{ email: 'a@example.com', state: 'running' }]);
    await ask('PATCH', `/_emulator/automations/${json.id}`, { body: { status: 'archived' } });
    expect((await ask('GET', '/v1/automations')).json.data).toEqual([]);
    expect((await ask('PATCH', '/_emulator/automations/aut_x', { body: { status: 'active' } })).status).toBe(400);
  });

  test.each([
    { reentry: 'once', before: 'already_enrolled', after: 'already_enrolled' },
    { reentry: 'finished', before: 'already_enrolled', after: 'enrolled' },
    { reentry: 'always', before: 'enrolled', after: 'enrolled' },
  ])('the admin API ends enrollments, reentry=$reentry', async ({ reentry, before, after }) => {
    const { ask, emulator } = await startService();
    emulator.admin.addContacts([{ email: 'a@example.com' }]);
    const { id } = (await ask('POST', '/_emulator/automations', { body: { reentry } })).json;
    const enroll = async () =>
      (await ask('POST', `/v1/automations/${id}/enroll`, { body: { email: 'a@example.com' } })).json.outcome;
    const states = async () =>
      (await ask('GET', `/_emulator/automations/${id}/enrollments`)).json.data.map(
        ({ state }: { state: string }) => state,
      );
    expect([await enroll(), await enroll()]).toEqual(['enrolled', before]);
    expect((await ask('POST', `/_emulator/automations/${id}/finish`)).status).toBe(200);
    expect([...new Set(await states())]).toEqual(['finished']);
    expect(await enroll()).toBe(after);
  });

  test.each([
    ['POST', '/_emulator/automations', { status: 'running' }],
    ['POST', '/_emulator/automations', { trigger: 'join' }],
    ['POST', '/_emulator/automations', { reentry: 'twice' }],
    ['POST', '/_emulator/automations', { entry_filter: 5 }],
    ['POST', '/_emulator/automations', { entry_filter: { plan: 1 } }],
    ['POST', '/_emulator/automations', { unusable: 'yes' }],
    ['POST', '/_emulator/automations', { name: 5 }],
    ['POST', '/_emulator/keys', { scopes: ['webhooks:read'] }],
    ['DELETE', '/_emulator/keys', { api_key: 'svc_emulator_00' }],
    ['POST', '/_emulator/events', { type: 'email.opened' }],
    ['POST', '/_emulator/events', { type: 'email.sent', data: 5 }],
    ['POST', '/_emulator/automations', { entry_filter: { Email: 'x' } }],
    ['POST', '/_emulator/account', { sending_disable: true }],
    ['POST', '/_emulator/account', { members: ['no address'] }],
    ['POST', '/_emulator/account', { domains: [''] }],
    ['POST', '/_emulator/clock', { advance_ms: 9e15 }],
    ['POST', '/_emulator/clock', '{"advance_ms":1e999}'],
    ['POST', '/_emulator/clock', { advance_ms: 1, speed: 2 }],
    ['POST', '/_emulator/clock', { advance_ms: 0.3 }],
    ['POST', '/_emulator/clock', { advance_ms: 1_000.5 }],
    ['POST', '/_emulator/clock', { advance_ms: -1 }],
    ['POST', '/_emulator/plan', { plan: 'free', members: [] }],
    ['DELETE', '/_emulator/faults', { kind: 'cut' }],
    ['PATCH', '/_emulator/contacts/a@example.com', { status: 'gone' }],
    ['PATCH', '/_emulator/contacts/a@example.com', { status: 'bounced', first_name: 'A' }],
    ['DELETE', '/_emulator/contacts/b@example.com', {}],
  ])('admin API: responds to %s %s with 400 when body %j or address is invalid', async (method, path, body) => {
    const { ask, emulator } = await startService();
    emulator.admin.addContacts([{ email: 'a@example.com' }]);
    const before = [emulator.admin.account(), emulator.admin.state().now];
    const { status, json } = await ask(method, path, { body });
    expect([status, json.error?.code]).toEqual([400, 'invalid_request']);
    expect([emulator.admin.account(), emulator.admin.state().now]).toEqual(before);
    expect([emulator.admin.state().automations, emulator.admin.contact('a@example.com')?.status]).toEqual([
      0,
      'subscribed',
    ]);
  });

  test('the admin API sends events to endpoints', async () => {
    const { ask } = await startService({ allowLoopbackWebhooks: true });
    const receiver = await startReceiver(200);
    await ask('POST', '/v1/webhooks', { body: { url: receiver.url, events: ['email.complained'] } });
    await ask('POST', '/_emulator/events', { body: { type: 'email.complained', data: { email: 'a@example.com' } } });
    const [arrival] = await receiver.arrived(1);
    expect(JSON.parse(arrival?.body ?? '')).toMatchObject({
      type: 'email.complained',
      data: { email: 'a@example.com' },
    });
  });

  test('the admin API changes and deletes contacts, and lists all requests', async () => {
    const { ask, emulator } = await startService();
    emulator.admin.addContacts([{ email: 'a@example.com' }, { email: 'b@example.com' }]);
    await ask('PATCH', '/_emulator/contacts/a@example.com', { body: { status: 'unsubscribed' } });
    await ask('DELETE', '/_emulator/contacts/b@example.com');
    const left = (await ask('GET', '/_emulator/contacts')).json.data;
    expect(left.map(({ email, status }: { email: string; status: string }) => [email, status])).toEqual([
      ['a@example.com', 'unsubscribed'],
    ]);
    const { text, json } = await ask('GET', '/_emulator/requests');
    expect(json.data.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`)).toEqual([
      'PATCH /_emulator/contacts/a@example.com',
      'DELETE /_emulator/contacts/b@example.com',
      'GET /_emulator/contacts',
    ]);
    expect(text.includes(emulator.apiKey)).toBe(false);
  });

  test('the admin API responds with 404 to an unknown route and uses no quota', async () => {
    const { ask } = await startService();
    expect((await ask('GET', '/_emulator/nothing')).status).toBe(404);
    expect((await ask('GET', '/v1/audiences')).headers['ratelimit-remaining']).toBe('599');
  });
});
