import { describe, expect, test } from 'vitest';
import { createProgram } from '../../../../src/cli.ts';
import type { CommandHost } from '../../../../src/commands/framework/invocation.ts';
import { createWorld } from '../../../support/world.ts';
import { addresses, bare, createAutomationWorld } from '../../enroll/support.ts';

describe('"latest" in place of the id of a run', () => {
  test('documents "latest" for each command of runs except delete', async () => {
    const program = await createProgram({ context: {}, finish: () => undefined } as unknown as CommandHost);
    const runs = program.commands.find((command) => command.name() === 'runs');
    const taking = (runs?.commands ?? []).filter(({ registeredArguments: [run] }) => run?.name() === 'run');
    const without = taking.filter(({ registeredArguments: [run] }) => !run?.description.includes('"latest"'));
    expect(taking.map((command) => command.name())).toEqual(['show', 'resume', 'verify', 'resolve', 'delete']);
    expect(without.map((command) => command.name())).toEqual(['delete']);
  });

  test('runs verify latest checks the import even after a verification', async () => {
    const world = await createWorld();
    world.file('list.csv', 'email,status\nana@example.com,subscribed\n');
    const { json } = await world.svc('contacts import list.csv --yes --json');
    for (const _ of ['once', 'again']) {
      const verified = await world.svc('runs verify latest --json');
      expect(verified).toMatchObject({ code: 0, json: { verifies: json.run } });
    }
  });

  test.each([
    ['fast', 366 * 24 * 3_600_000],
    ['slow', -366 * 24 * 3_600_000],
  ])('"latest" means the newest run even when the clock was once %s (P7, G9)', async (_, jumpMs) => {
    const world = await createWorld();
    const runs: string[] = [];
    for (const [index, jump] of [0, jumpMs, 0, -jumpMs, 0].entries()) {
      world.clock.set(world.clock.now() + jump);
      world.file('list.csv', `email,status\nana${index}@example.com,subscribed\n`);
      runs.unshift((await world.svc('contacts import list.csv --json')).json.run);
    }
    const [last, next] = runs;
    const shown = (await world.svc('runs ls --json')).json.map(({ run }: { run: string }) => run);
    expect([shown, (await world.svc('runs show latest --json')).json.run]).toEqual([runs, last]);
    expect((await world.svc('runs verify latest --json')).json.verifies).toBe(last);
    await world.svc('runs prune --keep 3 --yes');
    const left = (await world.svc('runs ls --json')).json.map(({ run }: { run: string }) => run);
    expect(left.filter((run: string) => runs.includes(run))).toEqual([last, next]);
  });

  test('resolves and shows the run "latest", and does not resume a finished one', async () => {
    const world = await createAutomationWorld(addresses(1));
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

  test('runs resolve asks nothing when no outcome of the run is unknown', async () => {
    const world = await createAutomationWorld(addresses(1));
    const { json } = await world.enroll(bare(addresses(1)));
    const resolved = await world.svc(['runs', 'resolve', json.run]);
    expect([resolved.code, resolved.out]).toEqual([0, 'No outcome of this run is unknown.\n']);
  });

  test('refuses "latest" when there is no run', async () => {
    for (const command of ['show', 'resume', 'resolve', 'verify']) {
      const { code, err } = await (await createWorld()).svc(`runs ${command} latest`);
      expect([code, err]).toEqual([2, expect.stringContaining('svc: there is no run yet\n')]);
    }
  });

  test('runs delete refuses "latest", and needs the whole id', async () => {
    const world = await createAutomationWorld(addresses(1));
    const { json } = await world.enroll(bare(addresses(1)));
    const deleted = await world.svc('runs delete latest');
    expect([deleted.code, deleted.err]).toEqual([2, 'svc: deleting a run needs its whole id\n  See: svc runs ls\n']);
    const resolved = await world.svc(`runs resolve ${json.run} --all enrolled`);
    expect([resolved.code, resolved.out]).toEqual([0, 'No outcome of this run is unknown.\n']);
  });
});
