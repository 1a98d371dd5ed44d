import { expect, test } from 'vitest';
import { cityOf, numberedNames, rowsOf, runNight, sentPeople, statusOf } from '../../../../support/nights.ts';
import { BATCH, type CommandResult, createWorld, type World } from '../../../../support/world.ts';

const PEOPLE = rowsOf(numberedNames(40));
const UNSUBSCRIBE = { flags: '--gone unsubscribe' };

/** The messages about people who stay opted out, or of another check. */
function messagesOf({ json }: CommandResult, check = 'stay_opted_out'): string[] {
  return json.findings.flatMap((one: { check: string; level: string; message: string }) =>
    one.check === check && one.level === 'warn' ? [one.message] : [],
  );
}

/** An audience whose person p40 svc unsubscribed, because the second list lacked the person. */
async function createWithoutLast(): Promise<World> {
  const world = await createWorld();
  await runNight(world, PEOPLE);
  await runNight(world, PEOPLE.slice(0, 39), UNSUBSCRIBE);
  return world;
}

test('names a person who is back and stays opted out, once (G6, C1)', async () => {
  const world = await createWorld();
  await runNight(world, PEOPLE);
  const gone = await runNight(world, PEOPLE.slice(0, 39), UNSUBSCRIBE);
  const back = await runNight(world, PEOPLE, UNSUBSCRIBE);
  expect([messagesOf(gone), back.code, statusOf(world, 'p40')]).toEqual([[], 0, 'unsubscribed']);
  expect(messagesOf(back)).toEqual([
    '1 person of this list was unsubscribed by svc in an earlier run, because the list lacked this person then: p40@example.com. They stay opted out, because svc never signs people up again',
  ]);
  expect(messagesOf(await runNight(world, PEOPLE, UNSUBSCRIBE))).toEqual([]);
});

test('counts many people who stay opted out, and names the first five (G6)', async () => {
  const world = await createWorld();
  await runNight(world, PEOPLE);
  await runNight(world, PEOPLE.slice(0, 32), { flags: '--gone unsubscribe --max-gone 50%' });
  const [message] = messagesOf(await runNight(world, PEOPLE));
  expect(message).toMatch(/^8 people of this list were unsubscribed .*: p33@.*, p37@example\.com and 3 more\. They/);
});

test.each(['', '-q'])('shows who stays opted out with the flags %j (G6)', async (quiet) => {
  const world = await createWorld();
  await runNight(world, PEOPLE);
  await runNight(world, PEOPLE.slice(0, 39), UNSUBSCRIBE);
  world.file('users.csv', `email,first_name,city\n${PEOPLE.join('\n')}\n`);
  const line = `contacts import users.csv --default-status subscribed --plan paid --only-changed ${quiet}`;
  const { code, err } = await world.svc(line);
  expect([code, err]).toEqual([0, expect.stringContaining('lacked this person then: p40@example.com')]);
});

test('does not name people who unsubscribed or whom the list opts out (G6)', async () => {
  const world = await createWorld();
  await runNight(world, PEOPLE);
  world.emulator.admin.setStatus('p39@example.com', 'unsubscribed');
  await runNight(world, PEOPLE.slice(0, 38), { flags: '--gone unsubscribe --max-gone 50%' });
  const rows = [...PEOPLE.slice(0, 39).map((row) => `${row},subscribed`), 'p40@example.com,p40,Lisbon,unsubscribed'];
  expect(messagesOf(await runNight(world, rows, { header: 'email,first_name,city,status' }))).toEqual([]);
});

const BACK = [...PEOPLE.slice(0, 39), ...rowsOf(['p40'], 'Porto')];
const remove = ({ emulator }: World) => void emulator.admin.deleteContact('p40@example.com');

test.each(['', '--gone report', '--gone unsubscribe'])(
  'signs up no person who was deleted after an opt-out, flags %j (C1, G6)',
  async (flags) => {
    const world = await createWithoutLast();
    remove(world);
    for (const _ of [1, 2]) {
      const { code, json, ...rest } = await runNight(world, BACK, { flags });
      expect([code, json.rows.created, sentPeople(world), statusOf(world, 'p40')]).toEqual([0, 0, [], undefined]);
      expect([messagesOf({ json, code, ...rest }), messagesOf({ json, code, ...rest }, 'deleted_since')]).toEqual([
        [],
        [expect.stringMatching(/^1 person whom an earlier list lacked is not in the audience .*: p40@example\.com\./)],
      ]);
      expect(json.findings.find(({ check }: { check: string }) => check === 'only_changed').message).toBe(
        '0 of 40 people are new or changed; 39 people are unchanged and not sent',
      );
    }
  },
);

test('says that svc looks up no person when --full is given (G6, G1)', async () => {
  const world = await createWithoutLast();
  remove(world);
  const full = await runNight(world, BACK, { flags: '--full' });
  expect(messagesOf(full)).toEqual([
    expect.stringMatching(/: p40@example\.com\. With --full svc looks up no person: /),
  ]);
  expect([full.code, statusOf(world, 'p40'), messagesOf(await runNight(world, BACK))]).toEqual([0, 'subscribed', []]);
});

test('gives no warning about a person who is back and subscribed (G6)', async () => {
  const world = await createWithoutLast();
  world.emulator.admin.setStatus('p40@example.com', 'subscribed');
  const back = await runNight(world, BACK, UNSUBSCRIBE);
  expect([back.code, messagesOf(back), messagesOf(back, 'deleted_since')]).toEqual([0, [], []]);
  expect([statusOf(world, 'p40'), cityOf(world, 'p40')]).toEqual(['subscribed', 'Porto']);
});

test.each([500, 403])('sends nothing when the look-up of a person fails: %i (C1)', async (status) => {
  const world = await createWithoutLast();
  remove(world);
  world.refuse('GET *contacts/p40*', { status, code: status === 500 ? 'internal_error' : 'forbidden', times: 99 });
  const back = await runNight(world, BACK);
  expect([back.code === 0, sentPeople(world), statusOf(world, 'p40')]).toEqual([false, [], undefined]);
});

test('a resume signs up no person who was deleted in the pause (C1, G4)', async () => {
  const world = await createWithoutLast();
  world.refuse(BATCH, { status: 403, code: 'forbidden', times: 1 });
  const stopped = await runNight(world, BACK);
  world.emulator.admin.clearFaults();
  remove(world);
  const { code, json } = await world.svc(`runs resume ${stopped.json.run} --json`);
  expect([stopped.code === 0, code, json.error.code, statusOf(world, 'p40')]).toEqual([
    false,
    7,
    'left_since',
    undefined,
  ]);
});

const HOUR_MS = 3_600_000;

test.each<[string, (world: World) => void, number]>([
  ['who unsubscribed', ({ emulator }) => void emulator.admin.setStatus('p40@example.com', 'unsubscribed'), 1],
  ['whose mail bounced', ({ emulator }) => void emulator.admin.setStatus('p40@example.com', 'bounced'), 1],
  ['who was deleted', remove, 2],
])('signs up no person %s before a list lacked them (C1, G6)', async (_, leave, nights) => {
  const world = await createWorld();
  await runNight(world, PEOPLE);
  leave(world);
  for (let night = 0; night < nights; night += 1) {
    await world.clock.advance(2 * HOUR_MS);
    await runNight(world, PEOPLE.slice(0, 39), UNSUBSCRIBE);
  }
  if (nights === 1) {
    remove(world);
  }
  for (const _night of [1, 2]) {
    const back = await runNight(world, BACK);
    expect([back.code, back.json.rows.created, statusOf(world, 'p40')]).toEqual([0, 0, undefined]);
    expect([messagesOf(back), messagesOf(back, 'deleted_since')]).toEqual([
      [],
      [expect.stringContaining('whom an earlier list lacked')],
    ]);
  }
});

test('forgets that a person had left when a list sends them (G6)', async () => {
  const world = await createWorld();
  await runNight(world, PEOPLE);
  world.emulator.admin.setStatus('p40@example.com', 'unsubscribed');
  await runNight(world, PEOPLE.slice(0, 39), UNSUBSCRIBE);
  const back = await runNight(world, BACK);
  expect([back.code, messagesOf(back), statusOf(world, 'p40')]).toEqual([0, [], 'unsubscribed']);
  world.requests();
  await runNight(world, BACK);
  expect(world.requests().filter(({ path }) => path.includes('p40'))).toEqual([]);
});

test('of 441 people, sends only those whom svc has looked up (C1, G6)', async () => {
  const world = await createWorld();
  const many = rowsOf(numberedNames(441));
  await runNight(world, many);
  await runNight(world, many.slice(0, 40), { flags: '--gone unsubscribe --max-gone 100%' });
  many.slice(40, 440).forEach((row) => void world.emulator.admin.deleteContact(row.split(',')[0] as string));
  const messages: string[] = [];
  for (let night = 0; night < 2; night += 1) {
    messages.push(...messagesOf(await runNight(world, many)));
  }
  // Deleted people are looked up in each run. In the order of the list p441 would have no turn.
  expect(messages).toContainEqual(expect.stringMatching(/unsubscribed by svc .*: p441@example\.com\./));
  expect(messages).toContainEqual(
    expect.stringMatching(/^An earlier list lacked 1 further person .* svc sends nothing about this one$/),
  );
  expect(world.emulator.admin.contacts().filter(({ status }) => status === 'subscribed').length).toBe(40);
});
