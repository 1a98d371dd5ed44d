import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { addresses, bare, counts, createAutomationWorld, linesOf } from '../support.ts';

const DAY = 24 * 60 * 60_000;

test('enrolls no person twice when the command runs again days later', async () => {
  const world = await createAutomationWorld(addresses(3), { reentry: 'always' });
  await world.enroll(bare(addresses(3)));
  world.clock.set(world.clock.now() + 3 * DAY);

  const { code, json } = await world.enroll(bare(addresses(5)));

  expect({ code, rows: counts(json.rows), skipped: json.skipped }).toEqual({
    code: 0,
    rows: { read: 5, not_subscribed: 2, skipped: 3 },
    skipped: { enrolled_before: 3 },
  });
  expect(json.plan.enrollments).toBe(2);
  expect(world.enrolled()).toEqual(addresses(3));
  expect(linesOf(json.files.outcomes).filter((line) => line.endsWith('enrolled_before'))).toHaveLength(3);
});

test.each([
  ['a day later', DAY],
  ['at once, under a new idempotency key (I1)', 0],
])('enrolls a person whom an earlier run could not enroll: %s', async (_, later) => {
  const world = await createAutomationWorld([]);
  await world.enroll(bare(addresses(1)));
  world.emulator.admin.addContacts([{ email: 'person0@example.com' }]);
  world.clock.set(world.clock.now() + later);

  expect((await world.enroll(bare(addresses(1)))).json.rows.enrolled).toBe(1);
});

test('enrolls people again with --reenroll, and keeps the ledger', async () => {
  const world = await createAutomationWorld(addresses(2), { reentry: 'finished' });
  await world.enroll(bare(addresses(2)));
  world.emulator.admin.finishEnrollments(world.automation);
  world.emulator.admin.setStatus('person1@example.com', 'unsubscribed');

  const second = await world.enroll(bare(addresses(2)), ['--reenroll']);
  expect(counts(second.json.rows)).toEqual({ read: 2, enrolled: 1, not_subscribed: 1 });
  expect(second.json.requests.replayed).toBe(0);
  const enrolled = [...addresses(2), 'person0@example.com'];
  expect(world.enrolled()).toEqual(enrolled);

  const third = await world.enroll(bare(addresses(2)));
  expect([third.json.skipped, world.enrolled()]).toEqual([{ enrolled_before: 2 }, enrolled]);
});

test('keeps one enrollment ledger for each automation', async () => {
  const world = await createAutomationWorld(addresses(2));
  await world.enroll(bare(addresses(2)));
  const other = world.emulator.admin.createAutomation();
  const list = world.file('list.csv', bare(addresses(2)));

  const { json } = await world.svc(['automations', 'enroll', other, list, '--json']);

  expect(json.rows.enrolled).toBe(2);
});

test.each([
  ['whom the ledger calls enrolled', [], { read: 4, enrolled: 1, skipped: 3 }],
  ['whom the ledger calls unknown', ['--at-most-once'], { read: 4, enrolled: 1, skipped: 3 }],
])('enrolls no person again when a restored journal lacks people %s (M5)', async (_, words, rows) => {
  const world = await createAutomationWorld(addresses(4), { reentry: 'always' });
  await world.enroll(bare(addresses(4)), ['--concurrency', '1', ...words], stoppedAfterPost(1));
  const [runs = ''] = globSync('**/runs', { cwd: world.folder });
  const [place, backup] = [join(world.folder, runs), join(world.folder, 'backup')];
  cpSync(place, backup, { recursive: true });
  const lost = { kind: 'reset', when: 'after', match: { route: 'POST /v1/automations/*/enroll' } } as const;
  world.emulator.admin.addFaults(words.length > 0 ? [lost] : []);
  await world.svc('runs resume');
  world.emulator.admin.clearFaults();
  rmSync(place, { recursive: true });
  cpSync(backup, place, { recursive: true });
  await world.clock.advance(2 * DAY);

  const { code, json } = await world.svc('runs resume --json');

  expect([code, counts(json.rows)]).toEqual([0, rows]);
  expect(world.enrolled()).toEqual(addresses(4));
});

test('enrolls no person again when they were in the automation already (M5)', async () => {
  const world = await createAutomationWorld(addresses(2), { reentry: 'finished' });
  await world.enroll(bare(addresses(1)), ['--state-dir', join(world.folder, 'other-machine')]);
  await world.clock.advance(2 * DAY);
  const first = await world.enroll(bare(addresses(2)));
  world.emulator.admin.finishEnrollments(world.automation);
  await world.clock.advance(2 * DAY);

  const { code, json } = await world.enroll(bare(addresses(2)));

  expect(counts(first.json.rows)).toEqual({ read: 2, enrolled: 1, already_enrolled: 1 });
  expect([code, counts(json.rows)]).toEqual([0, { read: 2, skipped: 2 }]);
  expect(world.enrolled()).toEqual(addresses(2));
  await world.enroll(bare(addresses(2)), ['--reenroll']);
  expect(world.enrolled()).toHaveLength(4);
});

test('skips an already_enrolled person when --reenroll had no effect (M5)', async () => {
  const world = await createAutomationWorld(addresses(1), { reentry: 'finished' });
  await world.enroll(bare(addresses(1)), ['--state-dir', join(world.folder, 'other-machine')]);
  await world.clock.advance(2 * DAY);
  await world.enroll(bare(addresses(1)));
  world.emulator.admin.finishEnrollments(world.automation);
  const lost = { kind: 'reset', when: 'before', match: { route: 'POST /v1/automations/*/enroll' } } as const;
  world.emulator.admin.addFault(lost);
  const { json } = await world.enroll(bare(addresses(1)), ['--reenroll']);
  world.emulator.admin.clearFaults();
  await world.svc(['runs', 'resolve', String(json.run), '--not-enrolled', ...addresses(1)]);

  const again = await world.enroll(bare(addresses(1)));

  expect(counts(again.json.rows)).toEqual({ read: 1, skipped: 1 });
  expect(world.enrolled()).toEqual(addresses(1));
});
