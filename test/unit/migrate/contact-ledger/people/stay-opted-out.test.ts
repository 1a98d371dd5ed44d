import { expect, test } from 'vitest';
import { numberedNames, rowsOf, runNight, statusOf } from '../../../../support/nights.ts';
import { type CommandResult, createWorld } from '../../../../support/world.ts';

const PEOPLE = rowsOf(numberedNames(40));
const UNSUBSCRIBE = { flags: '--gone unsubscribe' };

/** The messages about people who stay opted out. */
function messagesOf({ json }: CommandResult): string[] {
  return json.findings.flatMap((one: { check: string; level: string; message: string }) =>
    one.check === 'stay_opted_out' && one.level === 'warn' ? [one.message] : [],
  );
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
