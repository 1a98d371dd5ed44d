import type { WebhookSender } from '../../../src/emulator/webhooks/send.ts';
import type { Service } from '../service.ts';
import { codesOf, type OpenPoint, START } from './point.ts';

/** A receiver that responds as the path of its URL says. */
const sendWebhook: WebhookSender = async ({ url }) => {
  if (url.endsWith('/never')) {
    return new Promise(() => undefined);
  }
  if (url.endsWith('/refused')) {
    throw new Error('connect ECONNREFUSED');
  }
  return url.endsWith('/500') ? 500 : 200;
};
const options = { sendWebhook };

const hook = async ({ ask }: Service, path: string, more: object = {}): Promise<string> => {
  const body = { url: `https://hooks.example.com/${path}`, events: ['suppression.created'], ...more };
  return (await ask('POST', '/v1/webhooks', { body })).json.id;
};

async function suppress({ ask, clock }: Service, email = 'x@example.com', reason = 'bounced'): Promise<void> {
  await ask('POST', '/v1/suppressions', { body: { reason, emails: [email] } });
  await clock.advance(0);
}

const log = async ({ ask }: Service, id: string, query = '') =>
  (await ask('GET', `/v1/webhooks/${id}/deliveries${query}`)).json.data;

/** One delivery to a receiver, with the fields that may be null. */
async function deliveryTo(service: Service, path: string): Promise<unknown[]> {
  const id = await hook(service, path);
  await suppress(service, `${path}@example.com`);
  const [{ status, response_status, error, next_attempt_at, delivered_at }] = await log(service, id);
  return [status, response_status, error, next_attempt_at, delivered_at];
}

/** Webhook endpoints and deliveries. */
export const WEBHOOK_POINTS: readonly OpenPoint[] = [
  {
    point: 'webhook_maximum',
    async play(service) {
      const all = Array.from({ length: 60 }, () => hook(service, ''));
      return new Set(await Promise.all(all)).size;
    },
    shows: 60,
  },
  {
    point: 'webhook_status_values',
    play: async (service) => {
      const path = `/v1/webhooks/${await hook(service, '')}`;
      const change = (status: unknown) => () => service.ask('PATCH', path, { body: { status } });
      const codes = await codesOf([change('asleep'), change(''), change(null)]);
      return [...codes, (await service.ask('GET', path)).json.status];
    },
    shows: [200, 'invalid_request', 'invalid_request', 'asleep'],
  },
  {
    point: 'inactive_webhook',
    options,
    async play(service) {
      const id = await hook(service, '');
      await service.ask('PATCH', `/v1/webhooks/${id}`, { body: { status: 'disabled' } });
      await suppress(service);
      return log(service, id);
    },
    shows: [],
  },
  {
    point: 'changed_endpoint',
    options,
    async play(service) {
      const id = await hook(service, '500');
      await suppress(service);
      const body = { url: 'https://hooks.example.com/', status: 'disabled', events: ['email.sent'] };
      await service.ask('PATCH', `/v1/webhooks/${id}`, { body });
      await service.clock.advance(30_000);
      return (await log(service, id))[0].status;
    },
    shows: 'delivered',
  },
  {
    point: 'webhook_status_filter',
    options,
    async play(service) {
      const id = await hook(service, '');
      await suppress(service);
      return [await log(service, id, '?status=lost'), (await log(service, id, '?status=delivered')).length];
    },
    shows: [[], 1],
  },
  {
    point: 'delivery_nulls',
    options,
    play: async (service) => [
      await deliveryTo(service, 'never'),
      await deliveryTo(service, 'refused'),
      await deliveryTo(service, 'good'),
    ],
    shows: [
      ['pending', null, null, START, null],
      ['pending', null, 'connect ECONNREFUSED', '2026-01-01T00:00:30.000Z', null],
      ['delivered', 200, null, null, START],
    ],
  },
  {
    point: 'retry_delays',
    options,
    async play(service) {
      const id = await hook(service, 'never');
      await suppress(service);
      await service.clock.advance(10_000);
      return (await log(service, id))[0].next_attempt_at;
    },
    shows: '2026-01-01T00:00:40.000Z',
  },
  {
    point: 'last_error_after_success',
    options,
    async play(service) {
      const id = await hook(service, '500');
      const path = `/v1/webhooks/${id}`;
      await suppress(service);
      await service.ask('PATCH', path, { body: { url: 'https://hooks.example.com/' } });
      await service.clock.advance(30_000);
      const { consecutive_failures, last_failure_at, last_error } = (await service.ask('GET', path)).json;
      return [consecutive_failures, last_failure_at, last_error];
    },
    shows: [0, START, 'HTTP 500'],
  },
  {
    point: 'resent_delivery',
    options,
    async play(service) {
      const id = await hook(service, '');
      await suppress(service);
      const [first] = await log(service, id);
      service.emulator.admin.resendDelivery(first.id);
      await service.clock.advance(0);
      const [second, third] = await log(service, id);
      return [second.id === first.id, second.event_id === first.event_id, second.attempt, third.id === first.id];
    },
    shows: [false, true, 1, true],
  },
  {
    point: 'second_reason',
    options,
    async play(service) {
      const id = await hook(service, '');
      await suppress(service, 'x@example.com', 'unsubscribed');
      await suppress(service, 'x@example.com', 'bounced');
      return (await log(service, id)).length;
    },
    shows: 1,
  },
  {
    point: 'repeated_event_types',
    options,
    async play(service) {
      const id = await hook(service, '', { events: ['suppression.created', 'suppression.created'] });
      await suppress(service);
      return [(await service.ask('GET', `/v1/webhooks/${id}`)).json.events, (await log(service, id)).length];
    },
    shows: [['suppression.created'], 1],
  },
  {
    point: 'no_description',
    async play(service) {
      const ids = [await hook(service, ''), await hook(service, '', { description: null })];
      return Promise.all(ids.map(async (id) => (await service.ask('GET', `/v1/webhooks/${id}`)).json.description));
    },
    shows: ['', ''],
  },
];
