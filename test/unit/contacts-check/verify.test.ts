import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BATCH, createWorld, type World } from '../../support/world.ts';

const LIST =
  'email,first_name,status\n' +
  'ana@example.com,Ana,subscribed\n' +
  'bea@example.com,Bea,unsubscribed\n' +
  'cem@example.com,Cem,bounced\n' +
  'dan@example.com,Dan,subscribed\n';

/** An emulator after an import of the list. The audience has other people too. One address was suppressed before. */
async function importedWorld(command = 'migrate'): Promise<World & { readonly run: string }> {
  const world = await createWorld({ seed: { contacts: [{ email: 'other@example.com' }] } });
  world.emulator.admin.suppress(['dan@example.com']);
  world.file('list.csv', LIST);
  const done = await world.svc(`${command} list.csv --json`);
  expect(done.code).toBe(0);
  world.requests();
  return { ...world, run: done.json.run };
}

describe('runs verify', () => {
  test('runs verify compares only people whom the latest run wrote (V4)', async () => {
    const world = await importedWorld();
    const verified = await world.svc('runs verify --json');
    expect([verified.code, verified.json.counts]).toEqual([
      0,
      { same: 3, different: 0, missing: 0, extra: 0, opted_out: 0 },
    ]);
    expect(verified.json).toMatchObject({ command: 'runs verify', verifies: world.run, status: 'same' });
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('runs verify checks the last run that wrote, not later ones (V4)', async () => {
    const world = await createWorld();
    world.file('list.csv', 'email,status\nana@example.com,subscribed\nbea@example.com,unsubscribed\n');
    const night = 'contacts import --only-changed list.csv --json';
    const { json: first } = await world.svc(night);
    await world.clock.advance(86_400_000);
    expect((await world.svc(night)).json.rows).toMatchObject({ read: 2, unchanged: 2 });
    const verified = await world.svc('runs verify --json');
    expect([verified.code, verified.json.verifies]).toEqual([0, first.run]);
  });

  test.each([
    ['a/list.csv', '--map a/list.csv:Out=ignore --default-status a/list.csv=subscribed'],
    ['list.csv', '--map ./list.csv:Out=ignore --default-status ./list.csv=subscribed'],
    ['a/list.csv', '--status-map a/list.csv:Out:x=subscribed'],
    ['./list.csv', '--map ./list.csv:Out=first_name --default-status ./list.csv=subscribed'],
  ])('runs verify reads %s again with the answers of the run: %s (V4)', async (path, answers) => {
    const world = await createWorld();
    ['a', 'b'].map((name) => mkdirSync(join(world.folder, name)));
    world.file(path, 'email,Out\nana@example.com,x\n');
    world.file('b/list.csv', 'email,status\nbea@example.com,subscribed\n');
    expect(await world.svc(`migrate ${path} b/list.csv ${answers} --json`)).toMatchObject({ code: 0 });
    expect((await world.svc('runs verify --json')).json?.counts).toMatchObject({ same: 2, missing: 0 });
  });

  test('runs verify reports changes since the run, also of suppressions (V4)', async () => {
    const world = await importedWorld();
    const { admin } = world.emulator;
    admin.deleteContact('ana@example.com');
    admin.setStatus('bea@example.com', 'subscribed');
    admin.unsuppress('cem@example.com');
    const verified = await world.svc(`runs verify ${world.run} --json --output all.csv`);
    expect([verified.code, verified.json.counts]).toEqual([
      3,
      { same: 0, different: 1, missing: 2, extra: 0, opted_out: 0 },
    ]);
    expect(verified.json.examples.missing).toEqual([
      { email: 'ana@example.com' },
      { email: 'cem@example.com', fields: [{ field: 'suppression', list: 'bounced', there: '' }] },
    ]);
  });

  test('runs verify expects no suppression after contacts import (V4)', async () => {
    const world = await importedWorld('contacts import');
    expect((await world.svc('runs verify --json')).json.counts).toMatchObject({ same: 2, missing: 0 });
  });

  test('runs verify reports no difference when suppressions cannot be read (V1)', async () => {
    const world = await importedWorld();
    world.refuse('GET /v1/suppressions', { status: 404, code: 'not_found' });
    const verified = await world.svc('runs verify --json');
    expect([verified.code, verified.json.notes]).toEqual([0, [expect.stringContaining('cannot be read')]]);
  });

  test('runs verify refuses a list that changed since the run (V4)', async () => {
    const world = await importedWorld();
    appendFileSync(join(world.folder, 'list.csv'), 'eve@example.com,Eve,subscribed\n');
    const verified = await world.svc('runs verify');
    expect([verified.code, verified.err]).toEqual([2, expect.stringContaining('was changed since it was imported')]);
    expect((await world.svc('runs ls --json')).json).toHaveLength(1);
    expect(world.requests().filter(({ path }) => path.includes('/contacts'))).toEqual([]);
  });

  test('runs verify refuses when the list is missing or was standard input (V4)', async () => {
    const world = await importedWorld();
    rmSync(join(world.folder, 'list.csv'));
    expect((await world.svc('runs verify')).err).toContain('list.csv no longer exists');
    const piped = await world.svc('contacts import - --json', { stdin: LIST });
    const verified = await world.svc(`runs verify ${piped.json.run}`);
    expect([verified.code, verified.err]).toEqual([2, expect.stringContaining('its list was standard input')]);
    expect(verified.err).toContain('svc contacts check');
  });

  test.each([
    [
      'an enrollment',
      (w: World) =>
        w.svc(`automations enroll ${w.emulator.admin.createAutomation({ name: 'A' })} --email a@example.com --json`),
    ],
    ['a dry run', (w: World) => w.svc('migrate list.csv --dry-run --json')],
    ['suppressions alone', (w: World) => w.svc('suppressions import list.csv --reason bounced --json')],
  ])('runs verify refuses %s, and takes an earlier run when none is named (V4)', async (_, begin) => {
    const world = await importedWorld();
    await world.clock.advance(1_000);
    const { json } = await begin(world);
    expect((await world.svc(`runs verify ${json.run}`)).code).toBe(2);
    expect((await world.svc('runs verify --json')).json.verifies).toBe(world.run);
  });

  test('runs verify refuses an unfinished run, and fails without a run (V4)', async () => {
    const world = await createWorld();
    expect((await world.svc('runs verify')).err).toContain('no finished import');
    world.file('list.csv', LIST);
    world.refuse(BATCH, { status: 403, code: 'plan_limit_reached', when: 'effect' });
    const stopped = await world.svc('migrate list.csv --json');
    const verified = await world.svc(`runs verify ${stopped.json.run}`);
    expect([stopped.code, verified.code, verified.err]).toEqual([7, 2, expect.stringContaining('svc runs resume')]);
  });
});
