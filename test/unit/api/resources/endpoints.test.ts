import { describe, expect, test } from 'vitest';
import type { Client } from '../../../../src/api/client.ts';
import {
  createAudience,
  deleteAudience,
  getAudience,
  renameAudience,
} from '../../../../src/api/resources/audiences.ts';
import { enrollmentKey, listAutomations, postEnrollment } from '../../../../src/api/resources/automations.ts';
import {
  contactBatchKey,
  findContact,
  getContact,
  listContacts,
  postContactBatch,
} from '../../../../src/api/resources/contacts.ts';
import { sendEmail } from '../../../../src/api/resources/emails.ts';
import {
  firstSuppression,
  listSuppressions,
  postSuppressions,
  suppressionsKey,
} from '../../../../src/api/resources/suppressions.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listDeliveries,
  listWebhookEndpoints,
  updateWebhookEndpoint,
} from '../../../../src/api/resources/webhooks.ts';
import type { KeySource } from '../../../../src/api/retry/key-source.ts';
import type { WireResponse } from '../../../../src/base/context.ts';
import { EXIT } from '../../../../src/base/lib/errors.ts';
import { json, play, refusal } from '../service.ts';

const keySource: KeySource = {
  keyForVersion: (keyVersion) => `k${keyVersion}`,
  keyVersion: 0,
  beforeNewKey: () => {},
  firstSentAt: undefined,
  outcomeUnknown: undefined,
  beforeAttempt: undefined,
  noteSentByOtherMachine: undefined,
  isStale: undefined,
};
const counts = { subscribed: 1, unsubscribed: 0, total: 1 };
const audience = { id: 'aud_1', object: 'audience', name: 'News', created_at: 'c', updated_at: 'c' };
const automation = {
  id: 'aut_1',
  name: 'Welcome',
  status: 'active',
  trigger: 'api',
  audience_id: 'aud_1',
  sandbox: false,
};
const contact = { id: 'sub_1', object: 'contact', email: 'ana@example.com', status: 'subscribed', mood: 'sunny' };
const webhook = { id: 'whe_1', url: 'https://x.example.com/', events: ['email.sent'], status: 'active' };
const delivery = { id: 'whd_1', event_type: 'email.sent', status: 'failed' };
const one = (entry: object) => json(200, { data: [entry], has_more: false, next_cursor: null });
const body = Buffer.from('{"upsert":true,"contacts":[]}');
const contacts = { audienceId: 'aud_1', body, keySuffix: undefined, op: undefined };
const addresses = { body, keySuffix: undefined };
const ana = { automationId: 'aut_1', email: 'ana@example.com', keySuffix: undefined, atMostOnce: undefined };
const batch = { summary: { created: 1, updated: 0, failed: 0 }, results: [] };
const email = { from: 'a@example.com', to: ['b@example.com'], subject: 's', text: 't' };

async function first<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) {
    return item;
  }
  return undefined;
}

type Call = (client: Client) => Promise<unknown>;

describe('each endpoint', () => {
  const cases: [string, Call, WireResponse, string | undefined, unknown][] = [
    [
      'GET /v1/audiences/aud_1',
      (c) => getAudience(c, 'aud_1'),
      json(200, { ...audience, contact_counts: counts }),
      undefined,
      { ...audience, contact_counts: counts },
    ],
    [
      'PATCH /v1/audiences/aud_1',
      (c) => renameAudience(c, 'aud_1', { name: 'News' }),
      json(200, audience),
      '{"name":"News"}',
      audience,
    ],
    [
      'DELETE /v1/audiences/aud_1',
      (c) => deleteAudience(c, 'aud_1'),
      json(200, { id: 'aud_1', deleted: true }),
      undefined,
      { id: 'aud_1', deleted: true },
    ],
    [
      'GET /v1/audiences/aud_1/contacts?limit=100',
      (c) => first(listContacts(c, 'aud_1')),
      one(contact),
      undefined,
      [contact],
    ],
    [
      'GET /v1/audiences/aud_1/contacts/sub_1',
      (c) => getContact(c, { audienceId: 'aud_1', idOrEmail: 'sub_1' }),
      json(200, contact),
      undefined,
      contact,
    ],
    [
      'GET /v1/audiences/aud_1/contacts/ana%40example.com?expand=topics',
      (c) => findContact(c, { audienceId: 'aud_1', idOrEmail: 'ana@example.com', includeTopics: true }),
      json(200, contact),
      undefined,
      contact,
    ],
    [
      'GET /v1/suppressions?limit=100',
      (c) => first(listSuppressions(c)),
      json(200, { data: [{ id: 'sup_1' }] }),
      undefined,
      { id: 'sup_1' },
    ],
    [
      'GET /v1/suppressions?limit=1',
      (c) => firstSuppression(c),
      one({ id: 'sup_1', reason: 'x' }),
      undefined,
      { id: 'sup_1', reason: 'x' },
    ],
    [
      'GET /v1/automations?status=paused&limit=100',
      (c) => first(listAutomations(c, { status: 'paused' })),
      one(automation),
      undefined,
      automation,
    ],
    ['GET /v1/webhooks?limit=100', (c) => first(listWebhookEndpoints(c)), one(webhook), undefined, webhook],
    ['GET /v1/webhooks/whe_1', (c) => getWebhookEndpoint(c, 'whe_1'), json(200, webhook), undefined, webhook],
    [
      'PATCH /v1/webhooks/whe_1',
      (c) => updateWebhookEndpoint(c, 'whe_1', { change: { events: ['x.y'], status: 'odd' } }),
      json(200, webhook),
      '{"events":["x.y"],"status":"odd"}',
      webhook,
    ],
    [
      'DELETE /v1/webhooks/whe_1',
      (c) => deleteWebhookEndpoint(c, 'whe_1'),
      { status: 204, headers: {}, body: Buffer.alloc(0) },
      undefined,
      { id: 'whe_1', deleted: true },
    ],
    [
      'GET /v1/webhooks/whe_1/deliveries?status=failed&limit=5',
      (c) => first(listDeliveries(c, 'whe_1', { status: 'failed', limit: 5 })),
      one(delivery),
      undefined,
      delivery,
    ],
  ];

  test.each(cases)('sends %s and returns the response', async (line, call, response, sent, value) => {
    const { client, seen, run } = play(() => response);
    expect(await run(call(client))).toEqual(value);
    expect(seen.map(({ request }) => `${request.method} ${request.url.pathname}${request.url.search}`)).toEqual([line]);
    expect(seen[0]?.request.body?.toString()).toBe(sent);
    expect(seen[0]?.request.headers['idempotency-key']).toBeUndefined();
  });

  const posts: [string, Call, WireResponse, string, unknown][] = [
    [
      '/v1/audiences',
      (c) => createAudience(c, 'News', { keySource }),
      json(201, audience),
      '{"name":"News"}',
      audience,
    ],
    [
      '/v1/audiences/aud_1/contacts/batch',
      (c) => postContactBatch(c, contacts, { keySource }),
      json(200, batch),
      body.toString(),
      batch,
    ],
    [
      '/v1/suppressions',
      (c) => postSuppressions(c, addresses, { keySource }),
      json(200, { total_suppressed_after: 4 }),
      body.toString(),
      { total_suppressed_after: 4 },
    ],
    [
      '/v1/automations/aut_1/enroll',
      (c) => postEnrollment(c, ana, { keySource }),
      json(200, { outcome: 'of_tomorrow' }),
      '{"email":"ana@example.com"}',
      { outcome: 'of_tomorrow' },
    ],
    [
      '/v1/webhooks',
      (c) => createWebhookEndpoint(c, { url: 'https://x.example.com', events: ['a.b'] }, { keySource }),
      json(200, { ...webhook, secret: 's' }),
      '{"url":"https://x.example.com","events":["a.b"]}',
      { ...webhook, secret: 's' },
    ],
    [
      '/v1/emails',
      (c) => sendEmail(c, email, { keySource }),
      json(200, { id: 'eml_1' }),
      JSON.stringify(email),
      { id: 'eml_1' },
    ],
  ];

  test.each(posts)(
    'sends POST %s with an idempotency key and the expected body (I9, M1)',
    async (path, call, response, sent, value) => {
      const { client, seen, run } = play(() => response);
      expect(await run(call(client))).toMatchObject({ kind: 'accepted', value });
      expect(
        seen.map(({ request }) => [
          request.method,
          request.url.pathname,
          request.body?.toString(),
          request.headers['idempotency-key'],
        ]),
      ).toEqual([['POST', path, sent, 'k0']]);
    },
  );

  test.each([
    [
      'a contact batch without results',
      (c: Client) => postContactBatch(c, contacts, { keySource }),
      { summary: batch.summary },
    ],
    [
      'a contact batch without the count of updates',
      (c: Client) => postContactBatch(c, contacts, { keySource }),
      { summary: { created: 1, failed: 0 }, results: [] },
    ],
    ['suppressions without a total', (c: Client) => postSuppressions(c, addresses, { keySource }), {}],
    [
      'an enrollment without outcome',
      (c: Client) => postEnrollment(c, ana, { keySource }),
      { object: 'enrollment_result' },
    ],
    [
      'a webhook without secret',
      (c: Client) => createWebhookEndpoint(c, { url: 'https://x.example.com', events: [] }, { keySource }),
      webhook,
    ],
    ['an email without id', (c: Client) => sendEmail(c, email, { keySource }), {}],
  ])('treats a response that lacks a field as an unknown outcome: %s (O4)', async (_, call: Call, response) => {
    const { client, run } = play(() => json(200, response));
    expect(await run(call(client))).toMatchObject({
      kind: 'gave_up',
      outcomeUnknown: true,
      cause: { code: 'unexpected_answer' },
    });
  });
});

describe('retry policies of endpoints', () => {
  test.each([
    ['a contact batch', (c: Client) => postContactBatch(c, contacts, { keySource }), 10],
    ['suppressions', (c: Client) => postSuppressions(c, addresses, { keySource }), 10],
    ['an enrollment', (c: Client) => postEnrollment(c, ana, { keySource }), 6],
    ['an audience', (c: Client) => createAudience(c, 'News', { keySource }), 6],
    [
      'a webhook',
      (c: Client) => createWebhookEndpoint(c, { url: 'https://x.example.com', events: [] }, { keySource }),
      6,
    ],
    ['an email', (c: Client) => sendEmail(c, email, { keySource }), 10],
  ])('repeats a write of %s as often as its retry policy allows (P6)', async (_, call: Call, attempts) => {
    const { client, seen, run } = play(() => refusal(500, 'internal_error'));
    expect(await run(call(client))).toMatchObject({ kind: 'gave_up' });
    expect(seen.length).toBe(attempts);
  });

  test('makes a different idempotency key for each destination and person (I8)', () => {
    const { client } = play(() => json(200, {}));
    const keys = [
      contactBatchKey(client, contacts)(0),
      contactBatchKey(client, { ...contacts, audienceId: 'aud_2' })(0),
      contactBatchKey(client, contacts)(1),
      suppressionsKey(client, addresses)(0),
      enrollmentKey(client, ana)(0),
      enrollmentKey(client, { ...ana, email: 'ben@example.com' })(0),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => !/^svc1\.[a-z]+\.[0-9a-f]{16}\.[0-9a-f]{16}\.g\d$/.test(key))).toEqual([]);
  });
});

describe('ids and errors', () => {
  test.each([
    ['an audience', (c: Client) => getAudience(c, 'aud_1/..')],
    ['a contact', (c: Client) => getContact(c, { audienceId: 'aud_1', idOrEmail: '..' })],
    ['a webhook', (c: Client) => getWebhookEndpoint(c, 'aud_1')],
  ])('refuses to read %s with an invalid id before any request (K2)', async (_, call: Call) => {
    const { client, seen, run } = play(() => json(200, {}));
    await expect(run(call(client))).rejects.toMatchObject({ exit: EXIT.usage, code: 'invalid_id' });
    expect(seen).toEqual([]);
  });

  test.each([
    ['read an audience', (c: Client) => getAudience(c, 'aud_1')],
    ['rename an audience', (c: Client) => renameAudience(c, 'aud_1', { name: 'x' })],
    ['delete an audience', (c: Client) => deleteAudience(c, 'aud_1')],
    ['read a contact', (c: Client) => getContact(c, { audienceId: 'aud_1', idOrEmail: 'sub_1' })],
    ['read a webhook', (c: Client) => getWebhookEndpoint(c, 'whe_1')],
    ['list the deliveries of a webhook', (c: Client) => first(listDeliveries(c, 'whe_1'))],
  ])('names a wrong id or key as the cause when an id is unknown: %s (O8)', async (_, call: Call) => {
    const { client, run } = play(() => refusal(404, 'not_found'));
    await expect(run(call(client))).rejects.toMatchObject({
      exit: EXIT.usage,
      code: 'not_found',
      message: expect.stringContaining('wrong id, or the wrong key'),
    });
  });

  test('returns no contact when the service does not know the address', async () => {
    const { client, run } = play(() => refusal(404, 'not_found'));
    expect(await run(findContact(client, { audienceId: 'aud_1', idOrEmail: 'ana@example.com' }))).toBeUndefined();
  });

  test('throws when the look-up of a contact gets 403 forbidden', async () => {
    const { client, run } = play(() => refusal(403, 'forbidden'));
    const looking = findContact(client, { audienceId: 'aud_1', idOrEmail: 'ana@example.com' });
    await expect(run(looking)).rejects.toMatchObject({ exit: EXIT.auth });
  });

  test('reports an audience without counts as an error (L2)', async () => {
    const { client, run } = play(() => json(200, audience));
    await expect(run(getAudience(client, 'aud_1'))).rejects.toMatchObject({
      code: 'unexpected_answer',
      message: expect.stringContaining('contact_counts'),
    });
  });

  describe.each([-1, 0.5, 2 ** 53, '7', true, {}])('a response with the value %j in place of a count', (count) => {
    test.each(['subscribed', 'unsubscribed', 'total'])(
      'reports an impossible contact_counts.%s as an unexpected response (O4)',
      async (name) => {
        const counts = { subscribed: 0, unsubscribed: 0, total: 0, [name]: count };
        const { client, run } = play(() => json(200, { ...audience, contact_counts: counts }));
        await expect(run(getAudience(client, 'aud_1'))).rejects.toMatchObject({ code: 'unexpected_answer' });
      },
    );

    test('gives up when a response has an impossible total_suppressed_after (O4)', async () => {
      const { client, run } = play(() => json(200, { total_suppressed_after: count }));
      expect(await run(postSuppressions(client, addresses, { keySource }))).toMatchObject({ kind: 'gave_up' });
    });

    test('reports impossible consecutive_failures as an unexpected response (O4)', async () => {
      const { client, run } = play(() => json(200, { ...webhook, consecutive_failures: count }));
      await expect(run(getWebhookEndpoint(client, 'whe_1'))).rejects.toMatchObject({ code: 'unexpected_answer' });
    });
  });

  test.each(['', ' ', 'x'.repeat(101)])('refuses %j as the name of an audience', async (name) => {
    const { client, seen } = play(() => json(201, audience));
    expect(() => createAudience(client, name, { keySource })).toThrow(expect.objectContaining({ exit: EXIT.usage }));
    expect(seen).toEqual([]);
  });

  test.each([0, 51])('refuses a message to %i recipients (M6)', (recipients) => {
    const { client } = play(() => json(200, {}));
    const to = Array(recipients).fill('b@example.com');
    expect(() => sendEmail(client, { ...email, to }, { keySource })).toThrow(
      expect.objectContaining({ exit: EXIT.usage }),
    );
  });
});
