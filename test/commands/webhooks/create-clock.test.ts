import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../support/world.ts';

const CREATE = 'webhooks create --url https://hooks.example.com/in --event email.bounced --secret-file secret';
const HOUR = 3_600_000;

test('W1: a first attempt timed by a clock that was two hours ahead is asked about after a look at what is there', async () => {
  const world = await createWorld();
  const { admin } = world.emulator;
  admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST /v1/webhooks' } });
  expect((await world.svc(CREATE)).code).toBe(1);
  admin.clearFaults();
  const date = new Date(world.clock.now() - 2 * HOUR).toUTCString();
  admin.addFault({ kind: 'headers', headers: { date } });
  world.requests();
  const { code, err } = await world.svc('runs resume');
  expect(code, err).toBe(0);
  expect(world.requests().map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  expect(readFileSync(join(world.folder, 'secret'), 'utf8')).toBe(admin.webhooks()[0]?.secret);
});
