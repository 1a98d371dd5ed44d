import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { startReceiver, until } from '../receiver.ts';
import { type Service, startService } from '../service.ts';

const START = '2026-01-01T00:00:00.000Z';
const URL_ = 'https://hooks.example.com/in';
const LOOPBACK = { allowLoopbackWebhooks: true };

test('Webhooks: returns the secret only when it creates an endpoint', async () => {
  const { ask } = await startService();
  const body = { url: URL_, events: ['email.sent', 'email.bounced'], description: 'ours' };
  const { status, json } = await ask('POST', '/v1/webhooks', { body });
  const endpoint = {
    id: expect.stringMatching(/^whe_/),
    object: 'webhook_endpoint',
    ...body,
    status: 'active',
    consecutive_failures: 0,
    last_success_at: null,
    last_failure_at: null,
    last_error: null,
    created_at: START,
  };
  expect([status, json]).toEqual([201, { ...endpoint, secret: expect.any(String) }]);
  const path = `/v1/webhooks/${json.id}`;
  expect((await ask('GET', path)).json).toEqual(endpoint);
  expect((await ask('PATCH', path, { body: {} })).json).toEqual(endpoint);
  expect((await ask('GET', '/v1/webhooks')).json.data).toEqual([endpoint]);
});

test.each([
  { title: 'no url', body: { url: undefined }, param: 'url' },
  { title: 'http', body: { url: 'http://hooks.example.com/' }, param: 'url' },
  { title: 'another port', body: { url: 'https://hooks.example.com:8080/' }, param: 'url' },
  { title: 'localhost', body: { url: 'https://localhost/' }, param: 'url' },
  { title: 'a loopback address', body: { url: 'https://127.0.0.1/' }, param: 'url' },
  { title: 'a loopback address in hexadecimal', body: { url: 'https://0x7f.1/' }, param: 'url' },
  { title: 'a private address', body: { url: 'https://10.1.2.3/' }, param: 'url' },
  { title: 'the metadata address', body: { url: 'https://169.254.169.254/latest' }, param: 'url' },
  { title: 'a private IPv6 address', body: { url: 'https://[fd00::1]/' }, param: 'url' },
  {
    title: 'an address behind a name and a password',
    body: { url: 'https://hooks.example.com:x@10.0.0.1/' },
    param: 'url',
  },
  { title: 'an address written as one number', body: { url: 'https://2130706433/' }, param: 'url' },
  { title: 'an address in octal', body: { url: 'https://0177.0.0.1/' }, param: 'url' },
  { title: 'a local name with a dot at its end', body: { url: 'https://localhost./' }, param: 'url' },
  { title: 'a name without a dot', body: { url: 'https://intranet/' }, param: 'url' },
  { title: 'full-width digits', body: { url: 'https://１２７.0.0.1/' }, param: 'url' },
  { title: 'another scheme', body: { url: 'file:///etc/passwd' }, param: 'url' },
  { title: 'a mapped address', body: { url: 'https://[::ffff:10.0.0.1]/' }, param: 'url' },
  { title: 'a name inside', body: { url: 'https://metadata.google.internal/' }, param: 'url' },
  { title: 'no events', body: { events: undefined }, param: 'events' },
  { title: 'an empty list of events', body: { events: [] }, param: 'events' },
  { title: 'an unknown event', body: { events: ['email.opened'] }, param: 'events' },
  { title: 'a description that is no string', body: { description: 7 }, param: 'description' },
])('Webhooks: refuses an endpoint with $title', async ({ body, param }) => {
  const { ask } = await startService();
  const good = { url: URL_, events: ['email.sent'] };
  const refused = await ask('POST', '/v1/webhooks', { body: { ...good, ...body } });
  expect([refused.status, refused.json.error.code, refused.json.error.param]).toEqual([400, 'invalid_request', param]);
  expect((await ask('GET', '/v1/webhooks')).json.data).toEqual([]);
  const { json } = await ask('POST', '/v1/webhooks', { body: good });
  const absent = Object.values(body).every((value) => value === undefined);
  expect((await ask('PATCH', `/v1/webhooks/${json.id}`, { body })).status).toBe(absent ? 200 : 400);
  expect((await ask('GET', `/v1/webhooks/${json.id}`)).json).toMatchObject(good);
});

test.each(['https://hooks.example.com:443/', 'https://hooks.example.com:8443/in?x=1'])(
  'Webhooks: accepts the URL %s',
  async (url) => {
    const { ask } = await startService();
    expect((await ask('POST', '/v1/webhooks', { body: { url, events: ['email.sent'] } })).json.url).toBe(url);
  },
);

test('Webhooks: changes an endpoint by PATCH and replaces its events (W3)', async () => {
  const { ask } = await startService();
  const { json } = await ask('POST', '/v1/webhooks', { body: { url: URL_, events: ['email.sent', 'email.failed'] } });
  const body = { events: ['email.bounced'], status: 'disabled', description: 'b', url: 'https://two.example.com/' };
  expect((await ask('PATCH', `/v1/webhooks/${json.id}`, { body })).json).toMatchObject(body);
});

test('Webhooks: deletes an endpoint and responds with 404 afterwards', async () => {
  const service = await startService(LOOPBACK);
  const { ask, emulator, clock } = service;
  const receiver = await startReceiver(500);
  const { id } = await hook(service, receiver.url);
  await suppress(service);
  await until(async () => (await log(service, id))[0]?.response_status === 500);
  const [delivery] = await log(service, id);
  const other = emulator.admin.createOrganization();
  const path = `/v1/webhooks/${id}`;
  expect((await ask('GET', path, { key: other.apiKey })).status).toBe(404);
  expect((await ask('DELETE', path, { key: other.apiKey })).status).toBe(404);
  expect((await ask('DELETE', path)).json).toEqual({ id, deleted: true });
  expect((await ask('GET', `${path}/deliveries`)).status).toBe(404);
  expect((await ask('DELETE', path)).status).toBe(404);
  // The service also deleted the deliveries, so there is no next attempt.
  expect(() => emulator.admin.resendDelivery(delivery.id)).toThrow('whd_');
  await clock.advance(60_000);
  expect(receiver.arrivals).toHaveLength(1);
});

/** Creates an endpoint for a receiver with these responses. */
async function hook(
  service: Service,
  url: string,
  events: string[] = ['suppression.created'],
): Promise<{ id: string; secret: string }> {
  return (await service.ask('POST', '/v1/webhooks', { body: { url, events } })).json;
}

async function suppress({ ask }: Service, email = 'a@example.com'): Promise<void> {
  await ask('POST', '/v1/suppressions', { body: { reason: 'bounced', emails: [email] } });
}

const log = async ({ ask }: Service, id: string, query = '') =>
  (await ask('GET', `/v1/webhooks/${id}/deliveries${query}`)).json.data;

test('Events: sends the documented headers and body, and signs the raw body', async () => {
  const service = await startService(LOOPBACK);
  const receiver = await startReceiver(200);
  const { id, secret } = await hook(service, receiver.url);
  await suppress(service);
  const [arrival] = await receiver.arrived(1);
  const event = JSON.parse(arrival?.body ?? '');
  expect(event).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: 'suppression.created',
    created_at: START,
    data: { object: 'suppression', email: 'a@example.com', reason: 'hard_bounce' },
  });
  const t = Date.parse(START) / 1_000;
  const v1 = createHmac('sha256', secret).update(`${t}.${arrival?.body}`).digest('hex');
  expect(arrival?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^\S+\/\S+ \(\+https:/),
    'service-event-id': event.id,
    'service-event-type': 'suppression.created',
    'service-delivery-attempt': '1',
    'service-signature': `t=${t},v1=${v1}`,
  });
  await until(async () => (await log(service, id, '?status=delivered')).length === 1);
  expect(await log(service, id)).toEqual([
    {
      id: expect.stringMatching(/^whd_/),
      object: 'webhook_delivery',
      endpoint_id: id,
      event_id: event.id,
      event_type: 'suppression.created',
      status: 'delivered',
      attempt: 1,
      response_status: 200,
      error: null,
      duration_ms: 0,
      next_attempt_at: null,
      delivered_at: START,
      created_at: START,
    },
  ]);
});

test('Delivery rules 3: makes seven attempts on the documented schedule', async () => {
  const service = await startService(LOOPBACK);
  const receiver = await startReceiver(500);
  const { id } = await hook(service, receiver.url);
  await suppress(service);
  const seen = ['0'];
  for (const seconds of [30, 120, 600, 1_800, 3_600, 21_600]) {
    const count = seen.length;
    await receiver.arrived(count);
    await until(
      async () => (await log(service, id))[0].attempt === count && (await log(service, id))[0].response_status === 500,
    );
    await service.clock.advance(seconds * 1_000 - 1);
    seen.push(String(receiver.arrivals.length - count));
    await service.clock.advance(1);
  }
  await receiver.arrived(7);
  await until(async () => (await log(service, id, '?status=failed')).length === 1);
  expect(seen).toEqual(Array(7).fill('0'));
  expect(receiver.arrivals.map(({ headers }) => headers['service-delivery-attempt'])).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
  ]);
  expect((await log(service, id))[0]).toMatchObject({
    status: 'failed',
    attempt: 7,
    error: 'HTTP 500',
    next_attempt_at: null,
  });
  expect((await service.ask('GET', `/v1/webhooks/${id}`)).json).toMatchObject({
    status: 'active',
    consecutive_failures: 7,
    last_error: 'HTTP 500',
    last_success_at: null,
  });
});

test('Delivery rules 2: treats a redirect as a failure and does not follow it', async () => {
  const service = await startService(LOOPBACK);
  const receiver = await startReceiver(302);
  const { id } = await hook(service, receiver.url);
  await suppress(service);
  await until(async () => (await log(service, id))[0].response_status !== null);
  expect((await log(service, id))[0]).toMatchObject({ response_status: 302, error: 'HTTP 302', status: 'pending' });
  expect(receiver.arrivals).toHaveLength(1);
});

test('Delivery rules 1: times out after 10 seconds', async () => {
  const service = await startService(LOOPBACK);
  const receiver = await startReceiver(0);
  const { id } = await hook(service, receiver.url);
  await suppress(service);
  await receiver.arrived(1);
  await service.clock.advance(9_999);
  expect((await log(service, id))[0].error).toBeNull();
  await service.clock.advance(1);
  await until(async () => (await log(service, id))[0].error !== null);
  expect((await log(service, id))[0]).toMatchObject({ error: 'timeout', response_status: null, duration_ms: 10_000 });
});

test('Delivery rules 7: ends the failure streak after a success', async () => {
  const service = await startService(LOOPBACK);
  const receiver = await startReceiver(500, 200);
  const { id } = await hook(service, receiver.url);
  const endpoint = async () => (await service.ask('GET', `/v1/webhooks/${id}`)).json;
  await suppress(service);
  await until(async () => (await endpoint()).consecutive_failures === 1);
  await service.clock.advance(30_000);
  await until(async () => (await endpoint()).consecutive_failures === 0);
  expect(await endpoint()).toMatchObject({ last_failure_at: START, last_success_at: '2026-01-01T00:00:30.000Z' });
});

test('States, Webhook delivery: signs a resent payload with the new secret', async () => {
  const service = await startService(LOOPBACK);
  const receiver = await startReceiver(200);
  const { id } = await hook(service, receiver.url);
  await suppress(service);
  await receiver.arrived(1);
  const secret = service.emulator.admin.rotateSecret(id);
  service.emulator.admin.resendDelivery((await log(service, id))[0].id);
  const [first, second] = await receiver.arrived(2);
  const v1 = createHmac('sha256', secret)
    .update(`${Date.parse(START) / 1_000}.${first?.body}`)
    .digest('hex');
  expect([second?.body, String(second?.headers['service-signature']).split('v1=')[1]]).toEqual([first?.body, v1]);
});

test('Limits, retention: keeps deliveries for 30 days', async () => {
  const service = await startService(LOOPBACK);
  const receiver = await startReceiver(200);
  const { id } = await hook(service, receiver.url);
  await suppress(service);
  await until(async () => (await log(service, id, '?status=delivered')).length === 1);
  await service.clock.advance(30 * 24 * 3_600_000);
  expect(await log(service, id)).toHaveLength(1);
  await service.clock.advance(1);
  expect(await log(service, id)).toEqual([]);
});

test('Events: sends an event only to endpoints that subscribe to its type', async () => {
  const service = await startService(LOOPBACK);
  const slow = await startReceiver(0);
  const deaf = await startReceiver(200);
  await hook(service, slow.url);
  const { id } = await hook(service, deaf.url, ['email.sent']);
  await suppress(service);
  await suppress(service, 'b@example.com');
  await slow.arrived(2);
  expect([deaf.arrivals, await log(service, id)]).toEqual([[], []]);
});
