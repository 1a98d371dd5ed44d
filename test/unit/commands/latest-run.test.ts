import { expect, test } from 'vitest';
import { createWorld } from '../../support/world.ts';
import { addresses, bare, createFlowWorld } from '../enroll/support.ts';

test('takes "latest" for a run wherever one is shown, resumed or resolved', async () => {
  const world = await createFlowWorld(addresses(1));
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'POST *enroll' } });
  const { json } = await world.enroll(bare(addresses(1)), ['--at-most-once']);
  world.emulator.admin.clearFaults();
  const resolved = await world.svc('runs resolve latest --all not-enrolled --json');
  expect(resolved.json).toEqual({ run: json.run, enrolled: 0, not_enrolled: 1, unknown: 0 });
  expect((await world.svc('runs show latest --json')).json.run).toBe(json.run);
  expect(await world.svc('runs resume latest')).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${json.run} is finished`),
  });
});

test('names "latest" as no run when there is none', async () => {
  for (const command of ['show', 'resume', 'resolve']) {
    const { code, err } = await (await createWorld()).svc(`runs ${command} latest`);
    expect([code, err]).toEqual([2, expect.stringContaining('svc: there is no run yet\n')]);
  }
});
