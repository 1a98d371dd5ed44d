import { expect, test } from 'vitest';
import { numberedNames, rowsOf, runNight, sentPeople, statusOf } from '../../../support/nights.ts';
import { BATCH, type CommandResult, createWorld, type RunOptions, type World } from '../../../support/world.ts';
import { counts, linesOf } from '../support.ts';

const DAY_MS = 24 * 3_600_000;

/** An audience, an automation for it, and a command that creates contacts and enrolls them. */
async function createFlow() {
  const world = await createWorld();
  const { admin } = world.emulator;
  const automation = admin.createAutomation({ name: 'Welcome', reentry: 'always' });
  const enroll = async (names: readonly string[], flags = '', options?: RunOptions): Promise<CommandResult> => {
    await world.clock.advance(DAY_MS);
    world.file('flow.csv', `email,status\n${names.map((name) => `${name}@example.com,subscribed\n`).join('')}`);
    world.requests();
    return world.svc(`automations enroll Welcome flow.csv --create-contacts --plan paid --json ${flags}`, options);
  };
  const enrolledNames = () => admin.enrollments(automation).map(({ email }) => email.split('@')[0] ?? '');
  return { world, enroll, enrolledNames, remove: (name: string) => admin.deleteContact(`${name}@example.com`) };
}

type Flow = Awaited<ReturnType<typeof createFlow>>;

function findingsOf({ json }: CommandResult): { readonly level: string; readonly message: string }[] {
  return json.findings.filter(({ check }: { check: string }) => check === 'deleted_since');
}

async function unsubscribeMissing({ world }: Flow): Promise<void> {
  await runNight(world, rowsOf(['p1', 'p2', 'p3', 'p4']));
  await runNight(world, rowsOf(['p2', 'p3', 'p4']), { flags: '--gone unsubscribe --max-gone 1' });
  expect(statusOf(world, 'p1')).toBe('unsubscribed');
}

/** How this machine came to know p1, and the flags of the enrollment after that. */
const KNOWN: readonly (readonly [string, string, (flow: Flow) => Promise<unknown>])[] = [
  ['a nightly import sent', '', ({ world }) => runNight(world, rowsOf(['p1', 'p2']))],
  [
    'a nightly import opted out',
    '',
    ({ world }) => runNight(world, ['p1@example.com,unsubscribed'], { header: 'email,status' }),
  ],
  ['a nightly import unsubscribed', '', unsubscribeMissing],
  [
    'another night forgot',
    '',
    async ({ world }) => {
      await runNight(world, rowsOf(['p1', 'p2']));
      world.emulator.admin.addFault({ kind: 'reset', when: 'after', times: 999, match: { route: BATCH } });
      await runNight(world, rowsOf(['p1', 'p2'], 'Oslo'));
      world.emulator.admin.clearFaults();
    },
  ],
  ['an enrollment enrolled', '--reenroll', ({ enroll }) => enroll(['p1', 'p2'])],
];

test.each(KNOWN)('neither creates nor enrolls a deleted person whom %s (C1, G1)', async (_who, flags, come) => {
  const flow = await createFlow();
  const { world, enroll, enrolledNames, remove } = flow;
  await come(flow);
  const before = enrolledNames().length;
  remove('p1');
  const enrollment = await enroll(['p1', 'p2', 'new'], flags);
  const { code, json } = enrollment;
  expect([code, statusOf(world, 'p1'), sentPeople(world), enrolledNames().slice(before).toSorted()]).toEqual([
    0,
    undefined,
    ['new', 'p2'],
    ['new', 'p2'],
  ]);
  expect([json.plan.contacts, json.plan.enrollments, counts(json.rows), json.skipped]).toEqual([
    2,
    2,
    { read: 3, enrolled: 2, skipped: 1 },
    { deleted_since: 1 },
  ]);
  expect(linesOf(json.files.outcomes)).toEqual(['line,email,outcome', '2,p1@example.com,deleted_since']);
  expect(findingsOf(enrollment)).toMatchObject([
    {
      level: 'warn',
      message: expect.stringMatching(/^1 person of earlier lists is not in the audience any more: p1@/),
    },
  ]);
});

test('enrolls a person of an import who is still there or is there again (G1)', async () => {
  const { world, enroll, enrolledNames, remove } = await createFlow();
  await runNight(world, rowsOf(['p1', 'p2']));
  remove('p1');
  const first = await enroll(['p1', 'p2']);
  world.emulator.admin.addContacts([{ email: 'p1@example.com' }]);
  const second = await enroll(['p1', 'p2']);
  expect([first.code, findingsOf(first).length, second.code, findingsOf(second)]).toEqual([0, 1, 0, []]);
  expect(enrolledNames()).toEqual(expect.arrayContaining(['p1', 'p2']));
});

test('a dry run names the deleted people and sends nothing (C1)', async () => {
  const { world, enroll, remove } = await createFlow();
  await runNight(world, rowsOf(['p1', 'p2']));
  remove('p1');
  const planned = await enroll(['p1', 'p2'], '--dry-run');
  expect([planned.code, planned.json.plan.contacts, findingsOf(planned).length]).toEqual([0, 1, 1]);
  expect(sentPeople(world)).toEqual([]);
});

test('creates nothing when the look-up of a known person fails (C1)', async () => {
  const { world, enroll, remove } = await createFlow();
  const names = numberedNames(20);
  await runNight(world, rowsOf(names));
  remove('p15');
  world.refuse('GET *contacts/p15*', { status: 403, code: 'forbidden', times: 99 });
  const { code } = await enroll(names);
  expect([code === 0, sentPeople(world), statusOf(world, 'p15')]).toEqual([false, [], undefined]);
});

test('warns and counts people created again when 401 people are known (C1)', async () => {
  const { world, enroll, remove } = await createFlow();
  const many = numberedNames(401);
  await runNight(world, rowsOf(many));
  ['p1', 'p2'].forEach(remove);
  const enrollment = await enroll([...many, 'new']);
  expect([enrollment.code, findingsOf(enrollment)]).toMatchObject([
    0,
    [
      { level: 'warn', total: 401, message: expect.stringContaining('too many to look them up first') },
      { level: 'warn', total: 2, message: expect.stringMatching(/^at least 2 people of earlier lists were deleted/) },
    ],
  ]);
});

test('creates a person whom only a night with a difference sent (G8)', async () => {
  const { world, enroll, enrolledNames } = await createFlow();
  const names = numberedNames(30);
  await runNight(world, rowsOf(names));
  world.emulator.admin.addFault({ kind: 'drop_rows', rows: 1, after: 1, times: 1, match: { route: BATCH } });
  const night = await runNight(world, rowsOf([...names, 'new1', 'new2', 'new3', 'new4', 'new5', 'new6']));
  const enrollment = await enroll(['new6']);
  expect([night.code, enrollment.code, enrolledNames(), findingsOf(enrollment)]).toMatchObject([
    8,
    0,
    ['new6'],
    [{ level: 'warn', total: 1, message: expect.stringContaining('new in a run that found differences') }],
  ]);
});

const STOPS: readonly (readonly [string, (world: World) => void])[] = [
  ['a refusal', (world) => world.refuse(BATCH, { status: 403, code: 'forbidden', after: 1, times: 1 })],
  ['a refused canary', (world) => world.refuse(BATCH, { status: 403, code: 'forbidden', times: 1 })],
];

test.each(STOPS)('a resume creates no person who was deleted after %s (C1, G4)', async (_, stop) => {
  const { world, enroll, enrolledNames, remove } = await createFlow();
  const names = numberedNames(20);
  await runNight(world, rowsOf(names));
  remove('p2');
  stop(world);
  const stopped = await enroll(names);
  remove('p15');
  world.requests();
  const { code, json } = await world.svc(`runs resume ${stopped.json.run} --json`);
  expect([stopped.code, code, json.error.code, sentPeople(world), enrolledNames()]).toEqual([
    4,
    7,
    'left_since',
    [],
    [],
  ]);
  const again = await enroll(names);
  expect([again.code, again.json.skipped, enrolledNames().length]).toEqual([0, { deleted_since: 2 }, 18]);
  expect([statusOf(world, 'p2'), statusOf(world, 'p15')]).toEqual([undefined, undefined]);
});

test.each(STOPS)('a resume leaves out the same people when one is back after %s (G4)', async (_, stop) => {
  const { world, enroll, enrolledNames, remove } = await createFlow();
  const names = numberedNames(20);
  await runNight(world, rowsOf(names));
  remove('p2');
  stop(world);
  const stopped = await enroll(names);
  world.emulator.admin.addContacts([{ email: 'p2@example.com' }]);
  world.requests();
  const resumed = await world.svc(`runs resume ${stopped.json.run} --json`);
  expect([stopped.code, resumed.code, sentPeople(world).includes('p2')]).toEqual([4, 0, false]);
  expect([resumed.json.skipped, findingsOf(resumed).length, enrolledNames().length]).toEqual([
    { deleted_since: 1 },
    1,
    19,
  ]);
});

test('a resume with --reenroll enrolls the rest after a replayed batch (M5)', async () => {
  const { world, enroll, enrolledNames, remove } = await createFlow();
  const names = numberedNames(20);
  await runNight(world, rowsOf(names));
  await enroll(names);
  const before = enrolledNames().length;
  const { admin } = world.emulator;
  admin.addFault({ kind: 'reset', when: 'after', after: 1, times: 1, match: { route: BATCH } });
  world.refuse('POST /v1/automations/*/enroll', { status: 403, code: 'plan_limit_reached', after: 5, times: 1 });
  const stopped = await enroll(names, '--reenroll --concurrency 1');
  const enrolledFirst = enrolledNames().length - before;
  admin.clearFaults();
  remove('p15');
  const { code, json } = await world.svc(`runs resume ${stopped.json.run} --json`);
  expect([stopped.code, enrolledFirst, json.error?.code, code]).toEqual([7, 5, undefined, 0]);
  expect(enrolledNames().length - before).toBe(19);
});

test('creates no person who was deleted while a question waited (C1)', async () => {
  const { world, enroll, remove } = await createFlow();
  await runNight(world, rowsOf(['p1', 'p2']));
  const { code } = await enroll(['p1', 'p2'], '', {
    answers: ['y'],
    answerAfterMs: 120_000,
    onAsk: () => remove('p2'),
  });
  expect([code, sentPeople(world), statusOf(world, 'p2')]).toEqual([7, [], undefined]);
});
