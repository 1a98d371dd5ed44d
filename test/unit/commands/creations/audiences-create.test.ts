import { describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../../support/world.ts';

describe('audiences create', () => {
  test('audiences create leaves a run to resume only after a lost response', async () => {
    const world = await createWorld();
    const lost = { kind: 'reset', when: 'after', match: { route: 'POST /v1/audiences' } } as const;
    const codes = [(await world.svc(['audiences', 'create', 'Shop'])).code];
    codes.push((await world.svc('runs ls --json')).json.length);
    world.emulator.admin.addFault(lost);
    codes.push((await world.svc(['audiences', 'create', 'Lost'])).code);
    codes.push((await world.svc('runs ls --json')).json.length);
    expect(codes).toEqual([0, 0, 1, 1]);
  });

  const CREATE = ['audiences', 'create', 'Shop', '--json'];
  const POST_LOST = { kind: 'reset', when: 'after', match: { route: 'POST /v1/audiences' } } as const;
  const READ_LOST = { kind: 'reset', when: 'before', match: { route: 'GET /v1/audiences/*' } } as const;
  const HOUR = 3_600_000;

  function shops(world: World): string[] {
    return world.emulator.admin
      .audiences()
      .filter(({ name }) => name === 'Shop')
      .map(({ id }) => id);
  }

  test.each([
    ['runs resume', ['runs', 'resume', '--json']],
    ['the same command', CREATE],
  ])('%s creates no second audience a day after a failed read-back (I4, I6)', async (_, again) => {
    const world = await createWorld();
    world.emulator.admin.addFault(READ_LOST);
    const first = await world.svc(CREATE);
    world.emulator.admin.clearFaults();
    await world.clock.advance(25 * HOUR);
    const second = await world.svc(again);
    expect([first.code, first.err]).toEqual([
      1,
      expect.stringContaining('It was done, but its result was not stored. Resume: svc'),
    ]);
    expect([second.code, shops(world), (await world.svc('runs ls --json')).json]).toEqual([0, [second.json.id], []]);
  });

  test('audiences create continues when it runs again after a lost response (I9)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(POST_LOST);
    await world.svc(CREATE);
    world.emulator.admin.clearFaults();
    const { code, json, err } = await world.svc(CREATE);
    expect([code, shops(world)], err).toEqual([0, [json.id]]);
  });

  test('runs resume repeats no creation when the API key has changed (K4)', async () => {
    const world = await createWorld({ variants: { claim_owner: 'key' } });
    world.emulator.admin.addFault(POST_LOST);
    await world.svc(CREATE);
    world.emulator.admin.clearFaults();
    const env = { SVC_API_KEY: world.emulator.admin.createKey() };
    const { code, err } = await world.svc('runs resume', { env });
    expect([code, shops(world).length]).toEqual([2, 1]);
    expect(err).toContain('another API key');
  });

  test('exits with 7 when the new audience was deleted before the resume (I7)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(POST_LOST);
    await world.svc(CREATE);
    world.emulator.admin.clearFaults();
    shops(world).forEach((id) => world.emulator.admin.deleteAudience(id));
    await world.clock.advance(60_000);
    const { code, err } = await world.svc('runs resume');
    expect([code, err]).toEqual([7, expect.stringContaining('was created, and was deleted since')]);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test('creates one audience when the service shows it late (I4)', async () => {
    const world = await createWorld();
    world.refuse('GET /v1/audiences/*', { status: 404, code: 'not_found', times: 1 });
    const { code, json } = await world.svc(CREATE);
    expect([code, [json.id], json.name]).toEqual([0, shops(world), 'Shop']);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test('resumes when an audience is shown late after a lost response (I4)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault({ ...POST_LOST, times: 1 });
    world.refuse('GET /v1/audiences/*', { status: 404, code: 'not_found', times: 1 });
    const first = await world.svc(CREATE);
    const { code, json } = await world.svc(CREATE);
    expect([first.code, first.err]).toEqual([1, expect.stringContaining('the service does not show it yet')]);
    expect(JSON.parse(first.err.slice(first.err.indexOf('{'))).error.hint).toMatch(
      /^Wait a minute. Then: svc runs resume run_/,
    );
    expect([code, [json.id]]).toEqual([0, shops(world)]);
  });

  test.each([
    ['a failure that the service stored', { kind: 'error', status: 500, code: 'internal_error', when: 'effect' }, 0],
    ['five minutes of repeats', { kind: 'in_flight', seconds: 900 }, 0],
    ['a resume that comes too late', { kind: 'reset', when: 'before' }, 10 * 60_000],
  ] as const)('audiences create names the next commands after %s (I2, I3, I4)', async (_, fault, laterMs) => {
    const world = await createWorld();
    world.emulator.admin.addFault({ ...fault, match: { route: 'POST /v1/audiences' } });
    const first = await world.svc(CREATE);
    const [{ run }] = (await world.svc('runs ls --json')).json;
    await world.clock.advance(laterMs);
    const { code, err } = laterMs > 0 ? await world.svc('runs resume --json') : first;
    const { error } = JSON.parse(err.trim().split('\n').at(-1) ?? '');
    expect([code, error.code]).toEqual([1, 'in_doubt']);
    expect(error.hint).toContain(`check: svc audiences ls\nThen: svc runs delete ${run} --confirm ${run}\n`);
    expect((await world.svc(['runs', 'delete', run, '--confirm', run])).code).toBe(0);
  });
});
