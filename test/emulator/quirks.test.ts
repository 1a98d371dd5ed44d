import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseQuirks, QUIRKS } from '../../src/emulator/quirks.ts';
import { startService } from '../spec/service.ts';

test('every reading of every quirk but the defaults is played by a test of its file', () => {
  const root = join(import.meta.dirname, '..');
  const files = globSync(['spec/*.test.ts', 'emulator/*.test.ts'], { cwd: root });
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  const played = (name: string, reading: string) =>
    texts.some((text) => text.includes(name) && new RegExp(`['"=]${reading}\\b`).test(text));
  const unplayed = QUIRKS.flatMap(({ name, readings }) =>
    readings.slice(1).flatMap((reading) => (played(name, reading) ? [] : [`${name}=${reading}`])),
  );
  expect(unplayed).toEqual([]);
});

test('the first reading of every quirk is its default', () => {
  expect(chooseQuirks()).toEqual(Object.fromEntries(QUIRKS.map(({ name, readings }) => [name, readings[0]])));
});

test.each([
  { chosen: { no_such: 'yes' }, message: 'no such quirk: no_such' },
  { chosen: { stored_errors: 'maybe' }, message: 'no such reading of stored_errors: maybe (known: yes, no)' },
])('$chosen is refused, saying what is known', ({ chosen, message }) => {
  expect(() => chooseQuirks(chosen)).toThrow(message);
});

test('suppression_reason_words=event answers the words of events', async () => {
  const { ask } = await startService({ quirks: { suppression_reason_words: 'event' } });
  await ask('POST', '/v1/suppressions', { body: { reason: 'bounced', emails: ['a@example.com'] } });
  expect((await ask('GET', '/v1/suppressions')).json.data[0].reason).toBe('hard_bounce');
});

test.each([
  { reason: 'bounced', counts: { subscribed: 0, unsubscribed: 0, total: 1 } },
  { reason: 'complained', counts: { subscribed: 0, unsubscribed: 1, total: 1 } },
])(
  'suppression_marks_contacts=yes moves contacts suppressed as $reason, and the counts',
  async ({ reason, counts }) => {
    const { ask, emulator, audience } = await startService({ quirks: { suppression_marks_contacts: 'yes' } });
    emulator.admin.addContacts([{ email: 'a@example.com' }]);
    await ask('POST', '/v1/suppressions', { body: { reason, emails: ['a@example.com'] } });
    expect((await ask('GET', `/v1/audiences/${audience}`)).json.contact_counts).toEqual(counts);
  },
);

test('contact_record=sparse leaves empty fields out', async () => {
  const { ask, emulator, audience } = await startService({ quirks: { contact_record: 'sparse' } });
  emulator.admin.addContacts([{ email: 'a@example.com' }]);
  const { json } = await ask('GET', `/v1/audiences/${audience}/contacts/a@example.com`);
  expect(Object.keys(json)).toEqual(['id', 'object', 'email', 'status', 'created_at', 'updated_at']);
});

test('rate_counts_refused=yes makes every refused request push the end further', async () => {
  const { ask, emulator, clock } = await startService({ quirks: { rate_counts_refused: 'yes' } });
  emulator.admin.stealRequests(600);
  await clock.advance(30_000);
  expect((await ask('GET', '/v1/audiences')).status).toBe(429);
  await clock.advance(30_000);
  expect((await ask('GET', '/v1/audiences')).headers['ratelimit-remaining']).toBe('598');
});

test('unknown_fields=yes puts a field into answers that nobody announced (O6)', async () => {
  const { ask } = await startService({ quirks: { unknown_fields: 'yes' } });
  expect(Object.keys((await ask('GET', '/v1/audiences')).json)).toEqual([
    'data',
    'has_more',
    'next_cursor',
    'unheard_of',
  ]);
});

test('delete_body=204 answers a delete without a body (W3)', async () => {
  const { ask, audience } = await startService({ quirks: { delete_body: '204' } });
  const { status, text } = await ask('DELETE', `/v1/audiences/${audience}`);
  expect([status, text]).toEqual([204, '']);
});

test('claim_owner=key keeps idempotency keys apart by API key', async () => {
  const { ask, emulator } = await startService({ quirks: { claim_owner: 'key' } });
  const send = (key: string) => ask('POST', '/v1/audiences', { body: { name: 'A' }, idempotencyKey: 'k', key });
  await send(emulator.apiKey);
  expect((await send(emulator.admin.createKey())).headers['idempotency-replayed']).toBeUndefined();
});

test('stored_scope_errors=yes replays a missing scope to a key that has it (I1)', async () => {
  const { ask, emulator } = await startService({ quirks: { stored_scope_errors: 'yes' } });
  const flow = emulator.admin.createAutomation();
  const send = (key: string) =>
    ask('POST', `/v1/automations/${flow}/enroll`, { body: { email: 'a@example.com' }, idempotencyKey: 'k', key });
  expect((await send(emulator.admin.createKey([]))).status).toBe(403);
  const again = await send(emulator.apiKey);
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([403, 'true']);
});

test('rate_headers=absent takes the rate headers away (P5)', async () => {
  const { ask } = await startService({ quirks: { rate_headers: 'absent' } });
  expect(
    Object.keys((await ask('GET', '/v1/audiences')).headers).filter((name) => name.startsWith('ratelimit')),
  ).toEqual([]);
});

test('writable_status=all takes pending and bounced, cap_counts=subscribed counts only the subscribed', async () => {
  const quirks = { writable_status: 'all', cap_counts: 'subscribed' };
  const { ask, emulator, audience } = await startService({ quirks, plan: 'free' });
  emulator.admin.addContacts(Array.from({ length: 500 }, (_, index) => ({ email: `p${index}@example.com` })));
  const write = (status: string) =>
    ask('POST', `/v1/audiences/${audience}/contacts/batch`, {
      body: { upsert: true, contacts: [{ email: `${status}@example.com`, status }] },
    });
  expect([(await write('pending')).json.summary?.created, (await write('subscribed')).status]).toEqual([1, 403]);
});

test.each([
  { quirk: 'dropped', failed: 0, topics: {} },
  { quirk: 'fails', failed: 1, topics: undefined },
])('unknown_topic=$quirk', async ({ quirk, failed, topics }) => {
  const { ask, audience } = await startService({ quirks: { unknown_topic: quirk } });
  const path = `/v1/audiences/${audience}/contacts`;
  const body = { upsert: true, contacts: [{ email: 'a@example.com', topics: { top_x: 'yes' } }] };
  expect((await ask('POST', `${path}/batch`, { body })).json.summary.failed).toBe(failed);
  expect((await ask('GET', `${path}/a@example.com?expand=topics`)).json.topics).toEqual(topics);
});

test('enroll_other_audience=create makes a second contact when attributes are sent', async () => {
  const { ask, emulator } = await startService({ quirks: { enroll_other_audience: 'create' } });
  emulator.admin.addContacts([{ email: 'a@example.com' }]);
  const flow = emulator.admin.createAutomation({ audienceId: emulator.admin.createAudience('Other') });
  const { json } = await ask('POST', `/v1/automations/${flow}/enroll`, {
    body: { email: 'a@example.com', attributes: {} },
  });
  expect(json.outcome).toBe('enrolled');
});

test.each([
  { name: 'webhook_status_filter', reading: 'strict', statuses: [200, 400] },
  { name: 'webhook_status_filter', reading: 'lenient', statuses: [200, 200] },
])('$name=$reading answers the filters failed and odd with $statuses', async ({ name, reading, statuses }) => {
  const { ask } = await startService({ quirks: { [name]: reading } });
  const { json } = await ask('POST', '/v1/webhooks', {
    body: { url: 'https://hooks.example.com/', events: ['email.sent'] },
  });
  const filter = async (status: string) =>
    (await ask('GET', `/v1/webhooks/${json.id}/deliveries?status=${status}`)).status;
  expect([await filter('failed'), await filter('odd')]).toEqual(statuses);
});

test('webhook_status_values=active_disabled refuses any other status', async () => {
  const { ask } = await startService({ quirks: { webhook_status_values: 'active_disabled' } });
  const { json } = await ask('POST', '/v1/webhooks', {
    body: { url: 'https://hooks.example.com/', events: ['email.sent'] },
  });
  const set = async (status: string) => (await ask('PATCH', `/v1/webhooks/${json.id}`, { body: { status } })).status;
  expect([await set('disabled'), await set('paused')]).toEqual([200, 400]);
});

test.each(['200', '202', '201'])('email_create_status=%s is the status of a send', async (status) => {
  const { ask } = await startService({ quirks: { email_create_status: status } });
  const body = { from: 'a@example.com', to: 'b@example.com', subject: 's', text: 't' };
  expect((await ask('POST', '/v1/emails', { body })).status).toBe(Number(status));
});

test('single_contact_create=none has no such route', async () => {
  const { ask, audience } = await startService({ quirks: { single_contact_create: 'none' } });
  const { status } = await ask('POST', `/v1/audiences/${audience}/contacts`, { body: { email: 'a@example.com' } });
  expect(status).toBe(404);
});

test.each([
  { quirk: 'unicode', pairs: [true, true, false, false] },
  { quirk: 'ascii', pairs: [true, false, false, false] },
  { quirk: 'folded', pairs: [true, true, true, true] },
])('address_case=$quirk: which rows become one person (F8)', async ({ quirk, pairs }) => {
  const { ask, audience } = await startService({ quirks: { address_case: quirk } });
  const others = [' Kim@example.com', '\u212aim@example.com', 'k\u0130m@example.com', 'kim@example.com\u200b'];
  const refused = others.map(async (email) => {
    const body = { upsert: true, contacts: [{ email: 'kim@example.com' }, { email }] };
    return (await ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body })).status === 400;
  });
  expect(await Promise.all(refused)).toEqual(pairs);
});
