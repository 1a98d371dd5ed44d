import { describe, expect, test } from 'vitest';
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

const ACTIVE = 'email,status\nperson0@example.com,active\nperson1@example.com,active\n';

test.each([
  ['an address alone', 'person1@example.com\n'],
  ['addresses and dates', 'email,datum\nperson1@example.com,2024-05-31\n'],
  ['an address that svc rejects', 'email\nperson1 [at] example.com\n'],
])('stops when a further input may be an opt-out list: %s (C4)', async (_, text) => {
  const world = await createAutomationWorld([]);
  const files = [world.file('active.csv', ACTIVE), world.file('more.csv', text)];
  for (const inputs of [files, files.toReversed()]) {
    const enrolls = ['automations', 'enroll', world.automation, ...inputs, '--create-contacts', '--yes', '--json'];
    for (const line of [['migrate', ...inputs, '--plan', 'paid', '--json'], enrolls]) {
      const { code, json } = await world.svc(line);
      expect([code, json.error.code]).toEqual([5, 'no_status']);
    }
  }
  expect([world.enrolled(), world.emulator.admin.contacts()]).toEqual([[], []]);
});

test('skips people of a list without a status when no list names them (C4, M1)', async () => {
  const world = await createAutomationWorld(addresses(2));
  const files = [world.file('active.csv', ACTIVE), world.file('more.csv', 'person7@example.com\n')];
  const { code, json } = await world.svc(['automations', 'enroll', world.automation, ...files, '--yes', '--json']);
  expect([code, world.enrolled(), json.rows.skipped]).toEqual([0, addresses(2), 1]);
});

const PEOPLE = ['kim@x.test', 'lou@x.test', 'max@x.test', 'zed@x.test'];
const STATED = 'email,status\nkim@x.test,active\nlou@x.test,active\nmax@x.test,active\n';

describe.each([[[]], [['--create-contacts']]])('with the flags %j', (flags) => {
  test.each([
    ['its row', 'email\nmax@x.test\n'],
    ['an address that svc corrects', 'email\nmax [at] x.test\n'],
    ['an address with a mark', 'email\nUNSUB-max@x.test\n'],
    ['an address with a typing error', 'email\nmax@x.test.\n'],
    ['a further address', 'email,Email 2\nzed@x.test,max@x.test\n'],
    ['a further address that svc corrects', 'email,Email 2\nzed@x.test,max [at] x.test\n'],
    ['two addresses in a cell', 'email,name\n"zed@x.test, max@x.test",Zed\n'],
    ['an address below a name', 'Name,Email\nmax@x.test,Max\n'],
  ])('enrolls no person whom an opt-out list names by %s (C9, M1)', async (_, left) => {
    const bareList = STATED.replaceAll(/,(?:status|active)/g, '');
    const runs = ['unsubscribed.csv', 'old.csv', 'Former customers.csv'].flatMap((name) =>
      [STATED, bareList].map(async (list) => {
        const world = await createAutomationWorld(PEOPLE);
        await world.enroll(list, [world.file(name, left), ...flags]);
        return [name, world.enrolled().filter((email) => email !== 'kim@x.test' && email !== 'lou@x.test')];
      }),
    );

    const enrolled = await Promise.all(runs);

    expect(enrolled.filter(([, others]) => others?.length !== 0)).toEqual([]);
  });
});

test('enrolls the others when svc skips all people of an opt-out list (M1)', async () => {
  const world = await createAutomationWorld(PEOPLE);

  const { code } = await world.enroll(STATED, [world.file('unsubscribed.csv', bare(['max@x.test']))]);

  expect([code, world.enrolled()]).toEqual([0, ['kim@x.test', 'lou@x.test']]);
});
