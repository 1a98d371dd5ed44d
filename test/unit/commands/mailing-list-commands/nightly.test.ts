import { describe, expect, test } from 'vitest';
import { lockDestination } from '../../../../src/runs/store/lock.ts';
import { numberedNames, rowsOf } from '../../../support/nights.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { addresses, bare } from '../../enroll/support.ts';

const MAPPING = { default_status: ['subscribed'] };
const LINE = 'contacts import users.csv --mapping users.json --plan paid --only-changed --gone report --yes -q';

describe('a nightly import, as cron runs it', () => {
  test('a nightly import prints a report only when it did not end well', async () => {
    const world = await createWorld();
    list(world, rowsOf(numberedNames(30)));
    const line = `${LINE} --audience ${world.emulator.audienceId}`;
    expect(await world.svc(line)).toMatchObject({ code: 0, out: '', err: '' });
    expect(await world.svc(line)).toMatchObject({ code: 0, out: '', err: '' });
    list(world, rowsOf(numberedNames(10)));
    const stopped = await world.svc(line);
    expect(stopped.code).toBe(5);
    expect(stopped.err).toContain('20 people of 30 of earlier lists are missing in this one; the limit is 5 %');
    expect(stopped.out).toContain(' read=10 unchanged=10 gone=20 ');
  });

  test('an import waits for another run when it has --wait', async () => {
    const world = await createWorld();
    const { audienceId } = world.emulator;
    list(world, rowsOf(numberedNames(3)));
    const state = `${world.folder}/state/svc`;
    const origin = 'https://mail.example.test/api';
    const lock = await lockDestination(state, `${origin}/${audienceId}`, {
      run: 'run_a',
      waitMs: 0,
      clock: world.clock,
    });
    expect((await world.svc(`${LINE} --audience ${audienceId}`)).code).toBe(6);
    expect(world.requests().filter(({ method }) => method === 'POST')).toEqual([]);
    const waiting = world.svc(`${LINE} --audience ${audienceId} --wait 10m`);
    world.clock.sleep(60_000).then(() => lock.release());
    expect([(await waiting).code, world.emulator.admin.contacts().length]).toEqual([0, 3]);
    const [write] = world.requests().filter(({ method }) => method === 'POST');
    expect(write?.at).toBeGreaterThanOrEqual(Date.UTC(2026, 0, 1, 0, 1));
  });

  test.each([
    ['contacts check', 'contacts check users.csv --audience Newsletter --mapping users.json'],
    ['runs verify', 'runs verify'],
  ])('%s waits for an import when it has --wait', async (_, line) => {
    const world = await createWorld();
    const { audienceId } = world.emulator;
    list(world, rowsOf(numberedNames(3)));
    await world.svc('contacts import users.csv --audience Newsletter --mapping users.json');
    const destination = `https://mail.example.test/api/${audienceId}`;
    const held = { run: 'run_a', waitMs: 0, clock: world.clock };
    const lock = await lockDestination(`${world.folder}/state/svc`, destination, held);
    expect((await world.svc(line)).code).toBe(0);
    expect((await world.svc(`${line} --wait 1m`)).code).toBe(6);
    const waiting = world.svc(`${line} --wait 10m`);
    world.clock.sleep(60_000).then(() => lock.release());
    expect((await waiting).code).toBe(0);
  });

  test.each(['contacts check users.csv --audience Newsletter --mapping users.json', 'runs verify'])(
    '%s -q prints its result only when people differ',
    async (line) => {
      const world = await createWorld();
      list(world, rowsOf(numberedNames(3)));
      await world.svc('contacts import users.csv --audience Newsletter --mapping users.json');
      expect(await world.svc(`${line} -q`)).toMatchObject({ code: 0, out: '', err: '' });
      expect((await world.svc(`${line} -q --json`)).json).toMatchObject({ counts: { same: 3 } });
      world.emulator.admin.deleteContact(world.emulator.admin.contacts()[0]!.email);
      expect(await world.svc(`${line} -q`)).toMatchObject({ code: 3, out: expect.stringContaining('missing') });
    },
  );

  test.each([
    ['--max-gone 5', '--max-gone needs --gone'],
    ['--only-changed --gone delete', '--gone'],
    ['--only-changed --gone report --max-gone many', '--max-gone takes a number or a percentage'],
  ])('an import refuses the flags %s', async (flags, message) => {
    const world = await createWorld();
    list(world, rowsOf(numberedNames(3)));
    const { code, err } = await world.svc(`contacts import users.csv --mapping users.json ${flags}`);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test('runs prune needs a limit, and prints nothing with -q', async () => {
    const world = await createWorld();
    expect((await world.svc('runs prune')).code).toBe(2);
    list(world, rowsOf(numberedNames(3)));
    const line = `${LINE} --audience ${world.emulator.audienceId}`;
    await world.svc(line);
    await world.svc(line);
    expect(await world.svc('runs prune --keep 1 -q')).toMatchObject({ code: 0, out: '' });
    expect((await world.svc('runs ls --json')).json).toHaveLength(1);
  });

  function list(world: World, rows: readonly string[]): void {
    world.file('users.json', JSON.stringify(MAPPING));
    world.file('users.csv', `${['email,first_name,city', ...rows].join('\n')}\n`);
  }

  test('counts the people to unsubscribe in the question and the plan (G6)', async () => {
    const world = await createWorld();
    const line = 'contacts import list.csv --default-status subscribed --only-changed';
    world.file('list.csv', bare(addresses(40)));
    await world.svc(line);
    world.file('list.csv', bare(addresses(39)));
    const planned = await world.svc(`${line} --gone unsubscribe --dry-run --json`);
    expect([planned.json.plan.opt_outs, planned.json.plan.contacts]).toEqual([1, 0]);
    const asked: string[] = [];
    const { code } = await world.svc(`${line} --gone unsubscribe`, {
      answers: ['n'],
      onAsk: (question) => asked.push(question),
    });
    expect([code, asked.join('')]).toEqual([5, expect.stringContaining('Unsubscribe 1 missing person? About 1 s.')]);
    const reported = await world.svc(`${line} --gone report --dry-run --json`);
    expect(reported.json.plan).not.toHaveProperty('opt_outs');
    expect(planned.json.plan.requests - reported.json.plan.requests).toBe(3);
  });
});
