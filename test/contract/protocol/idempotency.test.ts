import { expect, test } from 'vitest';
import { people, startService } from '../service.ts';

const NAME = { name: 'Readers' };
const HOUR = 3_600_000;

test('Limits, Idempotency: replays the stored response within 24 hours', async () => {
  const { ask, clock } = await startService();
  const first = await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
  await clock.advance(24 * HOUR - 1);
  const again = await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
  expect((await ask('GET', '/v1/audiences')).json.data).toHaveLength(2);
});

test('Limits, Idempotency: treats a key as new after 24 hours (I6)', async () => {
  const { ask, clock } = await startService();
  const first = await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
  await clock.advance(24 * HOUR);
  const again = await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
  expect(again.json.id).not.toBe(first.json.id);
  expect(again.headers['idempotency-replayed']).toBeUndefined();
});

test('Limits, Idempotency: keeps a reused key for another 24 hours (I6)', async () => {
  const { ask, clock } = await startService();
  const create = (key: number) => ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: `k${key}` });
  // With so many keys, the test notices if the service forgets only some of them.
  const keys = Array.from({ length: 20 }, (_, index) => index);
  for (const key of keys) {
    await create(key);
  }
  await clock.advance(24 * HOUR);
  const anew = await create(19);
  await clock.advance(24 * HOUR - 1);
  const again = await create(19);
  expect([again.json.id, again.headers['idempotency-replayed']]).toEqual([anew.json.id, 'true']);
});

test('Limits, Idempotency: responds with 409 when a key has another body', async () => {
  const { ask } = await startService();
  await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
  const other = await ask('POST', '/v1/audiences', { body: { name: 'Others' }, idempotencyKey: 'k' });
  expect([other.status, other.json.error.code]).toEqual([409, 'idempotency_conflict']);
  const { json } = await ask('GET', '/v1/audiences');
  expect(json.data.map(({ name }: { name: string }) => name)).toEqual(['Readers', 'Newsletter']);
});

test('Limits, Idempotency: runs one of two concurrent requests with one key', async () => {
  const { ask, clock, emulator } = await startService();
  emulator.admin.addFault({ kind: 'slow', ms: 1_000, when: 'claimed', times: 1 });
  const winner = ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
  while (clock.sleepers === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  const loser = await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
  await clock.advance(1_000);
  expect([loser.status, loser.json.error.code]).toEqual([409, 'idempotency_conflict']);
  expect((await winner).status).toBe(201);
  expect((await ask('GET', '/v1/audiences')).json.data).toHaveLength(2);
});

test.each([
  { effect: false, made: 1 },
  { effect: true, made: 2 },
])('Limits, Idempotency: creates $made in all with a repeat at 5 min (I4)', async ({ effect, made }) => {
  const { ask, clock, emulator } = await startService();
  emulator.admin.addFault({ kind: 'lost_claim', effect, times: 1 });
  await expect(ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' })).rejects.toThrow('ECONNRESET');
  await clock.advance(5 * 60_000 - 1);
  expect((await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' })).status).toBe(409);
  await clock.advance(1);
  expect((await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' })).status).toBe(201);
  expect((await ask('GET', '/v1/audiences')).json.data).toHaveLength(1 + made);
});

test.each([
  { length: 255, status: 201 },
  { length: 256, status: 400 },
])('Limits, Idempotency-Key length: returns $status for $length characters', async ({ length, status }) => {
  const { ask } = await startService();
  const reply = await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k'.repeat(length) });
  expect(reply.status).toBe(status);
});

test('Limits, Idempotency: replays a refusal after its cause was removed (I1)', async () => {
  const { ask, emulator, audience } = await startService({ plan: 'free' });
  emulator.admin.addContacts(Array.from({ length: 500 }, (_, i) => ({ email: `p${i}@example.com` })));
  const body = { upsert: true, contacts: [{ email: 'new@example.com' }] };
  const path = `/v1/audiences/${audience}/contacts/batch`;
  const refused = await ask('POST', path, { body, idempotencyKey: 'k' });
  emulator.admin.setPlan('paid');
  const replayed = await ask('POST', path, { body, idempotencyKey: 'k' });
  const fresh = await ask('POST', path, { body, idempotencyKey: 'k2' });
  expect([refused.status, replayed.status, fresh.status]).toEqual([403, 403, 200]);
  expect([replayed.headers['idempotency-replayed'], replayed.text]).toEqual(['true', refused.text]);
});

test('Limits, Idempotency: replays no refusal under stored_errors=no', async () => {
  const { ask } = await startService({ variants: { stored_errors: 'no' } });
  await ask('POST', '/v1/audiences', { body: {}, idempotencyKey: 'k' });
  expect((await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' })).status).toBe(201);
});

test('Limits, Idempotency: ignores the key of a PATCH and of a DELETE', async () => {
  const { ask } = await startService();
  const created = await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
  const path = `/v1/audiences/${created.json.id}`;
  const rename = (name: string) => ask('PATCH', path, { body: { name }, idempotencyKey: 'k' });
  const renamed = [await rename('A'), await rename('B'), await rename('A')];
  expect(renamed.map(({ status, json }) => [status, json.name])).toEqual(['A', 'B', 'A'].map((name) => [200, name]));
  expect((await ask('GET', path)).json.name).toBe('A');
  const remove = () => ask('DELETE', path, { idempotencyKey: 'k' });
  const removed = [await remove(), await remove()];
  expect(removed.map(({ status }) => status)).toEqual([200, 404]);
  const replayed = [...renamed, ...removed].map(({ headers }) => headers['idempotency-replayed']);
  expect(replayed).toEqual(Array(5).fill(undefined));
});

test.each([
  { path: '/v1/audiences', body: { name: 'Readers' } },
  { path: '/v1/audiences/{audience}/contacts/batch', body: { upsert: true, contacts: people(1) } },
  { path: '/v1/audiences/{audience}/contacts', body: { email: 'a@example.com' } },
  { path: '/v1/suppressions', body: { reason: 'bounced', emails: ['a@example.com'] } },
  { path: '/v1/webhooks', body: { url: 'https://hooks.example.com/', events: ['email.sent'] } },
  { path: '/v1/emails', body: { from: 'a@example.com', to: 'b@example.com', subject: 's', text: 't' } },
  { path: '/v1/automations/{automation}/enroll', body: { email: 'p@example.com' } },
])('Limits, Idempotency: replays the status and body of any POST: $path', async ({ path, body }) => {
  const { ask, audience, emulator } = await startService();
  emulator.admin.addContacts([{ email: 'p@example.com' }]);
  const to = path.replace('{audience}', audience).replace('{automation}', emulator.admin.createAutomation());
  const first = await ask('POST', to, { body, idempotencyKey: 'k' });
  const again = await ask('POST', to, { body, idempotencyKey: 'k' });
  expect(first.status).toBeLessThan(300);
  expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([first.status, first.text, 'true']);
});
