import { expect, test } from 'vitest';
import { people } from '../support/lists.ts';
import { createWorld, type World } from '../support/world.ts';

const CREATE = ['--json', '--audience-name', 'Readers', '--create-audience'];
const LOST = { kind: 'reset', when: 'before', match: { route: 'POST /v1/audiences' } } as const;
const creations = (world: World) =>
  world.requests().filter(({ method, path }) => method === 'POST' && path === '/v1/audiences');

test('a run that waited for one that creates the same audience finds it there (I11)', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault({ kind: 'slow', ms: 60_000, when: 'before', match: { route: 'POST *' }, times: 1 });
  const lists = [world.file('a.csv', people(3)), world.file('b.csv', people(3, 10))];

  const answers = await Promise.all(lists.map((list) => world.svc(['migrate', list, ...CREATE, '--wait', '10m'])));

  expect(answers.map(({ code }) => code)).toEqual([0, 0]);
  expect(creations(world)).toHaveLength(1);
  expect(world.emulator.admin.contacts(answers[0]!.json.audience.id)).toHaveLength(6);
});

test('an audience that a run has just created is kept from others by its id as well (I11)', async () => {
  const world = await createWorld();
  let other: number | undefined;
  const creating = await world.svc(['migrate', world.file('a.csv', people(3)), ...CREATE], {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const id = /aud_\w+(?=\/contacts\/batch)/.exec(request.url.href)?.[0];
        if (id !== undefined) {
          other = (await world.svc(['migrate', world.file('b.csv', people(3, 10)), '--audience', id])).code;
        }
        return inner.send(request, signal);
      },
    }),
  });

  expect([creating.code, other]).toEqual([0, 6]);
});

test('a creation in doubt for too long says where to look and what goes on with it (I4)', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault(LOST);
  const list = world.file('list.csv', people(3));
  const cut = await world.svc(['migrate', list, ...CREATE]);
  world.emulator.admin.clearFaults();
  await world.clock.advance(10 * 60_000);
  world.requests();

  const late = await world.svc('runs resume --json');

  const { run } = cut.json;
  expect([cut.code, late.code, creations(world).length]).toEqual([1, 1, 0]);
  expect(JSON.parse(cut.err).error.hint).toContain(`svc runs resume ${run}`);
  expect(JSON.parse(late.err).error).toMatchObject({
    code: 'in_doubt',
    hint: `Once ten minutes have passed since it was sent, in which the service may still be at it, look whether it is there: svc audiences ls. If it is not, create it: svc audiences create 'Readers'. Then: svc runs resume ${run}`,
  });
});

test('what the hint of a creation in doubt says goes on with the run (I4)', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault(LOST);
  await world.svc(['migrate', world.file('list.csv', people(3)), ...CREATE]);
  world.emulator.admin.clearFaults();
  await world.clock.advance(10 * 60_000);
  await world.svc('runs resume --json');

  await world.svc(['audiences', 'create', 'Readers']);
  const { code, json } = await world.svc('runs resume --json');

  expect([code, json.rows.created, json.audience.name]).toEqual([0, 3, 'Readers']);
});

test('a creation that the service refused and keeps refusing goes on once a person created it (O2)', async () => {
  const world = await createWorld();
  const refusal = { kind: 'error', status: 400, code: 'invalid_request', when: 'effect' } as const;
  world.emulator.admin.addFault({ ...refusal, match: { route: 'POST /v1/audiences' }, times: 1 });
  const refused = await world.svc(['migrate', world.file('list.csv', people(3)), ...CREATE]);
  const again = await world.svc('runs resume --json');

  const { hint } = JSON.parse(refused.err).error;
  const [, command = ''] = /with: (svc .*)\. Then: svc runs resume run_\w+$/.exec(hint) ?? [];
  await world.svc(command.replaceAll("'", '').split(' ').slice(1));
  const { code, json } = await world.svc('runs resume --json');

  expect([refused.code, again.code, code, json.rows.created, json.audience.name]).toEqual([7, 7, 0, 3, 'Readers']);
});
