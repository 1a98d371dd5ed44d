import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, test } from 'vitest';
import { chooseVariants, VARIANTS } from '../../../src/emulator/context/variants.ts';
import { people, type Service, startService } from '../../contract/service.ts';

describe('the variants of the emulator', () => {
  test('takes the first value of each emulator variant as its default', () => {
    expect(chooseVariants()).toEqual(Object.fromEntries(VARIANTS.map(({ name, readings }) => [name, readings[0]])));
  });

  test.each([
    { title: 'no_such=yes', chosen: { no_such: 'yes' }, message: 'no such quirk: no_such (known: stored_errors, ' },
    { title: 'delete_body=204', chosen: { delete_body: '204' }, message: 'no such quirk: delete_body (known: ' },
    {
      title: 'stored_errors=maybe',
      chosen: { stored_errors: 'maybe' },
      message: 'no such value of stored_errors: maybe (known: yes, no)',
    },
  ])('the emulator refuses the variant $title and lists the known ones', ({ chosen, message }) => {
    expect(() => chooseVariants(chosen)).toThrow(message);
  });
});

describe('the emulator with a variant of contacts', () => {
  test('the emulator lists only subscribed people when contact_list=subscribed', async () => {
    const { ask, emulator, audience } = await startService({ variants: { contact_list: 'subscribed' } });
    const statuses = ['subscribed', 'unsubscribed', 'pending', 'bounced', 'subscribed'];
    emulator.admin.addContacts(statuses.map((status, index) => ({ email: `person${index}@example.com`, status })));
    const { json } = await ask('GET', `/v1/audiences/${audience}/contacts?limit=2`);
    expect([json.data.map(({ email }: { email: string }) => email), json.has_more]).toEqual([
      ['person4@example.com', 'person0@example.com'],
      false,
    ]);
    const { json: one } = await ask('GET', `/v1/audiences/${audience}/contacts/person1@example.com`);
    expect(one.status).toBe('unsubscribed');
  });

  test('the emulator leaves empty fields out when contact_record=sparse', async () => {
    const { ask, emulator, audience } = await startService({ variants: { contact_record: 'sparse' } });
    emulator.admin.addContacts([{ email: 'a@example.com' }]);
    const { json } = await ask('GET', `/v1/audiences/${audience}/contacts/a@example.com`);
    expect(Object.keys(json)).toEqual(['id', 'object', 'email', 'status', 'created_at', 'updated_at']);
  });

  test.each([
    { says: 'refuses', value: 'total', code: 'plan_limit_reached' },
    { says: 'accepts', value: 'subscribed', code: undefined },
  ])('the emulator $says an opted-out 501st contact when cap_counts=$value', async ({ value, code }) => {
    const { ask, emulator, audience } = await startService({ variants: { cap_counts: value }, plan: 'free' });
    emulator.admin.addContacts(people(500));
    const contacts = [{ email: 'new@example.com', status: 'unsubscribed' }];
    const { json } = await ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body: { contacts } });
    expect(json.error?.code).toBe(code);
  });

  test.each([
    { value: 'unicode', pairs: [true, true, false, false] },
    { value: 'ascii', pairs: [true, false, false, false] },
    { value: 'folded', pairs: [true, true, true, true] },
  ])('the emulator matches addresses as address_case=$value says (F8)', async ({ value, pairs }) => {
    const { ask, audience } = await startService({ variants: { address_case: value } });
    const others = [' Kim@example.com', '\u212aim@example.com', 'k\u0130m@example.com', 'kim@example.com\u200b'];
    const refused = others.map(async (email) => {
      const body = { upsert: true, contacts: [{ email: 'kim@example.com' }, { email }] };
      return (await ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body })).status === 400;
    });
    expect(await Promise.all(refused)).toEqual(pairs);
  });
});

test.each([
  { reason: 'bounced', counts: { subscribed: 0, unsubscribed: 0, total: 1 } },
  { reason: 'complained', counts: { subscribed: 0, unsubscribed: 1, total: 1 } },
])('counts no $reason contact as subscribed, suppression_marks_contacts=yes', async (row) => {
  const { ask, emulator, audience } = await startService({ variants: { suppression_marks_contacts: 'yes' } });
  emulator.admin.addContacts([{ email: 'a@example.com' }]);
  await ask('POST', '/v1/suppressions', { body: { reason: row.reason, emails: ['a@example.com'] } });
  expect((await ask('GET', `/v1/audiences/${audience}`)).json.contact_counts).toEqual(row.counts);
});

test('the emulator counts a refused request when rate_counts_refused=yes', async () => {
  const { ask, emulator, clock } = await startService({ variants: { rate_counts_refused: 'yes' } });
  emulator.admin.consumeQuota(600);
  await clock.advance(30_000);
  expect((await ask('GET', '/v1/audiences')).status).toBe(429);
  await clock.advance(30_000);
  expect((await ask('GET', '/v1/audiences')).headers['ratelimit-remaining']).toBe('598');
});

describe('the emulator with a variant of idempotency keys', () => {
  test('keeps idempotency keys of two API keys apart when claim_owner=key', async () => {
    const { ask, emulator } = await startService({ variants: { claim_owner: 'key' } });
    const send = (key: string) => ask('POST', '/v1/audiences', { body: { name: 'A' }, idempotencyKey: 'k', key });
    await send(emulator.apiKey);
    expect((await send(emulator.admin.createKey())).headers['idempotency-replayed']).toBeUndefined();
  });

  test('replays a scope error to other API keys, stored_scope_errors=yes (I1)', async () => {
    const { ask, emulator } = await startService({ variants: { stored_scope_errors: 'yes' } });
    const flow = emulator.admin.createAutomation();
    const send = (key: string) =>
      ask('POST', `/v1/automations/${flow}/enroll`, { body: { email: 'a@example.com' }, idempotencyKey: 'k', key });
    expect((await send(emulator.admin.createKey([]))).status).toBe(403);
    const again = await send(emulator.apiKey);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([403, 'true']);
  });

  test('replays no success to a key without the scope, stored_scope_errors=yes', async () => {
    const { ask, emulator } = await startService({ variants: { stored_scope_errors: 'yes' } });
    const body = { url: 'https://hooks.example.com/', events: ['email.sent'] };
    const send = (key: string) => ask('POST', '/v1/webhooks', { body, idempotencyKey: 'k', key });
    const { json } = await send(emulator.apiKey);
    const refused = await send(emulator.admin.createKey([]));
    expect([refused.status, refused.json.error?.code]).toEqual([403, 'insufficient_scope']);
    expect((await send(emulator.apiKey)).json).toEqual(json);
  });
});

describe('the MCP endpoint of the emulator with a variant', () => {
  const UNKNOWN = { name: 'service_get_audience', arguments: { audience_id: 'aud_none' } };

  test('MCP: returns a refusal as a result marked as an error, mcp_errors=result', async () => {
    const client = await connect(await startService());
    expect(await client.callTool(UNKNOWN)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'not_found' } },
    });
  });

  test('MCP: returns a refusal as an error of the protocol, mcp_errors=protocol', async () => {
    const client = await connect(await startService({ variants: { mcp_errors: 'protocol' } }));
    await expect(client.callTool(UNKNOWN)).rejects.toMatchObject({ code: -32600, data: { code: 'not_found' } });
  });

  test.each([
    { value: 'structured', shape: ['content', 'structuredContent'] },
    { value: 'text', shape: ['content'] },
  ])('MCP: responds with $shape when mcp_results=$value', async ({ value, shape }) => {
    const client = await connect(await startService({ variants: { mcp_results: value } }));
    expect(Object.keys(await client.callTool({ name: 'service_list_audiences' })).sort()).toEqual(shape);
  });

  test.each([
    { value: 'json', type: 'application/json' },
    { value: 'stream', type: 'text/event-stream' },
  ])('MCP: responds to the official client with $type when mcp_answers=$value', async ({ value, type }) => {
    const service = await startService({ variants: { mcp_answers: value } });
    const headers = { accept: 'application/json, text/event-stream' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    expect((await service.ask('POST', '/mcp', { body, headers })).headers['content-type']).toBe(type);
    expect((await (await connect(service)).listTools()).tools.length).toBeGreaterThan(10);
  });
});

async function connect({ url, emulator }: Service): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${emulator.apiKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  afterEach(() => client.close());
  return client;
}
