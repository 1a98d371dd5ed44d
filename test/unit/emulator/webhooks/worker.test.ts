import { expect, test } from 'vitest';
import { until } from '../../../contract/receiver.ts';
import { people, startService } from '../../../contract/service.ts';

test('the emulator delivers the events of one endpoint while another hangs', async () => {
  const seen: string[] = [];
  const { ask } = await startService({
    sendWebhook: async ({ url, headers }) => {
      seen.push(`${url} ${headers['service-event-id']}`);
      return url.endsWith('/never') ? new Promise(() => undefined) : 200;
    },
  });
  for (const path of ['never', 'good']) {
    const body = { url: `https://hooks.example.com/${path}`, events: ['suppression.created'] };
    await ask('POST', '/v1/webhooks', { body });
  }
  const emails = people(300).map(({ email }) => email);
  await ask('POST', '/v1/suppressions', { body: { reason: 'bounced', emails } });
  const delivered = () => new Set(seen.filter((line) => line.includes('/good'))).size;
  await until(() => delivered() === 300);
  expect([delivered(), seen.length - 300]).toEqual([300, 20]);
});
