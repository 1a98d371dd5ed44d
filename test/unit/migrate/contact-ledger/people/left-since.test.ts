import { expect, test } from 'vitest';
import { numberedNames, rowsOf, runNight, sentPeople, statusOf } from '../../../../support/nights.ts';
import { stoppedAt } from '../../../../support/stopped-at.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { BATCH, createWorld, type World } from '../../../../support/world.ts';

const PEOPLE = numberedNames(60);
/** The person p50 has a new address. The canary has the first person, whose row has as many cells. */
const WITH_NEW_ADDRESS = rowsOf(PEOPLE, 'Oslo').map((row) => {
  const earlier = row.startsWith('p1@') ? 'old1@example.com' : '';
  return row.startsWith('p50@') ? `n${row},p50@example.com` : `${row},${earlier}`;
});
const MOVED = { rows: WITH_NEW_ADDRESS, header: 'email,first_name,city,old_email', name: 'np50' };

/** How a person leaves, and `name`: the person whom svc must not sign up. */
interface Leaving {
  readonly rows: readonly string[];
  readonly header: string;
  readonly name: string;
  readonly leave: (world: World) => void;
}

const LEAVERS: readonly (readonly [string, Leaving])[] = [
  [
    'a changed person is deleted',
    {
      rows: rowsOf(PEOPLE, 'Oslo'),
      header: 'email,first_name,city',
      name: 'p50',
      leave: ({ emulator }) => void emulator.admin.deleteContact('p50@example.com'),
    },
  ],
  [
    'a moved person opts out',
    { ...MOVED, leave: ({ emulator }) => void emulator.admin.setStatus('p50@example.com', 'unsubscribed') },
  ],
  [
    'a moved person is deleted',
    { ...MOVED, leave: ({ emulator }) => void emulator.admin.deleteContact('p50@example.com') },
  ],
];

const PAUSES: readonly (readonly [string, (world: World) => void])[] = [
  ['a refusal', (world) => world.refuse(BATCH, { status: 403, code: 'forbidden', after: 1, times: 1 })],
  ['a refused canary', (world) => world.refuse(BATCH, { status: 403, code: 'forbidden', times: 1 })],
  ['lost requests', (world) => loseBatches(world)],
];

function loseBatches(world: World): void {
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', after: 1, times: 999, match: { route: BATCH } });
}

const CASES = LEAVERS.flatMap(([who, leaving]) => PAUSES.map(([pause, stop]) => [who, pause, leaving, stop] as const));

test.each(everyNth(CASES, 2))(
  'a resume signs no person up when %s after %s (C1, G1)',
  async (_who, _pause, leaving, stop) => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    stop(world);
    const { rows, name, leave, header } = leaving;
    const stopped = await runNight(world, rows, { header });
    world.emulator.admin.clearFaults();
    leave(world);
    world.requests();
    const { code, json } = await world.svc(`runs resume ${stopped.json.run} --json`);
    expect([stopped.code === 0, code, json.error.code, statusOf(world, name)]).toEqual([
      false,
      7,
      'left_since',
      undefined,
    ]);
    expect([sentPeople(world), json.error.hint]).toEqual([[], expect.stringMatching(/^Run the same command again/)]);
    const again = await runNight(world, rows, { header });
    expect([again.code, statusOf(world, name), statusOf(world, 'p40')]).toEqual([0, undefined, 'subscribed']);
    expect(again.json.run === stopped.json.run).toBe(false);
  },
);

test('a resume signs no canary person up whose batch waits (C1, G1)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  world.requests();
  world.refuse(BATCH, { status: 403, code: 'forbidden', after: 1, times: 1 });
  const stopped = await runNight(world, rowsOf(PEOPLE, 'Oslo'));
  const [person = ''] = sentPeople(world);
  world.emulator.admin.deleteContact(`${person}@example.com`);
  world.requests();
  const { code, json } = await world.svc(`runs resume ${stopped.json.run} --json`);
  expect([stopped.code, code, json.error.code, statusOf(world, person)]).toEqual([4, 7, 'left_since', undefined]);
  expect(sentPeople(world)).toEqual([]);
});

test('a resume continues when a deleted person has no batch left (G4)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(['p1', 'p2', 'p3']));
  let reads = Number.NEGATIVE_INFINITY;
  // The first three reads after the canary are those of its people.
  const isVerification = ({ method }: { readonly method: string }) => {
    reads = method === 'POST' ? 0 : reads + 1;
    return reads > 3;
  };
  const stopped = await runNight(world, rowsOf(['p1', 'p2', 'p3'], 'Oslo'), stoppedAt('never arrives', isVerification));
  world.emulator.admin.deleteContact('p1@example.com');
  world.requests();
  const { json } = await world.svc(`runs resume ${stopped.json.run} --json`);
  expect([stopped.code === 0, json.error?.code, sentPeople(world)]).toEqual([false, undefined, []]);
});

test.each(PAUSES)('a resume sends the rest when no person left after %s (G4)', async (_, stop) => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  stop(world);
  const stopped = await runNight(world, rowsOf(PEOPLE, 'Oslo'));
  world.emulator.admin.clearFaults();
  const { code, json } = await world.svc(`runs resume ${stopped.json.run} --json`);
  expect([code, json.rows.unsent, json.rows.created]).toEqual([0, 0, 0]);
});

test('a resume continues when a person whose batch was sent is deleted (G4)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  world.refuse(BATCH, { status: 403, code: 'forbidden', after: 2, times: 1 });
  const more = Array.from({ length: 1500 }, (_, index) => `new${index}`);
  const rows = [...rowsOf(PEOPLE, 'Oslo'), ...rowsOf(more)];
  const stopped = await runNight(world, rows, { flags: '--concurrency 1' });
  world.emulator.admin.deleteContact('p5@example.com');
  const { json } = await world.svc(`runs resume ${stopped.json.run} --json`);
  expect([stopped.code, json.rows.unsent, json.rows.created, statusOf(world, 'p5')]).toEqual([4, 0, 1500, undefined]);
});

test('sends no person who left while a question waited (C1, G1)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  const night = await runNight(world, rowsOf(PEOPLE, 'Oslo'), {
    answers: ['y'],
    answerAfterMs: 120_000,
    onAsk: () => world.emulator.admin.deleteContact('p50@example.com'),
  });
  expect([night.code, sentPeople(world)]).toEqual([7, []]);
  const again = await runNight(world, rowsOf(PEOPLE, 'Oslo'));
  expect([again.code, again.json.rows.created, statusOf(world, 'p50')]).toEqual([0, 0, undefined]);
});
