import fc from 'fast-check';
import { EVENT_TYPES } from '../model/webhooks.ts';
import { bodiless, limit, post, type RequestPlan } from './requests.ts';
import { mostly } from './values.ts';

/** Receivers that respond at once, after some failures, or never. */
const RECEIVERS = [
  'https://hooks.example.com/',
  'https://hooks.example.com:8443/in?x=1',
  'https://hooks.example.com:443/',
  'https://hooks.example.com/fail/1/500',
  'https://hooks.example.com/fail/2/0-500',
  'https://hooks.example.com/fail/6/429-0',
  'https://hooks.example.com/fail/7/301',
  'https://hooks.example.com/fail/99/404',
];
const NOT_PUBLIC = [
  'http://hooks.example.com/',
  'https://hooks.example.com:444/',
  'https://hooks.example.com:80/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://192.168.1.1:8443/',
  'https://169.254.169.254/latest',
  'https://[::1]/',
  'https://[fd00::1]/',
  'ftp://hooks.example.com/',
  'hooks.example.com',
  '',
];

const url = mostly<unknown>(RECEIVERS, [...NOT_PUBLIC, 5, null], 12);
const events = fc.oneof(
  { weight: 20, arbitrary: fc.uniqueArray(fc.constantFrom(...EVENT_TYPES), { minLength: 1 }) },
  { weight: 10, arbitrary: fc.constant(EVENT_TYPES) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>([], ['email.opened'], 'email.sent', [5], null, {}) },
);
const description = mostly<unknown>(['ours', '', 'é🎉'], [5, []], 12);
const endpoint = fc.constant('/v1/webhooks');
const one = mostly(
  ['{webhook:0}', '{webhook:0}', '{webhook:1}', '{webhook:2}'],
  ['{webhook:3}', '{webhook:4}', 'whe_x', 'aud_x'],
  12,
).map((id) => `/v1/webhooks/${id}`);

export const createWebhook: fc.Arbitrary<RequestPlan> = post(
  endpoint,
  fc.record({ url, events, description, status: fc.constant('disabled') }, { requiredKeys: ['url', 'events'] }),
);

/** An endpoint that is surely there, for every type of event. */
export const workingWebhook: fc.Arbitrary<RequestPlan> = fc.constantFrom(...RECEIVERS).map((to) => ({
  method: 'POST',
  path: '/v1/webhooks',
  body: JSON.stringify({ url: to, events: EVENT_TYPES }),
  apiKey: 'full',
}));

const changes = fc.record(
  { url, events, description, status: mostly<unknown>(['active', 'active', 'disabled'], [5, null], 12) },
  { requiredKeys: [] },
);

export const changeWebhook: fc.Arbitrary<RequestPlan> = fc.oneof(
  { weight: 1, arbitrary: post(endpoint, fc.constant({ url: 'https://hooks.example.com/' })) },
  { weight: 10, arbitrary: post(one, changes).map((request) => ({ ...request, method: 'PATCH' })) },
  { weight: 2, arbitrary: bodiless('DELETE', one) },
);

const deliveries = fc
  .tuple(one, limit, mostly(['', 'status=failed', 'status=pending', 'status=delivered'], ['status=x'], 12))
  .map(([path, page, status]) => `${path}/deliveries${page}${status && (page ? '&' : '?')}${status}`);

export const readWebhook: fc.Arbitrary<RequestPlan> = bodiless(
  'GET',
  fc.oneof(
    { weight: 1, arbitrary: fc.tuple(endpoint, limit).map((parts) => parts.join('')) },
    { weight: 2, arbitrary: one },
    { weight: 4, arbitrary: deliveries },
  ),
);
