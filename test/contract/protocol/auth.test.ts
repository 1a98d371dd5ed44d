import { expect, test } from 'vitest';
import { startService } from '../service.ts';

test.each([
  { title: 'no key', key: null, headers: {} },
  { title: 'an unknown key', key: 'svc_nobody', headers: {} },
  { title: 'a malformed header', key: null, headers: { authorization: 'Basic abc' } },
  { title: 'a key without Bearer', key: null, headers: { authorization: 'svc_nobody' } },
])('Authentication 6: responds with 401 invalid_api_key for $title', async ({ key, headers }) => {
  const { ask } = await startService();
  const { status, json } = await ask('GET', '/v1/audiences', { key, headers });
  expect([status, json.error.code]).toEqual([401, 'invalid_api_key']);
});

test('Authentication 6: responds with 401 revoked_api_key to a revoked key', async () => {
  const { ask, emulator } = await startService();
  const key = emulator.admin.createKey();
  expect((await ask('GET', '/v1/audiences', { key })).status).toBe(200);
  emulator.admin.revokeKey(key);
  const { status, json } = await ask('GET', '/v1/audiences', { key });
  expect([status, json.error.code]).toEqual([401, 'revoked_api_key']);
});

test('Authentication 6: refuses a test key with 403 test_keys_not_supported', async () => {
  const { ask } = await startService();
  const { status, json } = await ask('GET', '/v1/audiences', { key: 'service_test_abc' });
  expect([status, json.error.code]).toEqual([403, 'test_keys_not_supported']);
});

test('Authentication 6: responds with 403 when the account has no permission', async () => {
  const { ask, emulator } = await startService();
  emulator.admin.set({ forbidden: true });
  const { status, json } = await ask('GET', '/v1/audiences');
  expect([status, json.error.code]).toEqual([403, 'forbidden']);
});

test('Authentication 4: allows reads, also of automations, without scopes', async () => {
  const { ask, emulator, audience } = await startService();
  const key = emulator.admin.createKey([]);
  const paths = ['/v1/automations', '/v1/audiences', `/v1/audiences/${audience}`, '/v1/suppressions'];
  const statuses = await Promise.all(paths.map(async (path) => (await ask('GET', path, { key })).status));
  expect(statuses).toEqual([200, 200, 200, 200]);
});

test.each([
  ['GET', '/v1/webhooks'],
  ['POST', '/v1/webhooks'],
  ['GET', '/v1/webhooks/whe_x'],
  ['PATCH', '/v1/webhooks/whe_x'],
  ['DELETE', '/v1/webhooks/whe_x'],
  ['GET', '/v1/webhooks/whe_x/deliveries'],
])('Authentication 5: refuses %s %s with 403 when webhooks:manage is missing', async (method, path) => {
  const { ask, emulator } = await startService();
  const key = emulator.admin.createKey(['campaigns:send', 'automations:enroll']);
  const { status, json } = await ask(method, path, { key });
  expect([status, json.error.code]).toEqual([403, 'insufficient_scope']);
});

test('Automations: refuses an enrollment when automations:enroll is missing', async () => {
  const { ask, emulator } = await startService();
  const flow = emulator.admin.createAutomation();
  const key = emulator.admin.createKey(['webhooks:manage']);
  const reply = await ask('POST', `/v1/automations/${flow}/enroll`, { key, body: { email: 'a@example.com' } });
  expect([reply.status, reply.json.error.code]).toEqual([403, 'insufficient_scope']);
});
