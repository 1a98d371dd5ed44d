import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, expect, test } from 'vitest';
import type { WebhookAttempt } from '../../src/emulator/webhooks/send.ts';
import { sign } from '../../src/emulator/webhooks/signature.ts';
import { WORDS } from '../spec/document.ts';
import { until } from '../spec/receiver.ts';
import { type Service, startService } from '../spec/service.ts';

interface Hooked extends Service {
  readonly id: string;
  readonly secret: string;
  readonly attempts: readonly WebhookAttempt[];
  deliveries(query?: string): Promise<{ status: string }[]>;
}

/** A service with one endpoint for every event, answered with one status. */
async function startHooked(quirks: Record<string, string>, status = 200): Promise<Hooked> {
  const attempts: WebhookAttempt[] = [];
  const sendWebhook = async (attempt: WebhookAttempt) => {
    attempts.push(attempt);
    return status;
  };
  const service = await startService({ sendWebhook, quirks });
  const body = { url: 'https://hooks.example.com/', events: WORDS.eventTypes };
  const { id, secret } = (await service.ask('POST', '/v1/webhooks', { body })).json;
  const deliveries = async (query = '') =>
    (await service.ask('GET', `/v1/webhooks/${id}/deliveries${query}`)).json.data;
  return { ...service, id, secret, attempts, deliveries };
}

const typesOf = ({ attempts }: Hooked) => attempts.map(({ headers }) => headers['service-event-type']);
const suppress = ({ ask }: Service) =>
  ask('POST', '/v1/suppressions', { body: { reason: 'bounced', emails: ['a@example.com'] } });

async function send({ ask, clock }: Service, to: string): Promise<string> {
  const { json } = await ask('POST', '/v1/emails', { body: { from: 'a@example.com', to, subject: 's', text: 't' } });
  for (let seconds = 0; seconds < 10; seconds += 1) {
    await clock.advance(1_000);
  }
  return (await ask('GET', `/v1/emails/${json.id}`)).json.status;
}

test.each([
  { reading: 'events', states: ['bounced', 'complained', 'failed'] },
  { reading: 'shown', states: ['sent', 'delivered', 'queued'] },
])('email_states=$reading ends a bounce, a complaint and a failure as $states', async ({ reading, states }) => {
  const service = await startService({ quirks: { email_states: reading } });
  const ends = [];
  for (const local of ['bounce', 'complaint', 'fail']) {
    ends.push(await send(service, `${local}@example.com`));
  }
  expect(ends).toEqual(states);
});

test.each([
  { reading: 'pending_delivered', words: ['pending', 'delivered'] },
  { reading: 'retrying_succeeded', words: ['retrying', 'succeeded'] },
])('delivery_states=$reading shows $words, and filters by them', async ({ reading, words }) => {
  const [bad, good] = [
    await startHooked({ delivery_states: reading }, 500),
    await startHooked({ delivery_states: reading, webhook_status_filter: 'strict' }),
  ];
  await suppress(bad);
  await suppress(good);
  await until(() => bad.attempts.length === 1 && good.attempts.length === 1);
  await until(async () => (await good.deliveries(`?status=${words[1]}`)).length === 1);
  expect([(await bad.deliveries())[0]?.status, (await good.deliveries())[0]?.status]).toEqual(words);
  expect(await bad.deliveries(`?status=${words[0]}`)).toHaveLength(1);
  expect(await bad.deliveries('?status=failed')).toEqual([]);
});

test.each([
  { reading: 'attempts', streak: [1, 7] },
  { reading: 'deliveries', streak: [0, 1] },
])('failure_streak=$reading counts $streak after the first and the last attempt', async ({ reading, streak }) => {
  const service = await startHooked({ failure_streak: reading }, 500);
  const failures = async () => {
    const { json } = await service.ask('GET', `/v1/webhooks/${service.id}`);
    return json.last_failure_at === null ? undefined : json.consecutive_failures;
  };
  await suppress(service);
  await until(async () => (await failures()) !== undefined);
  const first = await failures();
  for (const seconds of [30, 120, 600, 1_800, 3_600, 21_600]) {
    await service.clock.advance(seconds * 1_000);
  }
  await until(async () => (await service.deliveries('?status=failed')).length === 1);
  expect([first, await failures()]).toEqual(streak);
});

test.each([
  { reading: 'silent', told: [] },
  { reading: 'delivers', told: ['suppression.created'] },
])('inactive_webhook=$reading: an endpoint that was disabled gets $told', async ({ reading, told }) => {
  const service = await startHooked({ inactive_webhook: reading });
  await service.ask('PATCH', `/v1/webhooks/${service.id}`, { body: { status: 'disabled' } });
  await suppress(service);
  await service.clock.advance(1_000);
  expect(typesOf(service)).toEqual(told);
});

test.each([
  { reading: 'none', last: 201 },
  { reading: '10', last: 403 },
])('webhook_maximum=$reading answers the eleventh endpoint with $last', async ({ reading, last }) => {
  const { ask } = await startService({ quirks: { webhook_maximum: reading } });
  const create = () => ask('POST', '/v1/webhooks', { body: { url: 'https://a.example.com/', events: ['email.sent'] } });
  for (let made = 0; made < 10; made += 1) {
    expect((await create()).status).toBe(201);
  }
  const { status, json } = await create();
  expect([status, json.error?.code]).toEqual([last, last === 403 ? 'plan_limit_reached' : undefined]);
});

test.each([
  { reading: 'email', data: { object: 'suppression', email: 'a@example.com', reason: 'hard_bounce' } },
  { reading: 'reason_only', data: { reason: 'hard_bounce' } },
])('suppression_event_data=$reading tells $data', async ({ reading, data }) => {
  const service = await startHooked({ suppression_event_data: reading });
  await suppress(service);
  await until(() => service.attempts.length === 1);
  expect(JSON.parse(service.attempts[0]?.body ?? '').data).toEqual(data);
});

test.each([
  { reading: 'kept', order: ['email.sent', 'email.bounced', 'suppression.created'] },
  { reading: 'reversed', order: ['email.bounced', 'suppression.created', 'email.sent'] },
])('event_order=$reading brings $order', async ({ reading, order }) => {
  const service = await startHooked({ event_order: reading });
  await send(service, 'bounce@example.com');
  expect(typesOf(service)).toEqual(order);
});

test.each([
  { reading: 'none', times: 1 },
  { reading: 'all', times: 2 },
])('event_duplicates=$reading brings an event $times times under one id', async ({ reading, times }) => {
  const service = await startHooked({ event_duplicates: reading });
  await suppress(service);
  await service.clock.advance(1_000);
  const ids = service.attempts.map(({ headers }) => headers['service-event-id']);
  expect([ids.length, new Set(ids).size]).toEqual([times, 1]);
});

test.each([
  { reading: 'one', values: 1 },
  { reading: 'two', values: 2 },
])('signature_values=$reading signs with $values values, the true one among them', async ({ reading, values }) => {
  const service = await startHooked({ signature_values: reading });
  await suppress(service);
  await until(() => service.attempts.length === 1);
  const [attempt] = service.attempts;
  const found = String(attempt?.headers['service-signature']).split(',').slice(1);
  const [, own] = sign(service.secret, attempt?.body ?? '', service.clock.now()).split(',');
  expect([found.length, new Set(found).size, found.includes(String(own))]).toEqual([values, values, true]);
});

async function connect({ url, emulator }: Service): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${emulator.apiKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  afterEach(() => client.close());
  return client;
}

const UNKNOWN = { name: 'service_get_audience', arguments: { audience_id: 'aud_nobody' } };

test('mcp_errors=result answers a refusal as a result marked as an error', async () => {
  const client = await connect(await startService());
  expect(await client.callTool(UNKNOWN)).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'not_found' } },
  });
});

test('mcp_errors=protocol answers a refusal as an error of the protocol', async () => {
  const client = await connect(await startService({ quirks: { mcp_errors: 'protocol' } }));
  await expect(client.callTool(UNKNOWN)).rejects.toMatchObject({ code: -32600, data: { code: 'not_found' } });
});

test.each([
  { reading: 'structured', shape: ['content', 'structuredContent'] },
  { reading: 'text', shape: ['content'] },
])('mcp_results=$reading answers $shape', async ({ reading, shape }) => {
  const client = await connect(await startService({ quirks: { mcp_results: reading } }));
  expect(Object.keys(await client.callTool({ name: 'service_list_audiences' })).sort()).toEqual(shape);
});

test.each([
  { reading: 'json', type: 'application/json' },
  { reading: 'stream', type: 'text/event-stream' },
])('mcp_answers=$reading answers $type, which an official client reads', async ({ reading, type }) => {
  const service = await startService({ quirks: { mcp_answers: reading } });
  const headers = { accept: 'application/json, text/event-stream' };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  expect((await service.ask('POST', '/mcp', { body, headers })).headers['content-type']).toBe(type);
  expect((await (await connect(service)).listTools()).tools.length).toBeGreaterThan(10);
});
