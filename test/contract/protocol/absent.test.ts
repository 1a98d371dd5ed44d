import { expect, test } from 'vitest';
import { startService } from '../service.ts';

test.each([
  ['POST', '/v1/automations'],
  ['GET', '/v1/automations/{automation}'],
  ['PATCH', '/v1/automations/{automation}'],
  ['DELETE', '/v1/automations/{automation}'],
  ['GET', '/v1/automations/{automation}/enrollments'],
  ['GET', '/v1/automations/{automation}/statistics'],
  ['POST', '/v1/automations/{automation}/publish'],
  ['GET', '/v1/webhooks/{webhook}/secret'],
  ['POST', '/v1/webhooks/{webhook}/rotate'],
  ['POST', '/v1/webhooks/{webhook}/deliveries'],
  ['POST', '/v1/keys'],
  ['PATCH', '/v1/keys'],
  ['DELETE', '/v1/suppressions'],
  ['GET', '/v1/campaigns'],
  ['GET', '/v1/segments'],
  ['GET', '/v1/topics'],
  ['GET', '/v1/fields'],
  ['GET', '/v2/audiences'],
  ['GET', '/audiences'],
])('What the service does: responds to the undocumented %s %s with 404', async (method, path) => {
  const { ask, emulator } = await startService();
  const hook = { url: 'https://hooks.example.com/', events: ['email.sent'] };
  const webhook = (await ask('POST', '/v1/webhooks', { body: hook })).json.id;
  const to = path.replace('{automation}', emulator.admin.createAutomation()).replace('{webhook}', webhook);
  const { status, json } = await ask(method, to, { body: {} });
  expect([status, json.error.code]).toEqual([404, 'not_found']);
});

test('What the service does 3: allows each read on the free plan', async () => {
  const { ask, audience } = await startService({ plan: 'free' });
  const paths = ['/v1/automations', '/v1/audiences', `/v1/audiences/${audience}`, '/v1/suppressions', '/v1/webhooks'];
  const statuses = await Promise.all(paths.map(async (path) => (await ask('GET', path)).status));
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
});
