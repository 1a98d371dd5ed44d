import { expect, test } from 'vitest';
import { people } from '../support/lists.ts';
import { createWorld, type World } from '../support/world.ts';

const BATCH = 'POST /v1/audiences/*/contacts/batch';
const HOUR = 3_600_000;
const CREATE = ['--json', '--plan', 'paid', '--audience-name', 'New', '--create-audience'];
const CREATION = { route: 'POST /v1/audiences' } as const;

test('replayed rows are counted once, however often a batch was halved (I7)', async () => {
  const world = await createWorld({ quirks: { batch_invalid_row: 'whole' } });
  const list = world.file('list.csv', people(20).replace('person7@example.com', 'person7@nowhere'));
  await world.svc(['migrate', list, '--json', '--plan', 'paid']);
  const { json } = await world.svc(['migrate', list, '--json', '--plan', 'paid']);
  expect(json.rows_replayed).toBe(20);
});

test('a check that says stop to a resume stops the run, which keeps its list from standard input (D1)', async () => {
  const world = await createWorld();
  const { admin } = world.emulator;
  admin.addFault({
    kind: 'error',
    status: 503,
    code: 'internal_error',
    when: 'before',
    match: { route: BATCH },
    after: 1,
  });
  await world.svc(['contacts', 'import', '-', '--json', '--plan', 'paid'], { stdin: people(2_500) });
  admin.clearFaults();
  const flow = admin.createAutomation({ trigger: 'audience_join', status: 'active', name: 'Welcome' });
  const stopped = await world.svc('runs resume --json');
  admin.setAutomationStatus(flow, 'archived');

  const { code, json } = await world.svc('runs resume --json');

  expect([stopped.code, stopped.json.status, stopped.json.next]).toEqual([
    7,
    'stopped',
    [`svc runs resume ${json.run}`],
  ]);
  expect([code, json.rows.created]).toEqual([0, 2_500]);
});

test('a run that another one kept from going on is not finished (D1, C1)', async () => {
  const world = await createWorld({ quirks: { omitted_status_existing: 'subscribed' } });
  const { admin, audienceId } = world.emulator;
  const limit = { kind: 'error', status: 403, code: 'plan_limit_reached', when: 'before' } as const;
  admin.addFault({ ...limit, match: { route: BATCH }, after: 1, times: 1 });
  const line = (list: string) => ['contacts', 'import', list, '--json', '--plan', 'paid', '--audience', audienceId];
  const first = await world.svc([...line(world.file('a.csv', people(2_500))), '--concurrency', '1']);
  admin.clearFaults();
  admin.addContacts([{ email: 'gone5@example.com', status: 'unsubscribed' }], audienceId);
  const second = await world.svc(line(world.file('b.csv', people(20).replaceAll('person', 'gone'))));
  const kept = await world.svc(['runs', 'resume', first.json.run, '--json']);
  await world.svc(['runs', 'delete', second.json.run]);

  const { code, json } = await world.svc(['runs', 'resume', first.json.run, '--json']);

  expect([first.code, second.code, kept.code, code, json.rows.created]).toEqual([7, 8, 8, 0, 2_500]);
});

test('a resume that fails on its way keeps the key of a creation in doubt (I4)', async () => {
  const world = await createWorld();
  const { admin } = world.emulator;
  const [, , , ...create] = CREATE;
  admin.addFault({ kind: 'reset', when: 'before', match: CREATION });
  const { json } = await world.svc(['migrate', world.file('a.csv', people(5)), '--json', ...create]);
  const keys = keysOf(world);
  admin.clearFaults();
  admin.addFault({ kind: 'error', status: 503, code: 'x', when: 'before', match: { route: 'GET *' }, after: 1 });
  const failed = await world.svc(['runs', 'resume', json.run, '--json']);
  admin.clearFaults();

  const { code } = await world.svc(['runs', 'resume', json.run, '--json']);

  expect(json.next).toEqual([`svc runs resume ${json.run}`]);
  expect([failed.code, code, keysOf(world)]).toEqual([1, 0, [keys[0]]]);
});

test('a creation in doubt is not asked for with another API key (K4)', async () => {
  const world = await createWorld({ quirks: { claim_owner: 'key' } });
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: CREATION });
  const { json } = await world.svc(['migrate', world.file('a.csv', people(5)), ...CREATE]);
  world.emulator.admin.clearFaults();
  world.requests();
  const env = { SVC_API_KEY: world.emulator.admin.createKey() };

  const { code, err } = await world.svc(['runs', 'resume', json.run, '--json'], { env });

  expect([code, keysOf(world)]).toEqual([1, []]);
  expect(JSON.parse(err).error.hint).toContain("svc audiences create 'New'. Then: svc runs resume");
});

test('a creation that surely had no effect leaves a run with which nothing has begun (D1)', async () => {
  const world = await createWorld();
  const line = [
    'migrate',
    world.file('a.csv', people(5)),
    ...CREATE.filter((word) => word !== 'paid' && word !== '--plan'),
  ];
  const limit = { kind: 'error', status: 403, code: 'plan_limit_reached', when: 'before' } as const;
  world.emulator.admin.addFault({ ...limit, match: CREATION, times: 1 });
  await world.svc(line);
  world.emulator.admin.addContacts(Array.from({ length: 498 }, (_, index) => ({ email: `old${index}@example.com` })));

  const { code, json } = await world.svc(line);

  expect([code, json.status, (await world.svc('runs resume')).code]).toEqual([5, 'refused', 2]);
});

test('an audience that somebody deleted before it was read back is created anew by the same command (I7)', async () => {
  const world = await createWorld();
  const line = ['migrate', world.file('a.csv', people(5)), ...CREATE];
  const first = await world.svc(line, {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        if (request.method === 'POST' && request.url.pathname.endsWith('/audiences')) {
          deleteNew(world);
        }
        return response;
      },
    }),
  });

  const { code, json } = await world.svc(line);

  expect([first.code, JSON.parse(first.err).error.code, code, json.rows.created]).toEqual([7, 'deleted_since', 0, 5]);
});

test('where people of a replayed batch are gone, the hint leads on (I7)', async () => {
  const world = await createWorld();
  const line = ['contacts', 'import', world.file('list.csv', people(5)), '--json', '--plan', 'paid'];
  await world.svc(line);
  world.emulator.admin.deleteContact('person0@example.com');
  const stopped = await world.svc(line);
  const [, run = ''] = /svc runs delete (run_\w+)/.exec(JSON.parse(stopped.err).error.hint) ?? [];
  await world.svc(['runs', 'delete', run]);
  world.clock.set(world.clock.now() + 25 * HOUR);

  const { code, json } = await world.svc(line);

  expect([stopped.code, code, json.rows.created, json.rows.updated]).toEqual([8, 0, 1, 4]);
});

function deleteNew({ emulator: { admin } }: World): void {
  admin
    .audiences()
    .filter(({ name }) => name === 'New')
    .forEach(({ id }) => admin.deleteAudience(id));
}

/** The keys of the creations that were asked for since the last look. */
function keysOf(world: World): (string | undefined)[] {
  const posts = world.requests().filter(({ method, path }) => method === 'POST' && path === '/v1/audiences');
  return posts.map(({ headers }) => headers['idempotency-key']);
}
