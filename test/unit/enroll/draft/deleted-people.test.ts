import { expect, test } from 'vitest';
import { sentPeople, statusOf } from '../../../support/nights.ts';
import { BATCH, type CommandResult, createWorld, type World } from '../../../support/world.ts';
import { counts, linesOf } from '../support.ts';

const DAY_MS = 24 * 3_600_000;

/** An audience, an automation for it, and a command that creates contacts and enrolls them. */
async function createFlow() {
  const world = await createWorld();
  const { admin } = world.emulator;
  const automation = admin.createAutomation({ name: 'Welcome', reentry: 'always' });
  const enroll = async (names: readonly string[], flags = ''): Promise<CommandResult> => {
    await world.clock.advance(DAY_MS);
    world.file('flow.csv', `email,status\n${names.map((name) => `${name}@example.com,subscribed\n`).join('')}`);
    world.requests();
    return world.svc(`automations enroll Welcome flow.csv --create-contacts --plan paid --json ${flags}`);
  };
  const enrolledNames = () => admin.enrollments(automation).map(({ email }) => email.split('@')[0] ?? '');
  return { world, enroll, enrolledNames, remove: (name: string) => admin.deleteContact(`${name}@example.com`) };
}

test('creates no deleted person again whom svc enrolled before (C1, M5)', async () => {
  const { world, enroll, enrolledNames, remove } = await createFlow();
  await enroll(['p1', 'p2']);
  remove('p1');
  const { code, json } = await enroll(['p1', 'p2', 'new'], '--email p1@example.com --email typed@example.com');
  expect([code, statusOf(world, 'p1'), sentPeople(world), enrolledNames()]).toEqual([
    0,
    undefined,
    ['new', 'typed'],
    ['p1', 'p2', 'new', 'typed'],
  ]);
  expect(json.plan).toMatchObject({ contacts: 2, batches: 1, enrollments: 2 });
  expect([counts(json.rows), json.contacts, json.skipped]).toEqual([
    { read: 5, enrolled: 2, merged: 1, skipped: 2 },
    { created: 2, updated: 0, unknown: 0 },
    { enrolled_before: 2 },
  ]);
  expect(json.preview.map(({ email }: { email: string }) => email)).toEqual(['new@example.com', 'typed@example.com']);
  expect(linesOf(json.files.outcomes).slice(1)).toEqual([
    '2,p1@example.com,enrolled_before,flow.csv',
    '3,p2@example.com,enrolled_before,flow.csv',
  ]);
});

test('writes no contact when all people were enrolled before (C1, M5)', async () => {
  const { world, enroll, remove } = await createFlow();
  const again = () => enroll(['p1'], '--email typed@example.com');
  await again();
  ['p1', 'typed'].forEach(remove);
  const { code, json } = await again();
  expect([code, sentPeople(world), world.emulator.admin.contacts()]).toEqual([0, [], []]);
  expect(json.plan).toMatchObject({ contacts: 0, batches: 0, enrollments: 0 });
});

/** Idempotency key and body of each batch since the last call. The requests of the canary come first. */
function batchesOf(world: World): string[] {
  const batches = world.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/batch'));
  return batches.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`);
}

test('a resume sends the same batch when a person was enrolled since (G4)', async () => {
  const { world, enroll, enrolledNames } = await createFlow();
  await enroll(['p1', 'p2']);
  const names = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8'];
  world.emulator.admin.addFault({ kind: 'reset', when: 'after', after: 1, times: 999, match: { route: BATCH } });
  const stopped = await enroll(names);
  const sent = new Set(batchesOf(world));
  world.emulator.admin.clearFaults();
  const between = await world.svc('automations enroll Welcome --email p8@example.com --yes --json');
  const { code, json } = await world.svc(`runs resume ${stopped.json.run} --json`);
  const resent = batchesOf(world);
  expect([stopped.code, between.json.rows.enrolled, code, sent.size, resent.length > 0]).toEqual([1, 1, 0, 2, true]);
  expect(resent.filter((batch) => !sent.has(batch))).toEqual([]);
  expect([counts(json.rows), enrolledNames().toSorted()]).toEqual([{ read: 8, enrolled: 5, skipped: 3 }, names]);
});
