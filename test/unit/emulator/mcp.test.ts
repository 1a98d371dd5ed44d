import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../../contract/receiver.ts';
import { type Service, startService } from '../../contract/service.ts';

const READERS = [
  'service_list_audiences',
  'service_get_audience',
  'service_list_senders',
  'service_list_campaigns',
  'service_get_campaign',
  'service_preview_campaign',
  'service_list_automations',
];
const SENDS = ['service_send_campaign', 'service_schedule_campaign'];

describe('the MCP endpoint of the emulator', () => {
  test('MCP endpoint: lists all tools, and marks the tools that send mail', async () => {
    const { tools } = await (await connect(await startService())).listTools();
    const marked = (hint: 'destructiveHint' | 'readOnlyHint') =>
      tools.filter(({ annotations }) => annotations?.[hint] === true).map(({ name }) => name);
    expect(marked('destructiveHint')).toEqual(SENDS);
    expect(marked('readOnlyHint').sort()).toEqual([...READERS].sort());
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['service_enroll_in_automation', 'service_create_campaign', 'service_send_test']),
    );
    expect(tools.every(({ annotations }) => annotations?.destructiveHint !== undefined)).toBe(true);
  });

  test('MCP endpoint: responds to a POST with one JSON response, rate headers', async () => {
    const { ask } = await startService();
    const { status, headers, json } = await ask('POST', '/mcp', { body: rpc('tools/list'), headers: ACCEPT });
    expect([status, headers['content-type'], headers['ratelimit-remaining']]).toEqual([200, 'application/json', '599']);
    expect([json.id, json.result.tools.length]).toEqual([1, 13]);
  });

  test.each(['GET', 'DELETE'])(
    'MCP endpoint: responds to %s with 405, as it has no stream or session',
    async (method) => {
      const { ask } = await startService();
      const { status, headers } = await ask(method, '/mcp', { headers: { accept: 'text/event-stream' } });
      expect([status, headers.allow]).toEqual([405, 'POST']);
    },
  );

  test('MCP endpoint: responds to unknown tools with errors of the protocol', async () => {
    const { ask } = await startService();
    const missing = await ask('POST', '/mcp', { body: rpc('tools/call', { name: 'service_fly' }), headers: ACCEPT });
    expect([missing.status, missing.json.error.code]).toEqual([200, -32602]);
    const broken = await ask('POST', '/mcp', { body: '{', headers: ACCEPT });
    expect([broken.status, broken.json.error.code]).toEqual([400, -32700]);
  });

  test('MCP endpoint: enrolls again when a key is repeated (reading of mcp_keys)', async () => {
    const { ask, emulator } = await startService();
    const automation = emulator.admin.createAutomation({ reentry: 'always' });
    const body = rpc('tools/call', {
      name: 'service_enroll_in_automation',
      arguments: { automation_id: automation, email: 'ana@example.com' },
    });
    emulator.admin.addContacts([{ email: 'ana@example.com' }]);
    for (const key of ['k', 'k', 'k'.repeat(256)]) {
      const { status, headers } = await ask('POST', '/mcp', { body, headers: { ...ACCEPT, 'idempotency-key': key } });
      expect([status, headers['idempotency-replayed']]).toEqual([200, undefined]);
    }
    expect(emulator.admin.enrollments(automation)).toHaveLength(3);
  });

  test('MCP: sends 405, 406 as JSON-RPC, 401 as REST (reading of mcp_envelope)', async () => {
    const { ask } = await startService();
    const answers = [await ask('GET', '/mcp'), await ask('POST', '/mcp', { body: rpc('tools/list') })];
    expect(answers.map(({ status, json }) => [status, json.jsonrpc, typeof json.error.code])).toEqual([
      [405, '2.0', 'number'],
      [406, '2.0', 'number'],
    ]);
    const refused = await ask('GET', '/mcp', { key: null });
    expect([refused.status, refused.json.error.code]).toEqual([401, 'invalid_api_key']);
    expect(refused.json.error.request_id).toMatch(/^req_/);
  });
});

describe('the MCP endpoint of the emulator, keys and scopes', () => {
  test.each([
    ['no key', null, 401, 'invalid_api_key'],
    ['an unknown key', 'nobody', 401, 'invalid_api_key'],
    ['a test key', 'service_test_1', 403, 'test_keys_not_supported'],
  ])('MCP endpoint: refuses a request with %s as the REST API does', async (_, key, status, code) => {
    const { ask } = await startService();
    const refused = await ask('POST', '/mcp', { body: rpc('tools/list'), headers: ACCEPT, key });
    expect([refused.status, refused.json.error.code]).toEqual([status, code]);
  });

  test.each([{ host: 'evil.example.com' }, { origin: 'https://evil.example.com' }, { origin: 'null' }])(
    'MCP endpoint: refuses a foreign %j (K7)',
    async (headers) => {
      const { ask } = await startService();
      const refused = await ask('POST', '/mcp', { body: rpc('tools/list'), headers: { ...ACCEPT, ...headers } });
      expect([refused.status, refused.json.error.code]).toEqual([403, 'forbidden']);
    },
  );

  test('the emulator counts MCP requests against the rate limit', async () => {
    const { ask } = await startService({ rateLimit: 1 });
    await ask('GET', '/v1/audiences');
    const { status, headers } = await ask('POST', '/mcp', { body: rpc('tools/list'), headers: ACCEPT });
    expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
  });

  test('MCP: lets a key without scopes edit campaigns, but not send or enroll', async () => {
    const { service, call, campaign, automation } = await startEditing([]);
    expect(await call('service_preview_campaign', { campaign_id: campaign })).toMatchObject({ subject: 'Hello ' });
    expect(await call('service_send_test', { campaign_id: campaign, to: ['me@example.com'] })).toMatchObject({
      to: ['me@example.com'],
    });
    const sendAt = new Date(service.clock.now() + 60_000).toISOString();
    const refused = [
      await call('service_send_campaign', { campaign_id: campaign }),
      await call('service_schedule_campaign', { campaign_id: campaign, send_at: sendAt }),
      await call('service_enroll_in_automation', { automation_id: automation, email: 'ana@example.com' }),
    ];
    expect(refused.map(({ error }) => error.code)).toEqual(Array(3).fill('insufficient_scope'));
    expect(service.emulator.admin.enrollments(automation)).toEqual([]);
  });

  test.each([
    ['automations:enroll', 'insufficient_scope', 'enrolled'],
    ['campaigns:send', undefined, undefined],
  ])('MCP: allows only the matching tools when the key has the scope %s', async (scope, sendError, outcome) => {
    const { call, campaign, automation } = await startEditing([scope]);
    const enrolled = await call('service_enroll_in_automation', {
      automation_id: automation,
      email: 'ana@example.com',
    });
    const sent = await call('service_send_campaign', { campaign_id: campaign });
    expect([sent.error?.code, enrolled.outcome]).toEqual([sendError, outcome]);
  });

  test('MCP: responds with not_found for objects of another organization', async () => {
    const { service, campaign } = await startEditing([]);
    const other = service.emulator.admin.createOrganization();
    const call = caller(await connect(service, other.apiKey));
    expect((await call('service_get_campaign', { campaign_id: campaign })).error.code).toBe('not_found');
    expect((await call('service_get_audience', { audience_id: service.audience })).error.code).toBe('not_found');
  });
});

describe('an MCP tool that does the same as an endpoint of the API', () => {
  test.each([{}, { status: 'archived' }, { limit: 1 }, { status: 'asleep' }, { limit: 0 }, { after: 'x' }])(
    'MCP: responds to service_list_automations %j as the endpoint does',
    async (args) => {
      const { service, call } = await startEditing(['automations:enroll']);
      service.emulator.admin.createAutomation({ status: 'archived' });
      const query = new URLSearchParams(
        Object.entries(args).map(([name, value]) => [name, String(value)] as [string, string]),
      );
      const { json } = await service.ask('GET', `/v1/automations?${query}`);
      expect(withoutRequestId(await call('service_list_automations', args))).toEqual(withoutRequestId(json));
    },
  );

  test.each([
    ['an unknown person', { email: 'bea@example.com' }],
    ['an invalid address', { email: 'not-an-address' }],
    ['no arguments', {}],
    ['a number as attribute', { email: 'ana@example.com', attributes: { n: 1 } }],
    ['a suppressed person', { email: 'gone@example.com', attributes: {} }],
  ])('MCP: responds to service_enroll_in_automation, %s, as the endpoint does', async (_, body) => {
    const { service, call, automation } = await startEditing(['automations:enroll']);
    service.emulator.admin.suppress(['gone@example.com']);
    const { json } = await service.ask('POST', `/v1/automations/${automation}/enroll`, { body });
    const responded = await call('service_enroll_in_automation', { automation_id: automation, ...body });
    expect(withoutRequestId(responded)).toEqual(withoutRequestId(json));
  });

  test('MCP: enrolls a person once, and refuses an enrollment in a draft', async () => {
    const { service, call, automation } = await startEditing(['automations:enroll']);
    const args = { automation_id: automation, email: ' ANA@example.com' };
    expect(await call('service_enroll_in_automation', args)).toMatchObject({
      object: 'enrollment_result',
      outcome: 'enrolled',
      enrollment_id: expect.stringMatching(/^aen_/),
    });
    expect((await call('service_enroll_in_automation', args)).outcome).toBe('already_enrolled');
    const draft = service.emulator.admin.createAutomation({ status: 'draft' });
    const refused = await call('service_enroll_in_automation', { automation_id: draft, email: 'ana@example.com' });
    expect(refused.error).toMatchObject({ code: 'invalid_request', request_id: expect.stringMatching(/^req_/) });
  });
});

describe('campaigns of the emulator', () => {
  test('the emulator rewrites a draft campaign, and refuses to change a sent one', async () => {
    const { call, campaign } = await startEditing(['campaigns:send']);
    await call('service_update_campaign', { campaign_id: campaign, text: 'From {{city}}{{unknown}}' });
    const preview = await call('service_preview_campaign', { campaign_id: campaign, email: 'ana@example.com' });
    expect(preview).toMatchObject({ subject: 'Hello Ana', html: '<p>Hi Ana</p>', text: 'From Oslo' });
    expect(await call('service_send_campaign', { campaign_id: campaign })).toMatchObject({
      status: 'sent',
      recipients: 1,
    });
    for (const tool of ['service_update_campaign', 'service_send_campaign']) {
      expect((await call(tool, { campaign_id: campaign })).error.code).toBe('invalid_request');
    }
    expect((await call('service_list_campaigns', {})).data.map(({ id }: { id: string }) => id)).toEqual([campaign]);
  });

  test('the emulator sends a test campaign only to the named addresses', async () => {
    const { service, call, campaign } = await startEditing([]);
    await call('service_send_test', { campaign_id: campaign, to: ['me@example.com', 'you@example.com'] });
    expect(service.emulator.admin.account().sent).toBe(2);
    expect((await call('service_send_test', { campaign_id: campaign, to: [] })).error.code).toBe('invalid_request');
  });

  test('the emulator sends a campaign only to subscribed, unsuppressed people', async () => {
    const { service, call, campaign } = await startEditing(['campaigns:send']);
    const { admin } = service.emulator;
    const receiver = await startReceiver(200);
    await service.ask('POST', '/v1/webhooks', { body: { url: receiver.url, events: ['email.sent'] } });
    const statuses = ['unsubscribed', 'pending', 'bounced'] as const;
    admin.addContacts(statuses.map((status) => ({ email: `${status}@left.example`, status })));
    for (const reason of ['unsubscribed', 'bounced', 'complained']) {
      admin.addContacts([{ email: `${reason}@no.example` }]);
      admin.suppress([`${reason}@no.example`], reason);
    }
    admin.addContacts([{ email: 'bounce@example.com' }]);
    expect((await call('service_send_campaign', { campaign_id: campaign })).recipients).toBe(2);
    await service.clock.advance(10_000);
    const arrivals = await receiver.arrived(2);
    expect(arrivals.map(({ body }) => JSON.parse(body).data.email).sort()).toEqual([
      'ana@example.com',
      'bounce@example.com',
    ]);
    expect([admin.account().sent, admin.suppressions().map(({ email }) => email)]).toEqual([
      2,
      expect.arrayContaining(['bounce@example.com']),
    ]);
  });

  test('events of a campaign carry ids of the recipient, not the subject', async () => {
    const { service, call, campaign } = await startEditing(['campaigns:send']);
    const receiver = await startReceiver(200);
    const events = ['email.sent', 'email.delivered'];
    await service.ask('POST', '/v1/webhooks', { body: { url: receiver.url, events } });
    await call('service_send_campaign', { campaign_id: campaign });
    await service.clock.advance(1_000);
    const [sent] = await receiver.arrived(1);
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      type: 'email.sent',
      data: {
        object: 'campaign_recipient',
        campaign_id: campaign,
        recipient_id: expect.any(String),
        contact_id: expect.stringMatching(/^sub_/),
        email: 'ana@example.com',
        provider_message_id: expect.any(String),
      },
    });
    expect(sent?.body).not.toMatch(/Hello|subject|email_id/);
  });

  test('the emulator sends a scheduled campaign at its time', async () => {
    const { service, call, campaign } = await startEditing(['campaigns:send']);
    const send_at = new Date(service.clock.now() + 60_000).toISOString();
    const status = async () => (await call('service_get_campaign', { campaign_id: campaign })).status;
    expect(await call('service_schedule_campaign', { campaign_id: campaign, send_at })).toMatchObject({ send_at });
    await service.clock.advance(59_000);
    expect(await status()).toBe('scheduled');
    await service.clock.advance(2_000);
    expect(await status()).toBe('sent');
  });

  test.each([
    ['sending_disabled', { sendingDisabled: true }],
    ['domain_not_verified', { domains: [] }],
    ['plan_limit_reached', { allowance: 0 }],
    ['sandbox_recipient_not_allowed', { plan: 'free' }],
  ] as const)('the emulator refuses to send a campaign with the error %s', async (code, settings) => {
    const { service, call, campaign } = await startEditing(['campaigns:send']);
    service.emulator.admin.set(settings);
    expect((await call('service_send_campaign', { campaign_id: campaign })).error.code).toBe(code);
    expect((await call('service_get_campaign', { campaign_id: campaign })).status).toBe('draft');
    expect(service.emulator.admin.account().sent).toBe(0);
  });
});

const ACCEPT = { accept: 'application/json, text/event-stream' };

function rpc(method: string, params: object = {}): object {
  return { jsonrpc: '2.0', id: 1, method, params };
}

async function connect(service: Service, key = service.emulator.apiKey): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
type Call = (name: string, args: Record<string, unknown>) => Promise<any>;

/**
 * Returns a function that calls a tool and returns its result as an object. The text of the result must hold the same.
 */
function caller(client: Client): Call {
  return async (name, args) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    expect(isError === true).toBe('error' in Object(structuredContent));
    return structuredContent;
  };
}

/** A service with one contact, an automation and a draft, and a key with these scopes. */
async function startEditing(scopes: readonly string[]) {
  const service = await startService({ allowLoopbackWebhooks: true });
  const { admin } = service.emulator;
  admin.addContacts([{ email: 'ana@example.com', first_name: 'Ana', attributes: { city: 'Oslo' } }]);
  const automation = admin.createAutomation();
  const call = caller(await connect(service, admin.createKey(scopes)));
  const draft = { audience_id: service.audience, from: 'News <news@example.com>', subject: 'Hello {{first_name}}' };
  const { id } = await call('service_create_campaign', { ...draft, html: '<p>Hi {{ first_name }}</p>' });
  return { service, call, automation, campaign: String(id) };
}

/** The same response without the id of the request. */
function withoutRequestId(response: { error?: object }): object {
  return response.error === undefined ? response : { error: { ...response.error, request_id: '' } };
}
