import { describe, expect, test } from 'vitest';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { createWorld, type World } from '../../../support/world.ts';

const DAY = 24 * 3_600_000;

/** Sets the local clock only: the service keeps its time. */
function jump(world: World, days: number): void {
  world.clock.set(world.clock.now() + days * DAY);
  world.emulator.admin.advance(-days * DAY);
}

async function importList(world: World, name: string): Promise<string> {
  world.file('list.csv', `email,status\n${name}@example.com,subscribed\n`);
  return (await world.svc('contacts import list.csv --json')).json.run;
}

describe('runs prune --older-than', () => {
  test.each([
    ['fast at the prune', 0, 400],
    ['slow at the start of the run', -400, 400],
    ['fast at the start of the run', 400, 0],
    ['right', 0, 0],
  ])('runs prune keeps a young run when the clock is %s (P7)', async (_, first, second) => {
    const world = await createWorld();
    jump(world, first);
    const young = await importList(world, 'ana');
    jump(world, second);
    const { json } = await world.svc('runs prune --older-than 2d --json');
    expect(json.deleted).toEqual([]);
    expect((await world.svc('runs ls --json')).json[0].run).toBe(young);
  });

  test.each([
    ['right', 0],
    ['fast', 400],
    ['slow', -1],
  ])('runs prune takes the age of a run from a later run, clock %s (P7)', async (_, days) => {
    const world = await createWorld();
    jump(world, days);
    const old = await importList(world, 'ana');
    jump(world, -days);
    await world.clock.advance(500 * DAY);
    expect((await world.svc('runs prune --older-than 90d --json')).json).toEqual({
      deleted: [],
      kept: [{ run: old, why: 'maybe_young' }],
    });
    expect((await world.svc('runs prune --older-than 90d')).out).toBe(
      `Kept ${old}: it may be too young. Only the clock of this machine says how old it is. If the clock is right: svc runs delete ${old}\n`,
    );
    const young = await importList(world, 'ben');
    expect((await world.svc('runs prune --older-than 90d --json')).json).toEqual({ deleted: [old], kept: [] });
    expect((await world.svc('runs ls --json')).json.map(({ run }: { run: string }) => run)).toEqual([young]);
  });

  test('runs prune takes the age of a run from the resume of another run (P7)', async () => {
    const world = await createWorld();
    world.file('long.csv', people(3_000));
    const old = await importList(world, 'ana');
    await world.clock.advance(DAY / 2);
    const cut = await world.svc('contacts import long.csv --plan paid --json', stoppedAfterPost(2));
    await world.clock.advance(5 * DAY);
    await world.svc(`runs resume ${cut.json.run}`);
    expect((await world.svc('runs prune --older-than 2d --json')).json.deleted).toEqual([old]);
  });

  test('runs prune knows the age of a suppressions import from its requests (P7)', async () => {
    const world = await createWorld();
    const suppress = async (name: string) => {
      world.file('out.csv', `email,reason\n${name}@example.com,bounced\n`);
      return (await world.svc('suppressions import out.csv --json')).json.run as string;
    };
    const old = await suppress('ana');
    await world.clock.advance(5 * DAY);
    await suppress('ben');
    expect((await world.svc('runs prune --older-than 2d --json')).json).toEqual({ deleted: [old], kept: [] });
  });

  test.each([
    ['right', 0],
    ['slow at the start of the run', -400],
  ])('runs prune keeps a run when the service sends no dates, clock %s (P7)', async (_, days) => {
    const world = await createWorld();
    world.emulator.admin.addFault({ kind: 'headers', headers: { date: null } });
    jump(world, days);
    const old = await importList(world, 'ana');
    jump(world, -days);
    world.emulator.admin.clearFaults();
    await world.clock.advance(5 * DAY);
    await importList(world, 'ben');
    const { out } = await world.svc('runs prune --older-than 2d');
    const [, command = ''] = /^Kept run_\w+: it may be too young\..*: svc (runs delete run_\w+)\n$/.exec(out) ?? [];
    expect((await world.svc(command)).out).toBe(`Deleted ${old}.\n`);
  });

  test('runs prune needs no proof of age to delete a run that sent nothing', async () => {
    const world = await createWorld();
    world.file('list.csv', 'email,status\nana@example.com,subscribed\n');
    const { json } = await world.svc('contacts import list.csv --dry-run --json');
    await world.clock.advance(3 * DAY);
    expect((await world.svc('runs prune --older-than 2d --json')).json).toEqual({ deleted: [json.run], kept: [] });
  });
});
