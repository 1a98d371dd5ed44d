import { expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';

const HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];

async function limits({ ask }: Service, path = '/v1/audiences'): Promise<(number | string | undefined)[]> {
  const { status, headers } = await ask('GET', path);
  return [status, ...HEADERS.map((name) => headers[name])];
}

test('Limits: sends RateLimit headers with every response', async () => {
  const service = await startService();
  expect(await limits(service)).toEqual([200, '600', '599', '60', undefined]);
  expect(await limits(service, '/v1/nothing')).toEqual([404, '600', '598', '60', undefined]);
  const { status, headers } = await service.ask('GET', '/v1/audiences', { key: null });
  expect([status, headers['ratelimit-remaining']]).toEqual([401, '598']);
});

test('Limits, request rate: refuses a 601st request in any 60 seconds', async () => {
  const service = await startService();
  const { clock, emulator } = service;
  await limits(service);
  await clock.advance(20_000);
  emulator.admin.consumeQuota(599);
  expect(await limits(service)).toEqual([429, '600', '0', '40', '40']);
  await clock.advance(39_999);
  expect(await limits(service)).toEqual([429, '600', '0', '1', '1']);
  await clock.advance(1);
  expect(await limits(service)).toEqual([200, '600', '0', '20', undefined]);
});

test('Limits, request rate: sends rate_limit_exceeded after 600 requests', async () => {
  const { ask, emulator } = await startService();
  emulator.admin.consumeQuota(600);
  expect((await ask('GET', '/v1/audiences')).json.error.code).toBe('rate_limit_exceeded');
});

test('Limits, request rate: counts requests of all keys of an organization', async () => {
  const { ask, emulator } = await startService();
  emulator.admin.consumeQuota(600);
  const sibling = emulator.admin.createKey();
  const other = emulator.admin.createOrganization();
  expect((await ask('GET', '/v1/audiences', { key: sibling })).status).toBe(429);
  expect((await ask('GET', '/v1/audiences', { key: other.apiKey })).status).toBe(200);
});

test('Retry guidance: sends the longer Retry-After when two limits are reached', async () => {
  const { ask, clock, emulator } = await startService();
  const body = { from: 'a@example.com', to: 'b@example.com', subject: 'Hi', text: 'Hello' };
  const send = () => ask('POST', '/v1/emails', { body });
  emulator.admin.consumeQuota(480);
  await clock.advance(50_000);
  for (let sent = 0; sent < 120; sent += 1) {
    await send();
  }
  const refused = await send();
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
  expect((await ask('GET', '/v1/audiences')).headers['retry-after']).toBe('10');
  await clock.advance(60_000);
  expect((await send()).status).toBe(200);
});

test('Limits: counts a batch call as one request', async () => {
  const { ask, audience } = await startService();
  const contacts = Array.from({ length: 1_000 }, (_, index) => ({ email: `p${index}@example.com` }));
  const { headers } = await ask('POST', `/v1/audiences/${audience}/contacts/batch`, {
    body: { upsert: true, contacts },
  });
  expect(headers['ratelimit-remaining']).toBe('599');
});

test('Limits: allows requests again gradually under rate_window=weighted', async () => {
  const service = await startService({ variants: { rate_window: 'weighted' } });
  service.emulator.admin.consumeQuota(600);
  await service.clock.advance(90_000);
  expect((await limits(service))[2]).toBe('299');
});

test('Date: sends the time of the service’s clock', async () => {
  const { ask, clock } = await startService();
  await clock.advance(5_000);
  expect((await ask('GET', '/v1/audiences')).headers.date).toBe('Thu, 01 Jan 2026 00:00:05 GMT');
});
