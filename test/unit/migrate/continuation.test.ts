import { describe, expect, test } from 'vitest';
import { people } from '../../support/lists.ts';
import { BATCH, createWorld, type World } from '../../support/world.ts';

test('keeps the copy of standard input when a check stops the resume (D1)', async () => {
  const world = await createWorld();
  const { admin } = world.emulator;
  world.refuse(BATCH, { status: 503, code: 'internal_error', after: 1 });
  await world.svc(['contacts', 'import', '-', '--json', '--plan', 'paid'], { stdin: people(2_500) });
  admin.clearFaults();
  const automation = admin.createAutomation({ trigger: 'audience_join', status: 'active', name: 'Welcome' });
  const stopped = await world.svc('runs resume --json');
  admin.setAutomationStatus(automation, 'archived');

  const { code, json } = await world.svc('runs resume --json');

  expect([stopped.code, stopped.json.status, stopped.json.next]).toEqual([
    7,
    'stopped',
    [`svc runs resume ${json.run}`],
  ]);
  expect([code, json.rows.created]).toEqual([0, 2_500]);
});

test('after a bug of svc, the offered resume sends the rest (D1)', async () => {
  const world = await createWorld();
  const line = ['contacts', 'import', world.file('list.csv', people(2_500)), '--json', '--plan', 'paid'];
  const fail = ({ type }: { readonly type: string }) => {
    if (type === 'request' && world.emulator.admin.contacts().length > 0) {
      throw new TypeError('no function');
    }
  };
  const failed = await world.svc(line, { onEvent: fail });
  expect([failed.code, failed.json.next]).toEqual([70, [`svc runs resume ${failed.json.run}`]]);
  const { code, json } = await world.svc('runs resume --json');
  expect([code, json.rows.read, json.rows.unsent, json.rows.unknown]).toEqual([0, 2_500, 0, 0]);
});

test('imports a list when the run that blocked it was deleted (D1, C1, G10)', async () => {
  const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
  const { admin, audienceId } = world.emulator;
  const limit = { kind: 'error', status: 403, code: 'plan_limit_reached', when: 'before' } as const;
  admin.addFault({ ...limit, match: { route: BATCH }, after: 1, times: 1 });
  const line = (list: string) => ['contacts', 'import', list, '--json', '--plan', 'paid', '--audience', audienceId];
  const first = await world.svc([...line(world.file('a.csv', people(2_500))), '--concurrency', '1']);
  admin.clearFaults();
  admin.addContacts([{ email: 'gone5@example.com', status: 'unsubscribed' }], audienceId);
  const second = await world.svc(line(world.file('b.csv', people(20).replaceAll('person', 'gone'))));
  const kept = await world.svc(line('a.csv'));
  await world.svc(['runs', 'delete', second.json.run]);

  const { code, json } = await world.svc(line('a.csv'));

  expect([first.code, second.code, kept.code, code, json.rows.updated, json.rows.created]).toEqual([
    7, 8, 8, 0, 4, 2_496,
  ]);
});

test('offers --again when people of a replayed batch were deleted (I7)', async () => {
  const world = await createWorld();
  const line = ['contacts', 'import', world.file('list.csv', people(5)), '--json', '--plan', 'paid'];
  await world.svc(line);
  world.emulator.admin.deleteContact('person0@example.com');
  const stopped = await world.svc(line);
  const [, again = ''] = /^svc (.* --again)$/m.exec(JSON.parse(stopped.err).error.hint) ?? [];

  const { code, json } = await world.svc(again);

  expect([stopped.code, code, json.rows.created, json.rows.updated]).toEqual([8, 0, 1, 4]);
});

/** A continuation reads less often before its first write. */
const MAX_READS = 20;

describe('a run whose continuation fails before its first write', () => {
  /** Stops a run in its second batch, and continues it with a wrong key from its request `nth` on. */
  async function failAt(nth: number, isResume: boolean) {
    const world = await createWorld();
    world.refuse(BATCH, { status: 403, code: 'plan_limit_reached', after: 1 });
    const line = ['contacts', 'import', world.file('list.csv', people(1_100)), '--plan', 'paid', '--json'];
    await world.svc(line);
    world.emulator.admin.clearFaults();
    const before = await endsOf(world);
    await world.clock.advance(60_000);
    world.requests();
    world.refuse('*', { status: 401, code: 'unauthorized', after: nth - 1 });
    const { code } = await world.svc(isResume ? 'runs resume --json' : line);
    const hasWritten = world.requests().some(({ method }) => method !== 'GET');
    return { code, hasWritten, before, after: await endsOf(world) };
  }

  test.each([
    ['svc runs resume', true],
    ['the same command', false],
  ])('keeps the recorded end of a run when %s fails at any read (D1)', async (_, isResume) => {
    for (let nth = 1; nth <= MAX_READS; nth += 1) {
      const { code, hasWritten, before, after } = await failAt(nth, isResume);
      if (hasWritten) {
        expect(nth).toBeGreaterThan(3);
        return;
      }
      expect([nth, code, after]).toEqual([nth, 4, before]);
    }
    expect.unreachable('the continuation wrote nothing');
  });
});

/** The ends of all runs. */
async function endsOf(world: World) {
  const { json } = await world.svc('runs ls --json');
  const fields = ['run', 'status', 'exit_code', 'ended_at', 'finished'];
  return json.map((run: Record<string, unknown>) => fields.map((field) => run[field]));
}
