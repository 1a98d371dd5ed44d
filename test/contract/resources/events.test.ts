import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { WebhookAttempt } from '../../../src/emulator/webhooks/send.ts';
import { WORDS } from '../coverage/document.ts';
import { until } from '../receiver.ts';
import { type Service, startService } from '../service.ts';

/**
 * A service with one endpoint for every event. Its receiver responds with these statuses in turn, then repeats the
 * last.
 */
async function startHooked(...statuses: number[]): Promise<Service & { id: string; attempts: WebhookAttempt[] }> {
  const attempts: WebhookAttempt[] = [];
  const sendWebhook = async (attempt: WebhookAttempt) => {
    attempts.push(attempt);
    return statuses[Math.min(attempts.length, statuses.length) - 1] ?? 200;
  };
  const service = await startService({ sendWebhook });
  const body = { url: 'https://hooks.example.com/', events: WORDS.eventTypes };
  return { ...service, id: (await service.ask('POST', '/v1/webhooks', { body })).json.id, attempts };
}

async function send({ ask, clock }: Service, to: string): Promise<void> {
  await ask('POST', '/v1/emails', { body: { from: 'a@example.com', to, subject: 'Hi', text: 'Hello' } });
  for (const ms of [1_000, 1_000, 1_000]) {
    await clock.advance(ms);
  }
}

const dataOf = ({ body }: WebhookAttempt) => JSON.parse(body).data;

test('Delivery rules 4: sends the same id and body with each attempt', async () => {
  const service = await startHooked(500, 500, 200);
  await service.ask('POST', '/v1/suppressions', { body: { reason: 'bounced', emails: ['a@example.com'] } });
  await until(() => service.attempts.length === 1);
  await service.clock.advance(30_000);
  await service.clock.advance(120_000);
  const deliveries = service.attempts.map(({ headers, body }) => [
    headers['service-event-id'],
    JSON.parse(body).id,
    body,
  ]);
  expect(deliveries).toEqual([deliveries[0], deliveries[0], deliveries[0]]);
  expect(service.attempts.map(({ headers }) => headers['service-delivery-attempt'])).toEqual(['1', '2', '3']);
});

test.each([200, 201, 202, 204, 299])(
  'Delivery rules 1: counts an event as delivered when the response is %i',
  async (status) => {
    const service = await startHooked(status);
    await service.ask('POST', '/v1/suppressions', { body: { reason: 'bounced', emails: ['a@example.com'] } });
    const deliveries = async () => (await service.ask('GET', `/v1/webhooks/${service.id}/deliveries`)).json.data;
    await until(async () => (await deliveries())[0]?.response_status === status);
    expect((await deliveries())[0]).toMatchObject({ status: 'delivered', error: null, next_attempt_at: null });
  },
);

test.each([199, 301, 307, 400, 404, 410, 429, 500])(
  'Delivery rules 2: repeats an attempt after 30 s when the response is %i',
  async (status) => {
    const service = await startHooked(status, 200);
    await service.ask('POST', '/v1/suppressions', { body: { reason: 'bounced', emails: ['a@example.com'] } });
    const [first] = await untilLogged(service, status);
    expect(first).toMatchObject({ error: `HTTP ${status}`, next_attempt_at: '2026-01-01T00:00:30.000Z' });
    await service.clock.advance(30_000);
    expect(service.attempts).toHaveLength(2);
  },
);

async function untilLogged({ ask, id }: Service & { id: string }, status: number): Promise<unknown[]> {
  const deliveries = async () => (await ask('GET', `/v1/webhooks/${id}/deliveries`)).json.data;
  await until(async () => (await deliveries())[0]?.response_status === status);
  return deliveries();
}

test.each([
  { local: 'bounce', bounce_type: 'Permanent', bounce_subtype: 'General' },
  { local: 'undetermined', bounce_type: 'Undetermined', bounce_subtype: 'Undetermined' },
  { local: 'softbounce', bounce_type: 'Transient', bounce_subtype: 'MailboxFull' },
])('Events: reports the type $bounce_type when mail to $local@ bounces', async ({ local, ...bounce }) => {
  const service = await startHooked(200);
  await send(service, `${local}@example.com`);
  const bounced = service.attempts.find(({ headers }) => headers['service-event-type'] === 'email.bounced');
  expect(bounced && dataOf(bounced)).toMatchObject({ object: 'email', email: `${local}@example.com`, ...bounce });
});

test('Events: emits email.failed with data.error and without email.sent', async () => {
  const service = await startHooked(200);
  await send(service, 'fail@example.com');
  expect(service.attempts.map(({ headers }) => headers['service-event-type'])).toEqual(['email.failed']);
  expect(service.attempts.map((attempt) => dataOf(attempt).error)).toEqual([expect.stringMatching(/./)]);
});

test('Events: sends documented data in sent, delivered and complained events', async () => {
  const service = await startHooked(200);
  await send(service, 'complaint@example.com');
  const sent = service.attempts.filter(({ headers }) => headers['service-event-type'] !== 'suppression.created');
  expect(sent.map(({ headers }) => headers['service-event-type'])).toEqual([
    'email.sent',
    'email.delivered',
    'email.complained',
  ]);
  for (const attempt of sent) {
    expect(dataOf(attempt)).toEqual({
      object: 'email',
      email_id: expect.stringMatching(/^eml_/),
      to: ['complaint@example.com'],
      email: 'complaint@example.com',
      subject: 'Hi',
      provider_message_id: expect.any(String),
    });
  }
});

test.each([
  { reason: 'bounced', eventReason: 'hard_bounce' },
  { reason: 'complained', eventReason: 'complaint' },
  { reason: 'unsubscribed', eventReason: 'unsubscribe' },
  { reason: 'manual', eventReason: 'manual' },
  { reason: 'provider_suppressed', eventReason: 'provider_suppressed' },
])('Events: emits suppression.created with $eventReason for reason $reason', async ({ reason, eventReason }) => {
  const service = await startHooked(200);
  service.emulator.admin.suppress(['a@example.com'], reason);
  await until(() => service.attempts.length === 1);
  expect(service.attempts.map((attempt) => dataOf(attempt).reason)).toEqual([eventReason]);
});

test('Signature: signs each attempt with its own time and the current secret', async () => {
  const service = await startHooked(500);
  await service.ask('POST', '/v1/suppressions', { body: { reason: 'bounced', emails: ['a@example.com'] } });
  await until(() => service.attempts.length === 1);
  const secret = service.emulator.admin.rotateSecret(service.id);
  await service.clock.advance(30_000);
  const [, second] = service.attempts;
  const t = Date.UTC(2026, 0, 1) / 1_000 + 30;
  const v1 = createHmac('sha256', secret).update(`${t}.${second?.body}`).digest('hex');
  expect(second?.headers['service-signature']).toBe(`t=${t},v1=${v1}`);
});
