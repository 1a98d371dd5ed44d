import { expect, test } from 'vitest';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { stoppedAfterPost } from '../../support/after-post.ts';
import { csv } from '../../support/lists.ts';
import { addresses, bare, counts, createAutomationWorld, linesOf } from './support.ts';

const ENROLL = 'POST /v1/automations/*/enroll';

test('enrolls only subscribed people, and sends no attributes (M1)', async () => {
  const world = await createAutomationWorld(addresses(8));
  const states = ['subscribed', 'unsubscribed', 'pending', 'bounced', 'complained', 'subscribed'];
  const list = `${csv('email,first_name,status', 6, (i) => `person${i}@example.com,Ana,${states[i]}`)}nobody,Bo,subscribed\nPERSON0@example.com,Ana,subscribed\n`;

  const { code, json } = await world.enroll(list);

  expect(code).toBe(3);
  expect(world.asked().map((request) => request.body)).toEqual([
    '{"email":"person0@example.com"}',
    '{"email":"person5@example.com"}',
  ]);
  expect(counts(json.rows)).toEqual({ read: 8, enrolled: 2, skipped: 4, rejected: 1, merged: 1 });
  expect(json.skipped).toEqual({ bounced: 1, complained: 1, pending: 1, unsubscribed: 1 });
  expect(linesOf(json.files.outcomes)).toEqual([
    'line,email,outcome',
    '3,person1@example.com,unsubscribed',
    '4,person2@example.com,pending',
    '5,person3@example.com,bounced',
    '6,person4@example.com,complained',
    '8,nobody,rejected',
  ]);
});

test('enrolls no person of a file that is named as an opt-out list (M1)', async () => {
  const world = await createAutomationWorld(addresses(4));
  const left = world.file('unsubscribed.csv', bare(['person1@example.com', 'person3@example.com']));

  const { json } = await world.enroll(bare(addresses(3)), [left]);

  expect(world.enrolled().sort()).toEqual(['person0@example.com', 'person2@example.com']);
  expect(counts(json.rows)).toEqual({ read: 5, enrolled: 2, merged: 1, skipped: 2 });
});

test('enrolls people of --email unless the list says unsubscribed', async () => {
  const world = await createAutomationWorld(addresses(5));
  const list = csv('email,status', 2, (i) => `person${i}@example.com,${i === 0 ? 'subscribed' : 'unsubscribed'}`);
  const typed = ['person3@example.com', 'Person3@example.com', 'person1@example.com', 'stranger@example.com'];

  const { json } = await world.enroll(list, ['--email', ...typed.join(' --email ').split(' ')]);

  expect(world.enrolled()).toEqual(['person0@example.com', 'person3@example.com']);
  expect(counts(json.rows)).toEqual({ read: 6, enrolled: 2, not_subscribed: 1, merged: 2, skipped: 1 });
});

test('counts each enrollment by its outcome, unrecognized ones as unknown (O6)', async () => {
  const members = addresses(6);
  const world = await createAutomationWorld(members, { entryFilter: { city: 'Rome' } });
  const { admin } = world.emulator;
  const other = admin.createAudience('Elsewhere');
  admin.addContacts([{ email: 'elsewhere@example.com' }], other);
  admin.setStatus('person1@example.com', 'unsubscribed');
  admin.suppress(['person2@example.com']);
  const unrecognized: FaultRule = {
    kind: 'answer',
    status: 200,
    body: { object: 'enrollment_result', outcome: 'on_holiday' },
    when: 'before',
    match: { route: ENROLL },
    after: 4,
    times: 1,
  };
  admin.addFault(unrecognized);

  const list = bare([
    'person0@example.com',
    'person1@example.com',
    'person2@example.com',
    'elsewhere@example.com',
    'person3@example.com',
  ]);
  const { code, json } = await world.enroll(list, ['--concurrency', '1']);

  expect(code).toBe(3);
  expect(json.rows).toEqual({
    read: 5,
    enrolled: 0,
    already_enrolled: 0,
    not_subscribed: 1,
    suppressed: 1,
    entry_filter_no_match: 1,
    sandbox_not_member: 0,
    wrong_audience: 1,
    automation_not_active: 0,
    merged: 0,
    skipped: 0,
    rejected: 0,
    failed: 0,
    unsent: 0,
    unknown: 1,
  });
  expect(linesOf(json.files.outcomes)).toEqual([
    'line,email,outcome',
    '2,person0@example.com,entry_filter_no_match',
    '3,person1@example.com,not_subscribed',
    '4,person2@example.com,suppressed',
    '5,elsewhere@example.com,wrong_audience',
    '6,person3@example.com,unknown',
  ]);
  expect(linesOf(json.files.unknown)).toEqual(['line,email,outcome', '6,person3@example.com,unknown']);
});

test('exits with 0 when the people to enroll are not subscribed', async () => {
  const world = await createAutomationWorld(addresses(1));
  const { admin } = world.emulator;
  admin.setStatus('person0@example.com', 'unsubscribed');
  const before = admin.contacts();
  const { code, json } = await world.enroll(bare(addresses(2)));
  expect([code, counts(json.rows), world.enrolled()]).toEqual([0, { read: 2, not_subscribed: 2 }, []]);
  // The person who left stays opted out, and the stranger does not become a contact (M1).
  expect(admin.contacts()).toEqual(before);
  expect(linesOf(json.files.outcomes)).toEqual([
    'line,email,outcome',
    '2,person0@example.com,not_subscribed',
    '3,person1@example.com,not_subscribed',
  ]);
});

test.each([
  ['draft', { status: 'draft' }, 5],
  ['archived', { status: 'archived' }, 5],
] as const)('exits with 5 before any enrollment when the automation is %s', async (_, automation, exit) => {
  const world = await createAutomationWorld(addresses(1), automation);
  const { code, json } = await world.enroll(bare(addresses(1)));
  expect({ code, status: json.status, asked: world.asked() }).toEqual({ code: exit, status: 'refused', asked: [] });
});

test('finds an automation on any page, and exits with 2 when none has its id', async () => {
  const world = await createAutomationWorld(addresses(1));
  for (let more = 0; more < 120; more += 1) {
    world.emulator.admin.createAutomation();
  }
  expect((await world.enroll(bare(addresses(1)))).code).toBe(0);
  expect(world.enrolled()).toEqual(addresses(1));
  const pages = world.requests().filter(({ path }) => path.startsWith('/v1/automations?'));
  expect(pages.map(({ path }) => path.includes('&after='))).toEqual([false, true]);

  const wrong = await world.svc(['automations', 'enroll', `${world.automation}0`, '--email', 'a@example.com']);
  expect({ code: wrong.code, out: wrong.out }).toEqual({ code: 2, out: '' });
  expect(wrong.err).toContain(`${world.automation}0 was not found`);
  expect(world.asked()).toEqual([]);
});

test.each([
  ['an id of another kind', ['aud_1', '--email', 'a@example.com']],
  ['a line without a person', ['aut_1']],
  ['an invalid address', ['aut_1', '--email', 'a b']],
])('automations enroll refuses %s before any request', async (_, words) => {
  const world = await createAutomationWorld([]);
  expect((await world.svc(['automations', 'enroll', ...words])).code).toBe(2);
  expect(world.requests()).toEqual([]);
});

test('warns before an enrollment into a paused or sandboxed automation (M4)', async () => {
  const world = await createAutomationWorld(addresses(1), { status: 'paused' }, { plan: 'free' });
  const { json } = await world.enroll(bare(addresses(1)));
  const { level, message } = json.findings.find((finding: { check: string }) => finding.check === 'automation');
  expect(level).toBe('warn');
  expect(message).toContain('is paused');
  expect(message).toContain('sandbox');
});

test('shows the number of people and the time before any enrollment (M5)', async () => {
  const world = await createAutomationWorld(addresses(1));
  const list = world.file('list.csv', bare(addresses(1_500)));
  const line = ['automations', 'enroll', world.automation, list];

  const { code, err } = await world.svc(line, { answers: ['n'] });

  expect(code).toBe(5);
  expect(err).toContain('1,500 people');
  expect(err).toMatch(/About 3 ?m/);
  expect(world.asked()).toEqual([]);
});

test('sends nothing and needs no account in a dry run of an enrollment', async () => {
  const world = await createAutomationWorld(addresses(2));
  const dry = await world.enroll(bare(addresses(2)), ['--dry-run'], { env: { SVC_BASE_URL: '', SVC_API_KEY: '' } });
  expect({ code: dry.code, status: dry.json.status, unsent: dry.json.rows.unsent }).toEqual({
    code: 0,
    status: 'planned',
    unsent: 2,
  });
  expect(world.requests()).toEqual([]);
});

test('sends the first enrollment alone, before all others (M2)', async () => {
  const world = await createAutomationWorld(addresses(9));
  world.emulator.admin.addFault({ kind: 'slow', ms: 2_000, when: 'before', match: { route: ENROLL } });

  await world.enroll(bare(addresses(9)));

  const [first, second, ...others] = world.asked().map((request) => request.at);
  expect(second).toBe((first ?? 0) + 2_000);
  expect(others.slice(0, 3)).toEqual([second, second, second]);
});

test('a resume enrolls several people at once when one was enrolled (M2)', async () => {
  const world = await createAutomationWorld(addresses(9));
  const cut = await world.enroll(bare(addresses(9)), ['--concurrency', '4'], stoppedAfterPost(1));
  const before = world.asked().length;
  world.emulator.admin.addFault({ kind: 'slow', ms: 2_000, when: 'before', match: { route: ENROLL } });

  const { code } = await world.svc(['runs', 'resume', cut.json.run, '--json']);

  const [first, ...others] = world.asked().map((request) => request.at);
  expect([before, code, ...others.slice(0, 3)]).toEqual([1, 0, first, first, first]);
});

test('stops after one request when the automation became a draft (M2)', async () => {
  const world = await createAutomationWorld(addresses(9));
  world.emulator.admin.addFault({
    kind: 'change',
    when: 'before',
    automation: { id: world.automation, status: 'draft' },
    match: { route: ENROLL },
  });

  const { code, json } = await world.enroll(bare(addresses(9)));

  expect({ code, rows: counts(json.rows), asked: world.asked().length }).toEqual({
    code: 7,
    rows: { read: 9, unsent: 9 },
    asked: 1,
  });
});

test('enrolls the other people when the service refuses one address (M2)', async () => {
  const world = await createAutomationWorld(addresses(4));
  const fault = { kind: 'error', when: 'before', match: { route: ENROLL }, times: 1 } as const;
  world.emulator.admin.addFault({ ...fault, status: 409, code: 'email_suppressed' });
  world.emulator.admin.addFault({ ...fault, status: 400, code: 'invalid_email', after: 1 });

  const { code, json } = await world.enroll(bare(addresses(4)), ['--concurrency', '1']);

  expect(code).toBe(3);
  expect(counts(json.rows)).toEqual({ read: 4, suppressed: 1, failed: 1, enrolled: 2 });
  expect(linesOf(json.files.outcomes)).toEqual([
    'line,email,outcome',
    '2,person0@example.com,email_suppressed',
    '3,person1@example.com,invalid_email',
  ]);
  expect(linesOf(json.files.rejects[0])).toHaveLength(2);
});

test('exits with 7 when an enrollment gets automation_not_active', async () => {
  const world = await createAutomationWorld(addresses(5), { unusable: true });
  const { code, json } = await world.enroll(bare(addresses(5)));
  expect({ code, rows: counts(json.rows) }).toEqual({
    code: 7,
    rows: { read: 5, automation_not_active: 1, unsent: 4 },
  });
});

test('exits with 4 after one request when the API key lacks the scope', async () => {
  const world = await createAutomationWorld(addresses(5));
  const key = world.emulator.admin.createKey([]);
  const { code, json } = await world.enroll(bare(addresses(5)), [], { env: { SVC_API_KEY: key } });
  expect({ code, unsent: json.rows.unsent, asked: world.asked().length }).toEqual({ code: 4, unsent: 5, asked: 1 });

  const again = await world.enroll(bare(addresses(5)));
  expect({ code: again.code, enrolled: again.json.rows.enrolled }).toEqual({ code: 0, enrolled: 5 });
});

test('reports the written contacts when the API key may not enroll (L5)', async () => {
  const world = await createAutomationWorld(addresses(2));
  const key = world.emulator.admin.createKey([]);
  const { code, json } = await world.enroll(bare(addresses(5)), ['--create-contacts'], { env: { SVC_API_KEY: key } });
  expect({ code, unsent: json.rows.unsent, contacts: json.contacts }).toEqual({
    code: 4,
    unsent: 5,
    contacts: { created: 3, updated: 2, unknown: 0 },
  });

  const shown = await world.svc(['runs', 'show', json.run]);
  expect(shown.out).toContain('3  created as contacts (counted above by their enrollment)');
});

test('enrolls 1,000 people close to the rate limit without a 429', async () => {
  const world = await createAutomationWorld(addresses(1_000));
  const { code, json } = await world.enroll(bare(addresses(1_000)));

  expect({ code, enrolled: json.rows.enrolled, limited: json.requests.rate_limited }).toEqual({
    code: 0,
    enrolled: 1_000,
    limited: 0,
  });
  const starts = world.asked().map((request) => request.at);
  const minutes = ((starts.at(-1) ?? 0) - (starts[0] ?? 0)) / 60_000;
  // The first window is used at once, so waits occur only between full windows.
  const windows = Math.ceil(1_000 / 480) - 1;
  expect(minutes).toBeLessThanOrEqual(windows / 0.98);
  for (const [index, at] of starts.entries()) {
    expect((starts[index + 480] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(60_000);
  }
}, 120_000);
