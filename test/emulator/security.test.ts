import { expect, test } from 'vitest';
import { startService } from '../spec/service.ts';

test.each(['localhost:80', '127.0.0.1', '[::1]:9'])('Host %s is answered (K7)', async (host) => {
  const { ask } = await startService();
  expect((await ask('GET', '/v1/audiences', { headers: { host } })).status).toBe(200);
});

test.each(['evil.example.com', 'localhost.evil.example.com', '127.0.0.1.example.com', '10.0.0.1'])(
  'a foreign Host %s is refused, admin too (K7)',
  async (host) => {
    const { ask } = await startService();
    for (const path of ['/v1/audiences', '/_emulator/state']) {
      const { status, json } = await ask('GET', path, { headers: { host } });
      expect([status, json.error.code]).toEqual([403, 'forbidden']);
    }
  },
);

test('a foreign Origin is refused, the emulator’s own is not (K7)', async () => {
  const { ask, url } = await startService();
  expect((await ask('GET', '/v1/audiences', { headers: { origin: 'https://evil.example.com' } })).status).toBe(403);
  expect((await ask('GET', '/v1/audiences', { headers: { origin: 'null' } })).status).toBe(403);
  expect((await ask('GET', '/v1/audiences', { headers: { origin: url } })).status).toBe(200);
});

test('the admin API demands a key (K7)', async () => {
  const { ask } = await startService();
  expect((await ask('POST', '/_emulator/plan', { key: null, body: { plan: 'free' } })).status).toBe(401);
});

test('a body of more than 32 MiB is refused', async () => {
  const { ask } = await startService();
  const { status, json } = await ask('POST', '/v1/audiences', { body: `{"name":"${'x'.repeat(33 * 2 ** 20)}"}` });
  expect([status, json.error.code]).toEqual([400, 'invalid_request']);
});
