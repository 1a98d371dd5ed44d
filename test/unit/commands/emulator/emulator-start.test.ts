import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { readPort } from '../../../../src/commands/emulator/port.ts';
import { createEmulator } from '../../../../src/emulator/emulator.ts';
import { createWorld } from '../../../support/world.ts';
import { whileServing } from '../serving.ts';

test.each([
  ['--port 65536', '--port takes a number from 0 to 65535, not "65536"'],
  ['--port x', '--port takes a number from 0 to 65535, not "x"'],
  ['--port -1', '--port takes a number from 0 to 65535, not "-1"'],
  ['--port 1.5', '--port takes a number from 0 to 65535, not "1.5"'],
  ['--rate-limit 1.5', '--rate-limit takes a whole number of at least 0, not "1.5"'],
  ['--rate-limit -1', '--rate-limit takes a whole number of at least 0, not "-1"'],
  ['--speed 0', '--speed takes a number above 0, not "0"'],
  ['--speed -1', '--speed takes a number above 0, not "-1"'],
  ['--quirk omitted_status', '--quirk takes <name=value>: omitted_status'],
  ['--speed x', '--speed takes a number above 0, not "x"'],
])('refuses emulator start %s as a usage error that names the flag', async (flags, message) => {
  const world = await createWorld();
  const { code, err, out } = await world.svc(`emulator start --json ${flags}`);
  const { error } = JSON.parse(err);
  expect([code, error.code, error.message, out]).toEqual([2, 'usage', message, '']);
});

test.each([
  ['0', 0],
  ['65535', 65_535],
])('takes %s as a port', (text, port) => {
  expect(readPort(text)).toBe(port);
});

test.each(['emulator start', 'webhooks listen --secret-file s'])(
  'reports that the port is in use for %s',
  async (line) => {
    const world = await createWorld();
    world.file('s', 'whsec_invented');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, err } = await world.svc(`${line} --json --port ${port}`);
    server.close();
    expect([code, JSON.parse(err).error]).toEqual([
      2,
      {
        code: 'port_unusable',
        message: `can't listen on 127.0.0.1 port ${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
        hint: `For any free port:\nsvc ${line} --json --port 0`,
        exit_code: 2,
      },
    ]);
  },
);

test.each([
  ['--plan paid', {}, 'free', 'paid'],
  ['--plan free', {}, 'paid', 'free'],
  ['', { SVC_PLAN: 'paid' }, 'free', 'free'],
  ['', {}, 'free', 'free'],
  ['', { SVC_PLAN: 'free' }, 'no plan', 'free'],
])('--plan outranks the seed, the seed outranks SVC_PLAN: "%s" %j %s', async (flags, env, seeded, plan) => {
  const world = await createWorld();
  const account = seeded === 'no plan' ? {} : { plan: seeded };
  world.file('seed.json', JSON.stringify({ account, automations: [{ name: 'A' }] }));
  const stop = new AbortController();
  await world.svc(`emulator start --json --data data --seed seed.json ${flags}`, {
    env,
    signal: stop.signal,
    onWrite: () => stop.abort(createInterruption('SIGTERM')),
  });
  const emulator = await createEmulator({
    dataDir: join(world.folder, 'data'),
    clock: world.clock,
    randomHex: () => 'ab'.repeat(16),
  });
  const automations = await emulator.handle({
    method: 'GET',
    path: '/v1/automations',
    headers: { authorization: `Bearer ${emulator.apiKey}` },
    body: Buffer.alloc(0),
  });
  expect(emulator.admin.state().plan).toBe(plan);
  // On a free plan, the emulator gives each new automation a sandbox.
  expect(JSON.parse(automations.body.toString()).data[0].sandbox).toBe(plan === 'free');
  await emulator.close();
});

/** A function that sends a request to the emulator whose first line of output is `started`. */
function askerOf(started: string) {
  const { url, api_key } = JSON.parse(started);
  const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test looks at
  return async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return response.json();
  };
}

test.each(['1000', '20000'])('delivers an event once to a healthy receiver when --speed is %s', async (speed) => {
  const world = await createWorld();
  await whileServing(world, `emulator start --json --speed ${speed} --allow-loopback-webhooks`, async (started) => {
    const ask = askerOf(started);
    const now = async () => (await ask('GET', '/_emulator/clock')).now;
    const attempts: unknown[] = [];
    // Each response comes after more than ten seconds of the emulator, which are a few real milliseconds.
    const elevenSeconds = async () => {
      const end = (await now()) + 11_000;
      while ((await now()) < end) {}
    };
    const receiver = createServer((request, response) => {
      attempts.push(request.headers['service-delivery-attempt']);
      elevenSeconds().then(
        () => response.end(),
        () => response.destroy(),
      );
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    const endpoint = { url: `http://127.0.0.1:${port}/`, events: ['suppression.created'] };
    const { id } = await ask('POST', '/v1/webhooks', endpoint);
    await ask('POST', '/v1/suppressions', { reason: 'bounced', emails: ['a@example.com'] });
    const delivery = async () => (await ask('GET', `/v1/webhooks/${id}/deliveries`)).data[0];
    while ((await delivery()).status === 'pending') {}
    expect([await delivery(), attempts]).toMatchObject([{ status: 'delivered', attempt: 1, error: null }, ['1']]);
    // The duration is real time too: ten seconds of the emulator would be far more than that.
    expect((await delivery()).duration_ms).toBeLessThan(10_000);
    receiver.close();
    receiver.closeAllConnections();
  });
});
