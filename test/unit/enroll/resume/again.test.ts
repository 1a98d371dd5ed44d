import { expect, test } from 'vitest';
import { makeZip } from '../../import/make-zip.ts';
import { addresses, bare, counts, createAutomationWorld } from '../support.ts';

const HOUR = 3_600_000;
const ENROLL = { match: { route: 'POST /v1/automations/*/enroll' } } as const;
const always = { reentry: 'always' } as const;

test('a resume skips a person whom another run enrolled meanwhile (M1)', async () => {
  const world = await createAutomationWorld(addresses(4), always);
  const forbidden = { kind: 'error', status: 403, code: 'forbidden', when: 'before' } as const;
  world.emulator.admin.addFault({ ...forbidden, ...ENROLL, after: 2, times: 1 });
  await world.enroll(bare(addresses(4)), ['--concurrency', '1']);
  await world.svc([
    'automations',
    'enroll',
    world.automation,
    world.file('other.csv', bare(addresses(4))),
    '--json',
    '-q',
  ]);
  world.clock.set(world.clock.now() + 26 * HOUR);

  const { json } = await world.svc('runs resume --json');

  expect(counts(json.rows)).toEqual({ read: 4, enrolled: 2, skipped: 2 });
  expect(world.enrolled().toSorted()).toEqual(addresses(4));
});

test('keeps an enrollment when --reenroll is resolved as not enrolled (M1)', async () => {
  const world = await createAutomationWorld(addresses(1), always);
  await world.enroll(bare(addresses(1)));
  world.clock.set(world.clock.now() + 48 * HOUR);
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', ...ENROLL });
  const { json } = await world.enroll(bare(addresses(1)), ['--reenroll']);
  world.emulator.admin.clearFaults();
  await world.svc(['runs', 'resolve', json.run, '--all', 'not-enrolled']);
  world.clock.set(world.clock.now() + 48 * HOUR);

  const nightly = await world.enroll(bare(addresses(1)));

  expect(counts(nightly.json.rows)).toEqual({ read: 1, skipped: 1 });
  expect(world.enrolled()).toHaveLength(1);
});

test('skips a person when only one of two unknown outcomes is resolved (I3)', async () => {
  const world = await createAutomationWorld(addresses(1), always);
  const enrollUnknown = async (when: 'before' | 'after', words: readonly string[]) => {
    world.emulator.admin.addFault({ kind: 'reset', when, ...ENROLL });
    const { json } = await world.enroll(bare(addresses(1)), words);
    world.emulator.admin.clearFaults();
    world.clock.set(world.clock.now() + 48 * HOUR);
    return json.run;
  };
  const first = await enrollUnknown('before', ['--at-most-once']);
  await enrollUnknown('after', ['--at-most-once', '--reenroll']);
  await world.svc(['runs', 'resolve', first, '--all', 'not-enrolled']);

  const nightly = await world.enroll(`${bare(addresses(1))}\n`);

  expect(counts(nightly.json.rows)).toEqual({ read: 1, skipped: 1 });
  expect(world.enrolled()).toHaveLength(1);
});

test('enrolls all people of an archive and of --email flags', async () => {
  const world = await createAutomationWorld(addresses(5));
  const entries = [
    { name: 'broadcasts/1.csv', content: 'title,views\nHello,3\n' },
    { name: 'people.csv', content: 'email,status\nperson0@example.com,subscribed\nperson1@example.com,subscribed\n' },
  ];
  const typed = addresses(3, 2).flatMap((email) => ['--email', email]);
  const zip = world.file('export.zip', makeZip(entries));

  const { json } = await world.svc(['automations', 'enroll', world.automation, zip, '--json', ...typed]);

  expect(counts(json.rows)).toEqual({ read: 5, enrolled: 5 });
  expect(world.enrolled().sort()).toEqual(addresses(5));
});
