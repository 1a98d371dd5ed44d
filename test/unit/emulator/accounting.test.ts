import { expect, test } from 'vitest';
import { type Service, startService } from '../../contract/service.ts';

const MESSAGE = { from: 'me@example.com', to: ['ana@example.com'], subject: 's', text: 't' };

async function send({ ask }: Service, message: object = {}): Promise<string> {
  const { status, json } = await ask('POST', '/v1/emails', { body: { ...MESSAGE, ...message } });
  return json.error?.code ?? String(status);
}

test('sends one message and one event when an address stands twice in to', async () => {
  const service = await startService();
  const to = ['ana@example.com', 'Ana@Example.com', 'ben@example.com'];
  expect(await send(service, { to })).toBe('200');
  expect(service.emulator.admin.account().sent).toBe(2);
  expect(await send(service, { to: Array(51).fill('ana@example.com') })).toBe('invalid_request');
});
