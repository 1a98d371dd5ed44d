import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { stoppedAfterPost } from '../../support/after-post.ts';
import { bare, counts, createAutomationWorld, linesOf } from './support.ts';

const MERGES_LOOK_ALIKES = { variants: { address_case: 'folded' } } as const;
const MEMBER = 'anni@example.com';

/** A service that takes look-alikes for one person and lets people enter again. The person is in the audience. */
function createMergingWorld() {
  return createAutomationWorld([MEMBER], { reentry: 'always' }, MERGES_LOOK_ALIKES);
}

test.each([
  ['a capital I with a dot', [MEMBER, 'ANN\u0130@EXAMPLE.COM']],
  ['a capital I with a dot, in the first row', ['ANN\u0130@EXAMPLE.COM', MEMBER]],
  ['a control character at the end', [MEMBER, `${MEMBER}\u0085`]],
  ['full-width letters', [MEMBER, 'ann\uff49@example.com']],
])('enrolls a person once when two rows have look-alikes: %s (F8, M5)', async (_, emails) => {
  const world = await createMergingWorld();
  const list = `email\n${emails.join('\n')}\n`;

  const { json } = await world.enroll(list);
  await world.clock.advance(25 * 3_600_000);
  const again = await world.enroll(list);

  expect(counts(json.rows)).toEqual({ read: 2, enrolled: 1, already_enrolled: 1 });
  expect(counts(again.json.rows)).toEqual({ read: 2, skipped: 2 });
  expect(world.enrolled()).toEqual([MEMBER]);
});

test.each([
  ['an earlier row', ['unsubscribed', 'subscribed']],
  ['a later row', ['subscribed', 'unsubscribed']],
])('enrolls no person when a look-alike in %s opted out (F8, M1)', async (_, [first, second]) => {
  const world = await createMergingWorld();

  const { code, json } = await world.enroll(`email,status\nann\u0130@example.com,${first}\n${MEMBER},${second}\n`);

  expect([code, counts(json.rows)]).toEqual([0, { read: 2, not_subscribed: 1, skipped: 1 }]);
  expect(world.enrolled()).toEqual([]);
});

test.each([
  ['alone', []],
  ['beside others', ['other@example.com']],
])('creates no contact when a look-alike in the list opted out: %s (F8, C1)', async (_, others) => {
  const world = await createAutomationWorld([], { reentry: 'always' }, MERGES_LOOK_ALIKES);
  const rows = [...others, 'ann\u0130@example.com'].map((email) => `${email},subscribed\n`);

  const { code, json } = await world.enroll(`email,status\n${rows.join('')}${MEMBER},unsubscribed\n`, [
    '--create-contacts',
  ]);

  const enrolled = others.length;
  expect([code, json.rows]).toMatchObject([0, { read: enrolled + 2, enrolled, not_subscribed: 1, skipped: 1 }]);
  expect(world.emulator.admin.contacts().map(({ email }) => email)).toEqual(others);
  expect(world.enrolled()).toEqual(others);
});

test.each([
  ['as a person', 'POST /v1/automations/*/enroll', [MEMBER], []],
  ['as a contact', 'POST /v1/audiences/*/contacts/batch', [], ['--create-contacts', '--default-status', 'subscribed']],
])('enrolls a person when the service refuses a look-alike %s (F8)', async (_, route, members, words) => {
  const world = await createAutomationWorld(members, { reentry: 'always' }, MERGES_LOOK_ALIKES);
  world.refuse(route, { status: 400, code: 'invalid_email', times: 1 });
  const { json } = await world.enroll(bare(['ann\u0130@example.com', MEMBER]), words);
  expect(counts(json.rows)).toEqual({ read: 2, failed: 1, enrolled: 1 });
  expect(world.enrolled()).toEqual([MEMBER]);
});

test.each([
  ['the second row', 'anni%40*', { not_subscribed: 1 }],
  ['the first row', 'anni%CC%87*', { already_enrolled: 1 }],
  ['both rows', '*', { not_subscribed: 1 }],
])('enrolls one of two look-alikes when svc finds no contact of %s (F8, M5)', async (_, address, rows) => {
  const world = await createMergingWorld();
  world.refuse(`GET /v1/audiences/*/contacts/${address}`, { status: 404, code: 'not_found' });
  const { json } = await world.enroll(bare(['ann\u0130@example.com', MEMBER]));
  expect(counts(json.rows)).toEqual({ read: 2, enrolled: 1, ...rows });
  expect(world.enrolled()).toEqual([MEMBER]);
});

test('counts both look-alikes as not_subscribed when their contact left (F8)', async () => {
  const world = await createAutomationWorld([MEMBER, 'bo@example.com'], {}, MERGES_LOOK_ALIKES);
  world.emulator.admin.setStatus(MEMBER, 'unsubscribed');
  const route = 'POST /v1/automations/*/enroll';
  world.emulator.admin.addFault({ kind: 'slow', ms: 3000, when: 'before', match: { route } });
  const { json } = await world.enroll(bare(['bo@example.com', 'ann\u0130@example.com', MEMBER]));
  expect(counts(json.rows)).toEqual({ read: 3, enrolled: 1, not_subscribed: 2 });
});

test('resumes when the contact and the row have look-alike addresses (F8, D1)', async () => {
  const people = ['inci@xn--bcher-kva.example', MEMBER];
  const world = await createAutomationWorld(people, {}, MERGES_LOOK_ALIKES);
  const list = bare(['\u0130nci@b\u00fccher.example', MEMBER]);
  const { json } = await world.enroll(list, ['--concurrency', '1'], stoppedAfterPost(1));
  const { code } = await world.svc(['runs', 'resume', String(json.run)]);
  expect([code, world.enrolled()]).toEqual([0, people]);
});

test('enrolls a person once when --email names a look-alike of a row (F8, M5)', async () => {
  const world = await createMergingWorld();
  await world.enroll(`email\n${MEMBER}\n`, ['--email', 'ann\u0130@example.com']);
  expect(world.enrolled()).toEqual([MEMBER]);
});

describe('a person whom another run enrolled under a look-alike', () => {
  const DOTTED = 'ann\u0130@example.com';
  const FULL_WIDTH = 'ann\uff49@example.com';

  test.each([
    ['the address of the contact', [DOTTED], [MEMBER]],
    ['another form', [MEMBER], [DOTTED]],
    ['a third form', [DOTTED], [FULL_WIDTH]],
    ['both forms, the new one first', [DOTTED], [MEMBER, DOTTED]],
  ])('enrolls no look-alike again when the next list holds %s (F8, M5)', async (_, first, second) => {
    const world = await createMergingWorld();
    await world.enroll(bare(first));
    await world.clock.advance(25 * 3_600_000);

    const { code, json } = await world.enroll(bare(second));

    expect([code, counts(json.rows)]).toEqual([0, { read: second.length, skipped: second.length }]);
    expect(json.skipped).toEqual({ enrolled_before: second.length });
    expect(world.enrolled()).toEqual([MEMBER]);
  });

  test('enrolls no look-alike again when an older svc wrote the ledger (F8, M5)', async () => {
    const world = await createMergingWorld();
    await world.enroll(bare([DOTTED]));
    const [ledger = ''] = globSync('**/ledgers/*.db', { cwd: world.folder });
    const db = new DatabaseSync(join(world.folder, ledger));
    db.exec('DROP TABLE look_alikes');
    db.close();

    const same = await world.enroll(bare([MEMBER, DOTTED]));
    const other = await world.enroll(bare([MEMBER]));

    expect(counts(same.json.rows)).toEqual({ read: 2, already_enrolled: 1, skipped: 1 });
    expect(counts(other.json.rows)).toEqual({ read: 1, skipped: 1 });
    expect(world.enrolled()).toEqual([MEMBER]);
  });

  test('enrolls a look-alike again, once, with --reenroll (F8, M5)', async () => {
    const world = await createMergingWorld();
    await world.enroll(bare([DOTTED]));
    await world.clock.advance(25 * 3_600_000);
    await world.enroll(bare([MEMBER, DOTTED]), ['--reenroll']);
    expect(world.enrolled()).toEqual([MEMBER, MEMBER]);
  });

  test('enrolls a look-alike of a person resolved as not enrolled (F8, M5)', async () => {
    const world = await createMergingWorld();
    const lost = { kind: 'reset', when: 'before', match: { route: 'POST /v1/automations/*/enroll' } } as const;
    world.emulator.admin.addFault({ ...lost, times: 6 });
    const { json } = await world.enroll(bare([DOTTED]));
    const before = await world.enroll(bare([MEMBER]));
    await world.svc(['runs', 'resolve', String(json.run), '--not-enrolled', DOTTED.toLowerCase()]);
    await world.enroll(bare([MEMBER]));
    expect(counts(before.json.rows)).toEqual({ read: 1, skipped: 1 });
    expect(world.enrolled()).toEqual([MEMBER]);
  });
});

test('enrolls one of two look-alikes when an outcome was not stored (F8, D1)', async () => {
  const world = await createMergingWorld();
  const forbidden = { kind: 'error', status: 403, code: 'forbidden', when: 'before', times: 1 } as const;
  world.emulator.admin.addFault({ ...forbidden, match: { route: 'POST /v1/automations/*/enroll' } });
  const { json } = await world.enroll(`email\n${MEMBER}\nann\u0130@example.com\n`);
  const resume = ['runs', 'resume', String(json.run), '--json'];
  const change = (sql: string) => {
    const db = new DatabaseSync(join(json.files.report, '..', 'run.db'));
    db.exec(sql);
    db.close();
  };
  const condition = "NEW.answer LIKE '%already_enrolled%'";
  change(`CREATE TRIGGER full BEFORE UPDATE ON units WHEN ${condition} BEGIN SELECT RAISE(ABORT, 'full'); END`);

  const failed = await world.svc(resume);
  change('DROP TRIGGER full');
  const { code } = await world.svc(resume);

  expect([failed.code === 0, code]).toEqual([false, 0]);
  expect(world.enrolled()).toEqual([MEMBER]);
});

test('names enrolled_before as the reason when it skips a look-alike (F8, M5)', async () => {
  const other = 'anni\u0307@example.com';
  const world = await createAutomationWorld([MEMBER, other]);
  await world.enroll(bare([MEMBER]));

  const { code, json } = await world.enroll(bare([other]));
  expect([code, json.skipped, linesOf(json.files.outcomes)]).toEqual([
    0,
    { enrolled_before: 1 },
    ['line,email,outcome', `2,${other},enrolled_before`],
  ]);

  await world.svc(['automations', 'enroll', world.automation, '--email', other, '--reenroll', '--yes']);
  expect(world.enrolled()).toEqual([MEMBER, other]);
});

test('enrolls both look-alikes when the service stores them separately (F8)', async () => {
  const people = [MEMBER, 'anni\u0307@example.com'];
  const world = await createAutomationWorld(people);
  await world.enroll(`email\n${people.join('\n')}\n`);
  expect(world.enrolled().toSorted()).toEqual(people.toSorted());
});
