import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createWorld } from '../../support/world.ts';

test.each([
  ['--port 99999', 'usage'],
  ['--port x', 'usage'],
  ['--rate-limit 1.5', 'usage'],
  ['--speed 0', 'usage'],
  ['--speed -1', 'usage'],
])('emulator start %s is a usage error', async (flags, code) => {
  const world = await createWorld();
  const answer = await world.svc(`emulator start --json ${flags}`);
  expect([answer.code, JSON.parse(answer.err).error.code]).toEqual([2, code]);
});

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
