import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createWorld } from '../../support/world.ts';

test.each(['--port 99999', '--port x', '--rate-limit 1.5', '--speed 0', '--speed -1'])(
  'emulator start %s is a usage error that names the flag',
  async (flags) => {
    const world = await createWorld();
    const { code, err } = await world.svc(`emulator start --json ${flags}`);
    const { error } = JSON.parse(err);
    expect([code, error.code]).toEqual([2, 'usage']);
    expect(error.message).toContain(flags.split(' ')[0]);
  },
);

test.each(['emulator start', 'webhooks listen --secret-file s'])('%s on a port that is taken says so', async (line) => {
  const world = await createWorld();
  world.file('s', 'secret');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { code, err } = await world.svc(`${line} --json --port ${port}`);
  server.close();
  expect([code, JSON.parse(err).error]).toMatchObject([
    2,
    { code: 'port_unusable', hint: 'Try another one, or 0 for any.' },
  ]);
});
