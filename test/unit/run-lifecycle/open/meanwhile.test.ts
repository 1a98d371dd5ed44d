import { expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { people } from '../../../support/lists.ts';
import { createWorld, type World } from '../../../support/world.ts';

const FLAGS = ['--json', '--plan', 'paid'];

/** Calls `act` once, before the first matching request. */
function before(fits: (line: string) => boolean, act: () => void | Promise<void>): (inner: Transport) => Transport {
  let done = false;
  return (inner) => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      if (!done && fits(`${request.method} ${request.url.pathname}`)) {
        done = true;
        await act();
      }
      return inner.send(request, signal);
    },
  });
}

const paths = (world: World, what: RegExp) =>
  world.requests().filter(({ method, path }) => what.test(`${method} ${path}`));

test('imports when another audience is deleted while svc counts it (P2, O8)', async () => {
  const world = await createWorld();
  const { admin } = world.emulator;
  const other = admin.createAudience('Other');
  const [{ id }] = (await world.svc('audiences ls --json')).json.filter(
    (one: { name: string }) => one.name !== 'Other',
  );
  const line = ['migrate', world.file('list.csv', people(3)), '--json', '--audience', id];

  const { code, json } = await world.svc(line, {
    transport: before(
      (request) => request.endsWith(other),
      async () => {
        await world.svc(['audiences', 'delete', other, '--confirm', 'Other']);
      },
    ),
  });

  expect([code, json.rows.created, admin.audiences().length]).toEqual([0, 3, 1]);
});

test('reads no other audience when the plan is paid (P2)', async () => {
  const world = await createWorld();
  const ids = Array.from({ length: 30 }, (_, index) => world.emulator.admin.createAudience(`Other ${index}`));
  const line = ['migrate', world.file('list.csv', people(3)), ...FLAGS, '--audience', ids[3]!];
  expect((await world.svc(line)).code).toBe(0);
  const read = paths(world, /^GET \/v1\/audiences\/aud_\w+$/).map(({ path }) => path.split('/').at(-1));
  expect([...new Set(read)]).toEqual([ids[3]]);
});

test('exits with 7 when the audience is deleted before the verification', async () => {
  const world = await createWorld();
  const [{ id, name }] = (await world.svc('audiences ls --json')).json;
  let batches = 0;
  const { code, json } = await world.svc(['migrate', world.file('list.csv', people(3)), ...FLAGS], {
    transport: before(
      (request) => {
        batches += request.endsWith('/batch') ? 1 : 0;
        return batches > 0 && request === `GET /api/v1/audiences/${id}`;
      },
      async () => {
        await world.svc(['audiences', 'delete', id, '--confirm', name]);
      },
    ),
  });
  expect([code, json.error.message]).toEqual([7, expect.stringContaining('the audience of this run no longer exists')]);
  expect(json.next).toEqual([`svc runs resume ${json.run}`, expect.stringContaining(`svc runs delete ${json.run}`)]);
  expect((await world.svc(`runs delete ${json.run}`)).code).toBe(0);
});

test('stops before the first batch when an automation appears (M3)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  const line = ['migrate', list, '--plan', 'paid', '--json'];
  world.emulator.admin.addFault({
    kind: 'slow',
    ms: 90_000,
    when: 'before',
    match: { route: 'POST /v1/suppressions' },
  });
  const withBounce = world.file('mixed.csv', `${people(3)}gone@example.com,Gone,bounced\n`);
  const { code, json } = await world.svc(line.with(1, withBounce), {
    transport: before(
      (request) => request === 'POST /api/v1/suppressions',
      () => {
        world.emulator.admin.createAutomation({ trigger: 'audience_join', status: 'active', name: 'Welcome' });
      },
    ),
  });
  expect([code, json.error.code, json.rows.created]).toEqual([7, 'automations', 0]);
  // The answer that mails no person comes first. The other one is offered only with its condition (C11).
  const hint: readonly string[] = json.error.hint.split('\n');
  expect(hint[0]).toBe('Archive "Welcome" in the app and resume. To pause is not enough.');
  expect(hint[1]).toBe('Only if "Welcome" should mail every person of this list:');
  expect(hint[2]).toMatch(/^svc .*migrate .*mixed\.csv .* --allow-automation aut_\w+$/);
});

test('svc stops at Ctrl-C while it waits for another run (I11, D4)', async () => {
  const world = await createWorld();
  const stopper = new AbortController();
  let second: Promise<{ readonly code: number }> | undefined;
  const first = await world.svc(['migrate', world.file('a.csv', people(3)), ...FLAGS], {
    transport: before(
      (request) => request.startsWith('POST'),
      async () => {
        second = world.svc(['migrate', world.file('b.csv', people(3, 10)), ...FLAGS, '--wait', '1h'], {
          signal: stopper.signal,
        });
        await world.clock.sleep(5_000);
        stopper.abort(createInterruption('SIGINT'));
        expect((await second).code).toBe(130);
      },
    ),
  });
  expect(first.code).toBe(0);
  const there = world.emulator.admin.contacts().map(({ email }) => email);
  expect(there.sort()).toEqual([0, 1, 2].map((index) => `person${index}@example.com`));
});
