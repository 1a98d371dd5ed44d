import { describe, expect, test } from 'vitest';
import { everyNth } from '../../support/sweep.ts';
import { addresses, bare, createAutomationWorld } from './support.ts';

const SIGNS_UP_AGAIN = { variants: { omitted_status_existing: 'subscribed' } } as const;

test('enrolls no person when the service signs up opted-out people (C1, M7)', async () => {
  const world = await createAutomationWorld([], {}, SIGNS_UP_AGAIN);
  world.emulator.admin.addContacts([{ email: 'person1@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);

  const stopped = await world.enroll(bare(addresses(3)), ['--create-contacts']);
  const next = await world.enroll(bare(addresses(3, 10)), ['--create-contacts']);

  expect([stopped.code, next.code]).toEqual([8, 8]);
  expect(next.err).toContain(`${stopped.json.run} showed that this service signs opted-out people up again`);
  expect([world.enrolled(), world.emulator.admin.contact('person1@example.com')?.status]).toEqual([[], 'unsubscribed']);
});

test.each([
  ['left@example.com', 'left@example.com', {}],
  ['ann\u0130@example.com', 'anni@example.com', { address_case: 'folded' }],
])('signs up no person by --email %s when contact %s opted out (C1, F8)', async (typed, email, variants) => {
  const world = await createAutomationWorld([], {}, { variants: { ...SIGNS_UP_AGAIN.variants, ...variants } });
  world.emulator.admin.addContacts([{ email, status: 'unsubscribed', unsubscribed_at: 1 }]);
  const words = ['--create-contacts', '--default-status', 'subscribed', '--plan', 'paid', '--email', typed];

  const { code } = await world.enroll(bare(addresses(30)), words);

  expect([code, world.enrolled(), world.emulator.admin.contact(email)?.status]).toEqual([8, [], 'unsubscribed']);
});

test('refuses --create-contacts when an import signed up opted-out people (C1)', async () => {
  const world = await createAutomationWorld(['person2@example.com'], {}, SIGNS_UP_AGAIN);
  world.emulator.admin.addContacts([{ email: 'person1@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);
  const list = 'email,status\nperson1@example.com,subscribed\nperson3@example.com,subscribed\n';
  const stopped = await world.svc(['migrate', world.file('import.csv', list), '--json']);

  const writing = await world.enroll(bare(['person2@example.com']), ['--create-contacts']);
  const plain = await world.enroll(bare(['person2@example.com']));

  expect([stopped.code, writing.code, plain.code]).toEqual([8, 8, 0]);
  expect(world.enrolled()).toEqual(['person2@example.com']);
});

test('asks about a possible opt-out column before it enrolls people (M1, C11)', async () => {
  const members = addresses(3);
  const world = await createAutomationWorld(members);
  const list = `email,flag3\n${members.map((email, at) => `${email},${at === 0 ? 0 : 1}`).join('\n')}\n`;
  const stopped = await world.enroll(list);
  expect([stopped.code, JSON.parse(stopped.err).error.hint]).toEqual([
    5,
    expect.stringContaining('--map flag3=status'),
  ]);
  const answered = await world.enroll(list, [
    '--map',
    'flag3=status',
    '--status-map',
    'flag3:1=subscribed',
    '--status-map',
    'flag3:0=skip',
  ]);
  expect([answered.code, world.enrolled()]).toEqual([0, members.slice(1)]);
});

test.each([
  ['Notes', ['', '', '', 'do not email!!']],
  ['Remarks', ['', '', '', 'unsubscribed']],
  ['Tags', ['VIP', '', 'VIP', 'DNE']],
  ['Unsubscribed at', ['', '', '', '2024-03-04 10:00:00']],
])('stops a list without statuses when a cell under %s is an opt-out (M1)', async (header, cells) => {
  const members = addresses(cells.length);
  const world = await createAutomationWorld(members);
  const list = `email,${header}\n${members.map((email, at) => `${email},${cells[at]}`).join('\n')}\n`;

  const { code, err } = await world.enroll(list);
  const answered = await world.enroll(list, ['--default-status', 'subscribed']);

  expect([code, JSON.parse(err).error.hint], err).toEqual([5, expect.stringContaining('--default-status')]);
  expect([answered.code, world.enrolled()], answered.err).toEqual([0, members.slice(0, -1)]);
});

const PEOPLE = ['kim@x.test', 'lou@x.test', 'max@x.test', 'zed@x.test'];
const STATED = 'email,status\nkim@x.test,active\nlou@x.test,active\nmax@x.test,active\n';

const BARE_LIST = STATED.replaceAll(/,(?:status|active)/g, '');
/** Each name of an opt-out list, beside a list with statuses and beside one without. */
const OPT_OUT_LISTS = ['unsubscribed.csv', 'old.csv', 'Former customers.csv'].flatMap((name) =>
  [STATED, BARE_LIST].map((list) => ({ name, list })),
);
const NAMED_BY = [
  ['its row', 'email\nmax@x.test\n'],
  ['an address that svc corrects', 'email\nmax [at] x.test\n'],
  ['an address with a mark', 'email\nUNSUB-max@x.test\n'],
  ['an address with a typing error', 'email\nmax@x.test.\n'],
  ['a further address', 'email,Email 2\nzed@x.test,max@x.test\n'],
  ['a further address that svc corrects', 'email,Email 2\nzed@x.test,max [at] x.test\n'],
  ['two addresses in a cell', 'email,name\n"zed@x.test, max@x.test",Zed\n'],
  ['an address below a name', 'Name,Email\nmax@x.test,Max\n'],
].map(([by = '', left = ''], at) => ({ by, left, at }));

describe.each([[[]], [['--create-contacts']]])('with the flags %j', (flags) => {
  test.each([
    ['an address alone', 'lou@x.test\n'],
    ['a date', 'email,datum\nlou@x.test,2024-05-31\n'],
    ['a person of its own', 'email,name\nlou@x.test,Lou\nzed@x.test,Zed\n'],
    ['only people of its own', 'email,name\nzed@x.test,Zed\n'],
    ['only a rejected row', 'email\nmax [at] x.test\n'],
    ['only a further address', 'email,Email 2\nzed@x.test,max@x.test\n'],
    ['an address with a typing error', 'email\nmax@x.test.\n'],
    ['two addresses in a cell', 'email,name\n"zed@x.test, max@x.test",Zed\n'],
  ])('stops at an input without states beside states: %s (C4, M1)', async (_, more) => {
    const world = await createAutomationWorld(PEOPLE);
    const path = world.file('more.csv', more);
    const imported = await world.svc(['migrate', world.file('list.csv', STATED), path, '--json']);

    const stopped = await world.enroll(STATED, [path, ...flags]);

    const errors = [stopped, imported].map(({ code, err }) => [code, JSON.parse(err).error.message]);
    expect(errors[0]).toEqual(errors[1]);
    expect(errors[0]).toEqual([5, expect.stringContaining('its people may have opted out')]);
    expect(world.enrolled()).toEqual([]);
  });

  test.each(NAMED_BY)('enrolls no person whom an opt-out list names by $by (C9, M1)', async ({ left, at }) => {
    const runs = everyNth(OPT_OUT_LISTS, 3, at + flags.length).map(async ({ name, list }) => {
      const world = await createAutomationWorld(PEOPLE);
      await world.enroll(list, [world.file(name, left), ...flags]);
      return [name, world.enrolled().filter((email) => email !== 'kim@x.test' && email !== 'lou@x.test')];
    });

    const enrolled = await Promise.all(runs);

    expect(enrolled.filter(([, others]) => others?.length !== 0)).toEqual([]);
  });
});

test.each([
  ['one list', []],
  ['a list without rows beside it', ['email\n']],
])('enrolls the others when svc skips all people of an opt-out list: %s (M1)', async (_, more) => {
  const world = await createAutomationWorld(PEOPLE);
  const files = ['email\nmax@x.test\n', ...more].map((text, at) =>
    world.file(at === 0 ? 'unsubscribed.csv' : 'x.csv', text),
  );

  const { code } = await world.enroll(STATED, files);

  expect([code, world.enrolled()]).toEqual([0, ['kim@x.test', 'lou@x.test']]);
});

test.each([
  ['two addresses of one row', 'Email\nkim@x.test;max@x.test\nzed@x.test\n'],
  ['a cell too many', 'Name,Email\nx,zed@x.test,max@x.test\n'],
])('stops at an opt-out list with a rejected row that has %s (C9, M1)', async (_, left) => {
  const world = await createAutomationWorld(PEOPLE);

  const { code } = await world.enroll(STATED, [world.file('unsubscribed.csv', left)]);

  expect([code, world.enrolled()]).toEqual([5, []]);
});

const STRIPE = 'id,Description,Email,Name,Created (UTC),Delinquent,Card ID';

test.each([
  ['Stripe', `${STRIPE}\ncus_1,,,max@x.test,2024-01-01 10:00,false,\ncus_2,,,Zed,2024-01-01 10:00,false,\n`],
  ['no platform', 'Name,Email\nmax@x.test,Max\nZed,\n'],
])('signs up no person below a name in an opt-out list of %s (C9, M1)', async (_, left) => {
  const world = await createAutomationWorld(PEOPLE);
  const path = world.file('unsubscribed.csv', left);

  const imported = await world.svc(['migrate', world.file('list.csv', STATED), path, '--json']);
  await world.enroll(STATED, [path]);

  expect([imported.code, world.enrolled().includes('max@x.test')]).toEqual([5, false]);
});

test('names the people whom a column of an opt-out list leaves out (C9)', async () => {
  const world = await createAutomationWorld(PEOPLE);
  const left = 'email,Owner\nzed@x.test,kim@x.test\n';

  const { code, json } = await world.enroll(STATED, [world.file('unsubscribed.csv', left)]);

  expect([code, world.enrolled()]).toEqual([0, ['lou@x.test', 'max@x.test']]);
  expect(JSON.stringify(json.findings)).toContain('holds addresses. It names 1 person of the list');
});
