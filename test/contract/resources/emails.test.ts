import { expect, test } from 'vitest';
import type { EmulatorOptions } from '../../../src/emulator/emulator.ts';
import type { WebhookAttempt } from '../../../src/emulator/webhooks/send.ts';
import { EVENT_TYPES } from '../../../src/wire/service-words.ts';
import { startReceiver } from '../receiver.ts';
import { type Reply, type Service, startService } from '../service.ts';

const MESSAGE = { from: 'Shop <shop@example.com>', to: ['ana@example.com'], subject: 'Hi', text: 'Hello' };

interface Mail extends Service {
  send(message?: object, idempotencyKey?: string): Promise<Reply>;
}

async function start(options: Partial<EmulatorOptions> = {}): Promise<Mail> {
  const service = await startService(options);
  const send = (message: object = {}, idempotencyKey?: string) =>
    service.ask('POST', '/v1/emails', {
      body: { ...MESSAGE, ...message },
      ...(idempotencyKey ? { idempotencyKey } : {}),
    });
  return { ...service, send };
}

const codeOf = ({ status, json }: Reply) => [status, json.error?.code];

test('Emails: a read by id shows queued, then sent, then delivered', async () => {
  const { send, ask, clock } = await start();
  const { status, json } = await send();
  const poll = async () => (await ask('GET', `/v1/emails/${json.id}`)).json;
  expect([status, json]).toEqual([200, { id: expect.stringMatching(/^eml_/), object: 'email' }]);
  const seen = [(await poll()).status];
  for (const _ of [1, 2]) {
    await clock.advance(1_000);
    seen.push((await poll()).status);
  }
  expect(seen).toEqual(['queued', 'sent', 'delivered']);
  expect(await poll()).toEqual({ id: json.id, object: 'email', status: 'delivered' });
});

test.each([
  { title: 'no recipients', message: { to: [] }, code: 'invalid_request', param: 'to' },
  { title: '51 recipients', message: { to: Array(51).fill('a@example.com') }, code: 'invalid_request', param: 'to' },
  { title: 'an invalid recipient', message: { to: ['ana'] }, code: 'invalid_email', param: 'to' },
  { title: 'no sender', message: { from: undefined }, code: 'invalid_request', param: 'from' },
  { title: 'no subject', message: { subject: undefined }, code: 'invalid_request', param: 'subject' },
  { title: 'neither html nor text', message: { text: undefined }, code: 'invalid_request', param: 'html' },
  { title: 'html that is no string', message: { html: 5 }, code: 'invalid_request', param: 'html' },
  { title: 'text that is no string', message: { html: '<p>', text: [] }, code: 'invalid_request', param: 'text' },
])('Emails: responds with 400 $code for $title', async ({ message, code, param }) => {
  const { send } = await start();
  const reply = await send(message);
  expect([...codeOf(reply), reply.json.error.param]).toEqual([400, code, param]);
});

test('Emails: accepts 50 recipients, and html instead of text', async () => {
  const { send } = await start();
  expect((await send({ to: Array(50).fill('a@example.com'), text: undefined, html: '<p>Hi' })).status).toBe(200);
});

test.each([
  { reason: 'bounced', status: 400, code: 'email_suppressed' },
  { reason: 'complained', status: 400, code: 'email_suppressed' },
  { reason: 'provider_suppressed', status: 400, code: 'email_suppressed' },
  { reason: 'unsubscribed', status: 200, code: undefined },
])('What the service does 1, 2: returns $status when suppressed as $reason', async ({ reason, status, code }) => {
  const { send, emulator } = await start();
  emulator.admin.suppress(['ana@example.com'], reason);
  expect(codeOf(await send())).toEqual([status, code]);
});

test.each([
  { what: 'another domain', settings: { domains: ['other.example.com'] }, code: 'domain_not_verified' },
  { what: 'sending turned off', settings: { sendingDisabled: true }, code: 'sending_disabled' },
  { what: 'no allowance left', settings: { allowance: 0 }, code: 'plan_limit_reached' },
  { what: 'the free plan', settings: { plan: 'free' as const }, code: 'sandbox_recipient_not_allowed' },
])('Emails: responds with 403 $code when the account has $what', async ({ settings, code }) => {
  const { send, emulator } = await start();
  emulator.admin.set(settings);
  expect(codeOf(await send())).toEqual([403, code]);
});

test('Emails: mails only organization members on the free plan, up to a limit', async () => {
  const { send, emulator } = await start({ plan: 'free' });
  emulator.admin.set({ members: ['ana@example.com'], domains: ['example.com'], allowance: 1 });
  const other = codeOf(await send({ to: ['ben@example.com'] }));
  expect(other).toEqual([403, 'sandbox_recipient_not_allowed']);
  expect([(await send()).status, codeOf(await send())]).toEqual([200, [403, 'plan_limit_reached']]);
});

test('Limits: sends 120 emails a minute and counts no refused send', async () => {
  const { send, ask, clock } = await start();
  const statuses = new Set<number>();
  for (let sent = 0; sent < 120; sent += 1) {
    statuses.add((await send()).status);
  }
  const refused = await send();
  expect([...statuses]).toEqual([200]);
  expect([...codeOf(refused), refused.headers['retry-after']]).toEqual([429, 'rate_limit_exceeded', '60']);
  expect((await ask('GET', '/v1/audiences')).headers['ratelimit-remaining']).toBe(String(600 - 121));
  await clock.advance(60_000);
  expect((await send()).status).toBe(200);
});

test('Emails: sends once when a request is repeated with its key', async () => {
  const sent: (string | undefined)[] = [];
  const sendWebhook = async ({ headers }: WebhookAttempt) => {
    sent.push(headers['service-event-type']);
    return 200;
  };
  const { send, ask, clock, emulator } = await start({ sendWebhook });
  await ask('POST', '/v1/webhooks', { body: { url: 'https://hooks.example.com/', events: ['email.sent'] } });
  emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST /v1/emails' }, times: 1 });
  await expect(send({}, 'k')).rejects.toThrow('ECONNRESET');
  const again = await send({}, 'k');
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
  await clock.advance(1_000);
  await clock.advance(1_000);
  expect(sent).toEqual(['email.sent']);
});

test.each([
  { local: 'ana', events: ['email.sent', 'email.delivered'], suppressed: [] },
  { local: 'bounce', events: ['email.sent', 'email.bounced', 'suppression.created'], suppressed: ['bounced'] },
  { local: 'undetermined', events: ['email.sent', 'email.bounced', 'suppression.created'], suppressed: ['bounced'] },
  { local: 'softbounce', events: ['email.sent', 'email.bounced'], suppressed: [] },
  {
    local: 'complaint+1',
    events: ['email.sent', 'email.delivered', 'email.complained', 'suppression.created'],
    suppressed: ['complained'],
  },
  { local: 'delay', events: ['email.sent', 'email.delivered'], suppressed: [] },
  { local: 'fail', events: ['email.failed'], suppressed: [] },
])('Events: emits $events for a message to $local@', async ({ local, events, suppressed }) => {
  const seen: (string | undefined)[] = [];
  const sendWebhook = async ({ headers }: WebhookAttempt) => {
    seen.push(headers['service-event-type']);
    return 200;
  };
  const { send, ask, clock, emulator } = await start({ sendWebhook });
  await ask('POST', '/v1/webhooks', { body: { url: 'https://hooks.example.com/', events: EVENT_TYPES } });
  await send({ to: [`${local}@example.com`] });
  for (const ms of [1_000, 1_000, 1_000, 600_000]) {
    await clock.advance(ms);
  }
  expect(seen.sort()).toEqual([...events].sort());
  expect(emulator.admin.suppressions().map(({ reason }) => reason)).toEqual(suppressed);
});

test('Events: emits one event for each recipient, with its own data.email', async () => {
  const { send, ask, clock } = await start({ allowLoopbackWebhooks: true });
  const receiver = await startReceiver(200);
  await ask('POST', '/v1/webhooks', { body: { url: receiver.url, events: ['email.bounced'] } });
  const to = ['bounce@example.com', 'softbounce@example.com'];
  const { json } = await send({ to });
  await clock.advance(1_000);
  await clock.advance(1_000);
  const events = (await receiver.arrived(2)).map(({ body }) => JSON.parse(body).data);
  const shared = {
    object: 'email',
    email_id: json.id,
    to,
    subject: 'Hi',
    provider_message_id: events[0].provider_message_id,
  };
  expect(events).toEqual([
    { ...shared, email: to[0], bounce_type: 'Permanent', bounce_subtype: 'General' },
    { ...shared, email: to[1], bounce_type: 'Transient', bounce_subtype: 'MailboxFull' },
  ]);
});
