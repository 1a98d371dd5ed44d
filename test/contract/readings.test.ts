import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createRateWindow } from '../../src/emulator/limits/rate-window.ts';
import { createHex, people, startService } from './service.ts';

const codeOf = ({ status, json }: { status: number; json: { error?: { code: string } } }) => [status, json.error?.code];
const MAIL = { from: 'a@example.com', to: ['ana@example.com'], subject: 's', text: 't' };

test.each([
  { first: 'unsubscribed', second: 'bounced', kept: 'bounced', send: 400 },
  { first: 'unsubscribed', second: 'complained', kept: 'complained', send: 400 },
  { first: 'bounced', second: 'unsubscribed', kept: 'bounced', send: 400 },
  { first: 'bounced', second: 'complained', kept: 'bounced', send: 400 },
])('Suppressions: refuses mail to people suppressed as $first, then $second', async ({ first, second, kept, send }) => {
  const { ask } = await startService();
  for (const reason of [first, second]) {
    await ask('POST', '/v1/suppressions', { body: { reason, emails: ['ana@example.com'] } });
  }
  const { json } = await ask('GET', '/v1/suppressions');
  expect(json.data.map(({ reason }: { reason: string }) => reason)).toEqual([kept]);
  expect((await ask('POST', '/v1/emails', { body: MAIL })).status).toBe(send);
});

test('Suppressions: refuses mail after an unsubscribed address has bounced', async () => {
  const { ask, emulator, clock } = await startService();
  emulator.admin.suppress(['bounce@example.com'], 'unsubscribed');
  const body = { ...MAIL, to: ['bounce@example.com'] };
  expect((await ask('POST', '/v1/emails', { body })).status).toBe(200);
  await clock.advance(5_000);
  expect(codeOf(await ask('POST', '/v1/emails', { body }))).toEqual([400, 'email_suppressed']);
});

test.each([
  { status: 'active', state: 'running' },
  { status: 'paused', state: 'waiting' },
])('Enrollment: a $status join automation enrolls a new person only once', async (row) => {
  const { ask, emulator } = await startService();
  const { admin } = emulator;
  const flow = admin.createAutomation({ trigger: 'audience_join', status: row.status });
  const other = admin.createAutomation({ trigger: 'audience_join' });
  const body = { email: 'new@example.com', attributes: {} };
  const { json } = await ask('POST', `/v1/automations/${flow}/enroll`, { body });
  expect(json).toMatchObject({ outcome: 'enrolled', enrollment_id: expect.stringMatching(/^aen_/) });
  expect(admin.enrollments(flow).map(({ state, source }) => [state, source])).toEqual([[row.state, 'api']]);
  expect(admin.enrollments(other)).toHaveLength(1);
});

test.each([
  { body: { email: 'a@example.com', attributes: { a: 1 } }, param: 'attributes.a' },
  { body: { email: 'a@example.com', attributes: [] }, param: 'attributes' },
  { body: { email: 'a@example.com', first_name: 7 }, param: 'first_name' },
  { body: { email: 'ana' }, param: 'email' },
])('Errors: names the wrong field $param of a contact in `param`', async ({ body, param }) => {
  const { ask, audience } = await startService();
  const { status, json } = await ask('POST', `/v1/audiences/${audience}/contacts`, { body });
  expect([status, json.error.param]).toEqual([400, param]);
});

test('Automations: returns live_version null unless a version is published', async () => {
  const { ask, emulator } = await startService();
  const id = emulator.admin.createAutomation({ status: 'draft' });
  const versions = [];
  for (const status of ['archived', 'active', 'paused', 'draft', 'paused']) {
    emulator.admin.setAutomationStatus(id, status);
    versions.push((await ask('GET', `/v1/automations?status=${status}`)).json.data[0].live_version);
  }
  expect(versions).toEqual([null, 1, 1, null, 1]);
});

test('Limits: sends RateLimit headers when a field is nested 20,000 deep', async () => {
  const { ask, audience } = await startService();
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const body = `{"contacts":[{"email":"a@example.com","topics":${deep}}]}`;
  const reply = await ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body });
  expect([reply.status, reply.headers['ratelimit-limit']]).toEqual([200, '600']);
  expect(reply.json.results[0].error.code).toBe('invalid_request');
});

test('Limits: sends RateLimit headers when an MCP body is nested 20,000 deep', async () => {
  const { ask } = await startService();
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`;
  const headers = { accept: 'application/json, text/event-stream' };
  const reply = await ask('POST', '/mcp', { body, headers });
  expect([reply.status, reply.headers['ratelimit-limit']]).toEqual([200, '600']);
});

test('Limits: sends RateLimit headers when the bytes are not HTTP', async () => {
  const { url } = await startService();
  const text = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write('\u0000 hello\r\n\r\n'));
    socket.on('data', (part) => resolve(part.toString()));
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(text).toMatch(/\r\nratelimit-limit: 600\r\nratelimit-remaining: 600\r\n/);
  expect(text).toMatch(/"request_id":"req_[0-9a-f]{16}"/);
});

test('Errors: responds with 500 and rate headers when the emulator fails', async () => {
  const hex = createHex('broken');
  const isSecret = (length: number) => length === 48;
  const randomHex = (length: number) => (isSecret(length) ? raise(new RangeError('no more numbers')) : hex(length));
  const { ask } = await startService({ randomHex });
  const reply = await ask('POST', '/v1/webhooks', { body: { url: 'https://a.test/', events: ['email.sent'] } });
  expect([...codeOf(reply), reply.headers['ratelimit-limit']]).toEqual([500, 'internal_error', '600']);
  expect(reply.json.error.request_id).toMatch(/^req_[0-9a-f]{16}$/);
});

function raise(error: Error): never {
  throw error;
}

test('Plan rules: counts people who subscribe again when cap_counts=subscribed', async () => {
  const { ask, audience, emulator } = await startService({ variants: { cap_counts: 'subscribed' }, plan: 'free' });
  const left = ['left', 'gone', 'away'].map((name) => ({ email: `${name}@example.com`, status: 'unsubscribed' }));
  emulator.admin.addContacts([...people(499), ...left]);
  const write = (contacts: object[]) =>
    ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body: { upsert: true, contacts } });
  expect((await write([{ email: 'gone@example.com', status: 'subscribed' }])).status).toBe(200);
  const back = { email: 'left@example.com', status: 'subscribed' };
  expect(codeOf(await write([back]))).toEqual([403, 'plan_limit_reached']);
  expect((await write([back, { email: 'p0@example.com', status: 'unsubscribed' }])).status).toBe(200);
});

test.each([0, 20_000, 59_000])(
  'Limits: allows requests after Retry-After when full at %i ms (weighted)',
  async (offset) => {
    const { ask, emulator, clock } = await startService({ variants: { rate_window: 'weighted' } });
    await clock.advance(offset);
    emulator.admin.consumeQuota(600);
    const refused = await ask('GET', '/v1/audiences');
    await clock.advance(Number(refused.headers['retry-after']) * 1_000);
    expect([refused.status, (await ask('GET', '/v1/audiences')).status]).toEqual([429, 200]);
  },
);

test('Limits: computes when a weighted window has room again', () => {
  for (let seed = 1; seed < 400; seed += 1) {
    const window = createRateWindow('weighted', 1 + (seed % 7), 1_000);
    const now = 1_000 + seed * 13;
    for (let taken = 0; taken < (seed * 5) % 11; taken += 1) {
      window.push(now - ((seed * 31 * taken) % 900));
    }
    const wait = window.roomIn(now);
    expect(wait > 1 ? window.hasRoom(now + wait - 2) : false).toBe(false);
    expect(window.hasRoom(now + wait)).toBe(true);
  }
});

test.each([
  { title: '120 of 121 sends', variants: {}, left: '479' },
  { title: '121 of 121 sends', variants: { rate_counts_refused: 'yes' }, left: '478' },
])('Limits: counts $title when one is refused (rate_counts_refused)', async ({ variants, left }) => {
  const { ask } = await startService({ variants });
  for (let sent = 0; sent < 121; sent += 1) {
    await ask('POST', '/v1/emails', { body: MAIL });
  }
  expect((await ask('GET', '/v1/audiences')).headers['ratelimit-remaining']).toBe(left);
});

test('Common shapes: sets the field object of a batch (our reading)', async () => {
  const { ask, audience } = await startService();
  const batch = await ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body: { contacts: people(1) } });
  const list = await ask('POST', '/v1/suppressions', { body: { reason: 'bounced', emails: ['x@example.com'] } });
  expect([batch.json.object, list.json.object]).toEqual(['contact_batch', 'suppression_batch']);
});

test.each([
  { point: 'missing_date', contact: { status: 'unsubscribed' }, date: '2026-01-01T00:00:00.000Z' },
  { point: 'date_without_status', contact: { unsubscribed_at: '2020-01-01T00:00:00.000Z' }, date: null },
])('Contact: stores opt-out date $date at open point $point (our reading)', async ({ contact, date }) => {
  const { ask, audience } = await startService();
  const path = `/v1/audiences/${audience}/contacts`;
  const { json } = await ask('POST', path, { body: { email: 'a@example.com', ...contact } });
  expect(json.unsubscribed_at).toBe(date);
});

test('Enrollment: merges no attributes of a suppressed person (our reading)', async () => {
  const { ask, emulator } = await startService();
  emulator.admin.addContacts([{ email: 'a@example.com', attributes: { plan: 'free' } }]);
  emulator.admin.suppress(['a@example.com']);
  const path = `/v1/automations/${emulator.admin.createAutomation()}/enroll`;
  const { json } = await ask('POST', path, { body: { email: 'a@example.com', attributes: { plan: 'pro' } } });
  expect(json.outcome).toBe('suppressed');
  expect(emulator.admin.contact('a@example.com')?.attributes).toBe('{"plan":"free"}');
});

test.each([
  { point: 'enroll_without_address', method: 'POST', path: '/v1/automations/{flow}/enroll', body: {}, param: 'email' },
  {
    point: 'no_emails',
    method: 'POST',
    path: '/v1/suppressions',
    body: { reason: 'bounced', emails: [] },
    param: 'emails',
  },
  {
    point: 'event_types',
    method: 'POST',
    path: '/v1/webhooks',
    body: { url: 'https://a.test/', events: ['x'] },
    param: 'events',
  },
  { point: 'empty_status', method: 'GET', path: '/v1/automations?status=', body: undefined, param: 'status' },
  {
    point: 'reserved_values',
    method: 'POST',
    path: '/v1/audiences/{audience}/contacts',
    body: { email: 'a@example.com', attributes: { email: 1 } },
    param: 'attributes.email',
  },
])('Errors: responds to $method $path with 400 for $point (our reading)', async ({ method, path, body, param }) => {
  const { ask, audience, emulator } = await startService();
  const to = path.replace('{flow}', emulator.admin.createAutomation()).replace('{audience}', audience);
  const { status, json } = await ask(method, to, { body });
  expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_request', param]);
});

test('Audiences: keeps the name when a PATCH has no name (our reading)', async () => {
  const { ask, audience } = await startService();
  expect((await ask('PATCH', `/v1/audiences/${audience}`, { body: {} })).json.name).toBe('Newsletter');
});

test('Idempotency: ignores an empty key (our reading of empty_key)', async () => {
  const { ask } = await startService();
  const create = () => ask('POST', '/v1/audiences', { body: { name: 'A' }, headers: { 'idempotency-key': '' } });
  await create();
  expect((await create()).headers['idempotency-replayed']).toBeUndefined();
});

test('Limits: counts emails to invalid addresses as sends (our reading)', async () => {
  const { ask } = await startService();
  const refused = { ...MAIL, to: ['no-address'] };
  for (let sent = 0; sent < 120; sent += 1) {
    expect(codeOf(await ask('POST', '/v1/emails', { body: refused }))).toEqual([400, 'invalid_email']);
  }
  const full = await ask('POST', '/v1/emails', { body: MAIL });
  expect([...codeOf(full), full.headers['ratelimit-limit']]).toEqual([429, 'rate_limit_exceeded', '600']);
});

test('Idempotency: compares bodies byte by byte (our reading of claim_bytes)', async () => {
  const { ask } = await startService();
  const create = (body: string) => ask('POST', '/v1/audiences', { body, idempotencyKey: 'k' });
  expect((await create('{"name":"A"}')).status).toBe(201);
  expect(codeOf(await create('{"name": "A"}'))).toEqual([409, 'idempotency_conflict']);
});

test('Automations: returns sandbox false for a draft (our reading)', async () => {
  const { ask, emulator } = await startService({ plan: 'free' });
  const flow = emulator.admin.createAutomation({ status: 'draft' });
  const sandbox = async () => (await ask('GET', '/v1/automations')).json.data[0].sandbox;
  expect(await sandbox()).toBe(false);
  emulator.admin.publishAutomation(flow);
  expect(await sandbox()).toBe(true);
});
