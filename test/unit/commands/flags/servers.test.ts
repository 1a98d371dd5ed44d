import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';
import { whileServing } from '../serving.ts';

/** Creates an endpoint on loopback. Returns the status of the response. */
async function createEndpoint(started: string): Promise<number> {
  const { url, api_key } = JSON.parse(started);
  const response = await fetch(`${url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json', 'idempotency-key': 'k' },
    body: JSON.stringify({ url: 'https://127.0.0.1:8443/hook', events: ['email.sent'] }),
  });
  return response.status;
}

test.each([
  ['', [400]],
  ['--allow-loopback-webhooks', [200, 201]],
])('emulator start [%s] responds with one of %j to a loopback webhook URL', async (flags, statuses) => {
  const world = await createWorld();
  await whileServing(world, `emulator start --port 0 --json ${flags}`, async (started) => {
    expect(statuses).toContain(await createEndpoint(started));
  });
});

test.each([
  ['', 'subscribed'],
  ['--quirk omitted_status=pending', 'pending'],
])('emulator start [%s] stores a contact without a status as %s', async (flags, status) => {
  const world = await createWorld();
  await whileServing(world, `emulator start --port 0 --json ${flags}`, async (started) => {
    const { url, api_key, audience_id } = JSON.parse(started);
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json', 'idempotency-key': 'k' };
    const contacts = `${url}/v1/audiences/${audience_id}/contacts`;
    const body = JSON.stringify({ upsert: true, contacts: [{ email: 'ana@example.com' }] });
    await fetch(`${contacts}/batch`, { method: 'POST', headers, body });
    expect(await (await fetch(`${contacts}/ana@example.com`, { headers })).json()).toMatchObject({ status });
  });
});

test.each([
  ['--quirk stored_errors=no=x', 'no such value of stored_errors: no=x'],
  ['--quirk stored_errors=no --quirk stored_errors=yes', '--quirk names stored_errors twice'],
])('refuses %s at emulator start: %s', async (flags, message) => {
  const { code, err } = await (await createWorld()).svc(`emulator start --port 0 ${flags}`);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test('refuses an unknown --quirk at emulator start', async () => {
  const { code, err } = await (await createWorld()).svc('emulator start --port 0 --quirk nothing=yes');
  expect([code, err]).toEqual([2, expect.stringContaining('nothing')]);
});

test.each(['127.0.0.1', '127.0.0.2'])('webhooks listen --host listens only on %s', async (host) => {
  const world = await createWorld();
  world.file('secret', 'shh');
  const other = host === '127.0.0.1' ? '127.0.0.2' : '127.0.0.1';
  const status = (address: string, port: string) =>
    fetch(`http://${address}:${port}/`, { method: 'POST', body: '{}' }).then(
      (response) => response.status,
      () => undefined,
    );
  await whileServing(world, `webhooks listen --host ${host} --port 0 --secret-file secret`, async (started) => {
    const [, port = ''] = /^Listening on http:\/\/[^:]+:(\d+);/.exec(started) ?? [];
    expect([await status(host, port), await status(other, port)]).toEqual([400, undefined]);
  });
});
