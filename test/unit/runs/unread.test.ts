import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failCalls } from '../../support/failing-calls.ts';
import { createWorld } from '../../support/world.ts';

const CREATE = 'webhooks create --url https://hooks.example.com/in --event email.sent --secret-file secret --json';

test('does not repeat a creation, nor offer to delete its run, when the run cannot be read (D2, D9, W1)', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault({ kind: 'answer', status: 302, when: 'after', match: { route: 'POST /v1/webhooks' } });
  expect((await world.svc(CREATE)).code).toBe(1);
  world.emulator.admin.clearFaults();
  const runs = join(world.folder, 'state', 'svc', 'runs');
  const journal = join(runs, readdirSync(runs)[0]!, 'run.db');

  const calls = failCalls({ at: 2, code: 'EMFILE', within: journal });
  const blind = await world.svc(CREATE);
  calls.restore();

  expect([calls.failed, blind.code]).toEqual([expect.any(String), 1]);
  const { error } = JSON.parse(blind.err);
  expect(error.message).toContain("can't be read, so the command was not started");
  expect(error.hint).toContain('ulimit -n');
  expect(error.hint).not.toContain('delete');
  expect((await world.svc(CREATE)).code).toBe(0);
  expect(world.emulator.admin.webhooks()).toHaveLength(1);
});
