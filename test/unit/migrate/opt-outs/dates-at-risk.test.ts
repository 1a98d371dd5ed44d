import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { showsOptOut } from '../../../../src/migrate/compare/lost-dates.ts';
import type { Contact } from '../../../../src/wire/shapes.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { csv } from '../../../support/lists.ts';
import { BATCH, createWorld, type RunOptions, type World } from '../../../support/world.ts';

// The service may ignore the opt-out date of a person who is in the audience already, and it keeps none of a suppressed
// person (C2). The sample of the verification is too small to find a few such people, so svc must not depend on it.

const LEFT = '2021-03-04T05:06:07.000Z';
const COUNT = 1_500;
const LIST = csv('email,status,unsubscribed_at', COUNT, (index) => `left${index}@example.com,unsubscribed,${LEFT}`);
// The first people are all in the first batch, so the second batch has opt-outs of new people only.
const MIXED = csv('email,status,unsubscribed_at', COUNT, (index) =>
  index < 1_000 ? `person${index}@example.com,subscribed,` : `left${index}@example.com,unsubscribed,${LEFT}`,
);
const SOME = [11, 12, 13, 702, 1_103].map((index) => `left${index}@example.com`);
const ELSEWHERE = 'known@example.com';

const addContacts = (world: World) => world.emulator.admin.addContacts(SOME.map((email) => ({ email })));
const suppress = (world: World) => world.emulator.admin.suppress(SOME);
const importOnce = async (world: World) => void (await run(world, LIST));

async function run(world: World, list: string, flags: readonly string[] = [], options: RunOptions = {}) {
  const line = ['contacts', 'import', world.file('list.csv', list), '--plan', 'paid', '--json', ...flags];
  const { code, json } = await world.svc(line, options);
  return { code, json };
}

// biome-ignore lint/suspicious/noExplicitAny: a report of any shape
function saidOf(json: any) {
  const isMeant = ({ check }: { readonly check: string }) => check === 'opt_out_dates';
  return {
    file: json.files.consent === undefined ? 0 : readFileSync(json.files.consent, 'utf8').split('\n').length - 2,
    checks: json.verification.checks.filter(isMeant).length,
    findings: json.findings.filter(isMeant).length,
  };
}

const IN_CHECK = { file: COUNT, checks: 1, findings: 0 };
const IN_FINDING = { file: COUNT, checks: 0, findings: 1 };

test.each<[string, (world: World) => unknown, readonly string[], object]>([
  ['people were in the audience', addContacts, [], IN_CHECK],
  ['people were in the audience, without a sample', addContacts, ['--verify-sample', '0'], IN_CHECK],
  ['people were in the audience, without verification', addContacts, ['--no-verify'], IN_FINDING],
  ['people are suppressed', suppress, [], IN_CHECK],
  ['people are suppressed, without verification', suppress, ['--no-verify'], IN_FINDING],
  ['each response is a replay', importOnce, [], IN_CHECK],
])('writes the opt-out dates of the list to a file when %s (C2)', async (_, prepare, flags, expected) => {
  const world = await createWorld();
  await prepare(world);
  const { code, json } = await run(world, LIST, flags);
  expect([code, saidOf(json)]).toEqual([0, expected]);
});

test('writes the opt-out dates to a file when a resume ends the run (C2, D1)', async () => {
  const world = await createWorld();
  addContacts(world);
  // The canary and the first batch have a response then.
  await run(world, LIST, [], stoppedAfterPost(2));
  const { code, json } = await world.svc('runs resume --json');
  expect([code, saidOf(json)]).toEqual([0, IN_CHECK]);
});

test('says in the report of a stopped run that dates may be lost (C2)', async () => {
  const world = await createWorld();
  addContacts(world);
  world.refuse(BATCH, { status: 403, code: 'plan_limit_reached', after: 2, times: 9 });
  const { code, json } = await run(world, LIST, ['--concurrency', '1']);
  expect([code, saidOf(json)]).toEqual([7, IN_FINDING]);
});

test.each<[string, string, (world: World) => unknown]>([
  ['is new', LIST, () => undefined],
  ['is new, and others were there', MIXED, (world) => world.emulator.admin.addContacts([{ email: ELSEWHERE }])],
  [
    'is new, and a batch of others is updated',
    MIXED,
    (world) => world.emulator.admin.addContacts([{ email: 'person7@example.com' }]),
  ],
  [
    'is new, and a response is lost',
    LIST,
    (world) => world.emulator.admin.addFault({ kind: 'reset', when: 'after', times: 1, match: { route: BATCH } }),
  ],
])('writes no file of dates when each person who left %s (C2)', async (_, list, prepare) => {
  const world = await createWorld();
  prepare(world);
  const { code, json } = await run(world, list);
  expect([code, saidOf(json)]).toEqual([0, { file: 0, checks: 0, findings: 0 }]);
});

test.each([
  ['shows the date', 'unsubscribed', LEFT, true],
  ['shows another date', 'unsubscribed', '2026-01-01T00:00:00.000Z', false],
  ['shows no date', 'unsubscribed', undefined, false],
  ['shows a null', 'unsubscribed', null, false],
  ['shows a subscribed person', 'subscribed', LEFT, false],
])('decides whether a date was kept when the service %s (C2)', (_, status, date, isKept) => {
  const sent = { email: ELSEWHERE, status: 'unsubscribed', unsubscribed_at: LEFT } as const;
  const got = { id: 'con_1', email: ELSEWHERE, status, ...(date !== undefined && { unsubscribed_at: date }) };
  expect(showsOptOut(sent, got as Contact)).toBe(isKept);
});
