import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withTraffic } from '../../support/traffic.ts';
import { createWorld } from '../../support/world.ts';

test.each(['create Shop', 'rename ID Shop'])(
  'notes that another audience has the same name: audiences %s (L3)',
  async (words) => {
    const world = await createWorld({ seed: { audiences: [{ name: 'Shop' }] } });
    const same = world.emulator.admin.audiences().find(({ name }) => name === 'Shop')?.id;
    const line = `audiences ${words.replace('ID', world.emulator.audienceId)} --json`;
    const noted = await world.svc(line);
    const quiet = await world.svc(`${line} -q`);
    expect([quiet.code, quiet.err, noted.code, noted.json.id === same, noted.err]).toEqual([
      ...[0, '', 0, false],
      `note: ${same} has the same name. Commands need an id to choose one of them. See: svc audiences get ${same}\n`,
    ]);
  },
);

test.each(['create', 'rename ID'])(
  'exits with 8 when the service stores another name: audiences %s (L3)',
  async (words) => {
    const world = await createWorld();
    const { audienceId } = world.emulator;
    const edits = withTraffic({
      of: /^(POST|PATCH) .*\/audiences/,
      request: ({ name }) => ({ name: name.toUpperCase() }),
    });
    const line = `audiences ${words.replace('ID', audienceId)} Shop --json`;
    const { code, json, err } = await world.svc(line, edits);
    expect([code, json.name]).toEqual([8, 'SHOP']);
    expect(JSON.parse(err).error).toMatchObject({
      code: 'not_as_asked',
      message: 'the service wrote something else: name is "SHOP", and "Shop" was asked for',
    });
  },
);

describe('audiences rename', () => {
  test('audiences rename sends the new name and prints the audience', async () => {
    const world = await createWorld();
    const { code, json } = await world.svc(['audiences', 'rename', world.emulator.audienceId, 'Shop\u200f', '--json']);
    expect([code, json.name]).toEqual([0, 'Shop\u200f']);
    expect((await world.svc('audiences ls')).out).toContain('Shop\\u200f');
  });

  test.each([
    ['an id of another kind', 'whe_1', 'Shop'],
    ['a path as the id', 'aud_/../x', 'Shop'],
    ['an empty name', 'aud_1', ''],
    ['a name of 101 characters', 'aud_1', 'x'.repeat(101)],
    ['a blank at the end', 'aud_1', 'Shop '],
    ['a doubled blank', 'aud_1', 'My  shop'],
    ['a control character', 'aud_1', 'Shop\u001b'],
  ])('audiences rename refuses before any request: %s', async (_, id, name) => {
    const world = await createWorld();
    expect((await world.svc(['audiences', 'rename', id, name])).code).toBe(2);
    expect(world.requests()).toEqual([]);
  });
});

describe('audiences delete', () => {
  const seed = { contacts: [{ email: 'ana@example.com' }, { email: 'bo@example.com', status: 'unsubscribed' }] };

  test.each([
    ['without --confirm', [], {}],
    ['with --yes alone', ['--yes'], {}],
    ['with its id in place of the name', ['--confirm', 'ID'], {}],
    ['with the name in other letters', ['--confirm', 'newsletter'], {}],
    ['when the user types something else', [], { answers: ['', 'y'] }],
  ])('audiences delete deletes no audience %s', async (_, flags, options) => {
    const world = await createWorld({ seed });
    const id = world.emulator.audienceId;
    const line = ['audiences', 'delete', id, ...flags.map((flag) => (flag === 'ID' ? id : flag))];
    expect((await world.svc(line, options)).code).toBe(2);
    expect(world.requests().map(({ method }) => method)).toEqual(['GET']);
  });

  test('audiences delete shows counts and next commands when it refuses', async () => {
    const world = await createWorld({ seed });
    const id = world.emulator.audienceId;
    const { err } = await world.svc(`audiences delete ${id}`);
    expect(err).toContain('2 contacts (1 subscribed, 1 unsubscribed)');
    expect(err).toContain(`svc contacts export --audience ${id} --output contacts.csv`);
    expect(err).toContain(`svc audiences delete ${id} --confirm Newsletter`);
  });

  test('audiences delete offers an export and asks for the name at a terminal', async () => {
    const world = await createWorld({ seed });
    const { code, err } = await world.svc(`audiences delete ${world.emulator.audienceId}`, {
      answers: ['kept.csv', 'Newsletter'],
    });
    expect(code).toBe(0);
    expect(err).toContain('2 contacts (1 subscribed, 1 unsubscribed)');
    expect(readFileSync(join(world.folder, 'kept.csv'), 'utf8').match(/\w+@example\.com/g)).toHaveLength(2);
    expect((await world.svc('audiences ls --json')).json).toEqual([]);
  });

  test('audiences delete needs no terminal with --confirm and the exact name', async () => {
    const world = await createWorld({ seed });
    const id = world.emulator.audienceId;
    expect((await world.svc(`audiences delete ${id} --confirm Newsletter --json`)).json).toEqual({ id, deleted: true });
  });
});

test.each(['automations ls', 'contacts ls', 'suppressions ls', 'webhooks ls --failing', 'runs ls'])(
  'prints "None." only at a terminal when %s finds nothing',
  async (line) => {
    const world = await createWorld();
    const shown = await world.svc(line, { columns: 80 });
    const piped = await world.svc(line);
    const json = await world.svc(`${line} --json`, { columns: 80 });
    expect([shown.out, shown.err]).toEqual(['', 'None.\n']);
    expect([piped.out, piped.err]).toEqual(['', '']);
    expect([json.json, json.err]).toEqual([[], '']);
  },
);

test('prints no "None." at a terminal when a list has rows', async () => {
  const world = await createWorld();
  const { out, err } = await world.svc('emulator quirks', { columns: 80 });
  expect([out.includes('omitted_status_existing'), err]).toEqual([true, '']);
});

describe('an audience by its name', () => {
  test('finds an audience by its name in --audience, get, rename and delete', async () => {
    const world = await createWorld({
      seed: { audiences: [{ name: 'Shop', contacts: [{ email: 'a@example.com' }] }] },
    });
    const { id } = (await world.svc('audiences get Shop --json')).json;
    expect(id).toMatch(/^aud_/);
    expect((await world.svc('contacts ls --audience Shop --json')).json).toHaveLength(1);
    world.file('list.csv', 'email\nb@example.com\n');
    const imported = await world.svc('contacts import list.csv --audience Shop --default-status subscribed --json');
    expect([imported.code, imported.json.audience]).toEqual([0, { id, name: 'Shop' }]);
    expect((await world.svc('audiences rename Shop Store --json')).json).toMatchObject({ id, name: 'Store' });
    expect((await world.svc('audiences delete Store --confirm Store --json')).json).toEqual({ id, deleted: true });
  });

  test('refuses a name that several audiences have, and shows their ids (L3)', async () => {
    const world = await createWorld({ seed: { audiences: [{ name: 'Shop' }, { name: 'Shop' }] } });
    const ids = (await world.svc('audiences ls --json')).json
      .filter(({ name }: { name: string }) => name === 'Shop')
      .map(({ id }: { id: string }) => id);
    for (const line of ['audiences get Shop', 'contacts ls --audience Shop']) {
      const { code, err } = await world.svc(line);
      expect([code, ids.every((id: string) => new RegExp(`one made 20\\S+:\n.*${id}\n`).test(err))], err).toEqual([
        2,
        true,
      ]);
    }
  });

  test.each([
    ['audiences delete Shop --confirm Shop', 'audiences delete ID --confirm Shop'],
    ['audiences delete --confirm Shop Shop', 'audiences delete --confirm Shop ID'],
    ['audiences rename Shop Shop', 'audiences rename ID Shop'],
  ])('offers a command for each audience when two have the name: %s (L3)', async (line, command) => {
    const world = await createWorld({ seed: { audiences: [{ name: 'Shop' }, { name: 'Shop' }] } });
    const { err } = await world.svc(line);
    const lines = err.split('\n').flatMap((text) => /^ +svc (.*)$/.exec(text)?.[1] ?? []);
    expect(lines.map((text) => text.replace(/aud_\w+/, 'ID'))).toEqual([command, command]);
    expect((await world.svc(lines[0] ?? '')).code).toBe(0);
  });

  test('creates no audience when --audience may be a mistyped id', async () => {
    const world = await createWorld();
    world.file('list.csv', 'email\nb@example.com\n');
    const { code, err } = await world.svc('contacts import list.csv --audience ad_1 --create-audience');
    expect([code, err.includes('--audience-name')]).toEqual([2, true]);
    expect(world.requests()).toEqual([]);
  });

  test.each([
    ['--audience News', 'svc contacts import list.csv --create-audience --audience-name News'],
    ['--audience=News', 'svc contacts import list.csv --create-audience --audience-name News'],
    ['--audience aud_1', 'svc contacts import list.csv --audience aud_1'],
  ])('prints a command that works when --create-audience stands with %s (L3)', async (flag, command) => {
    const world = await createWorld();
    world.file('list.csv', 'email,status\nb@example.com,subscribed\n');
    const withId = (text: string) => text.replace('aud_1', world.emulator.audienceId);
    const line = `contacts import list.csv --create-audience ${withId(flag)}`;
    const { code, err } = await world.svc(line, { asTyped: true });
    const printed = err.trimEnd().split('\n').at(-1)?.trim() ?? '';
    expect([code, printed], err).toEqual([2, withId(command)]);
    expect((await world.svc(printed.slice('svc '.length))).code).toBe(0);
    const audiences = (await world.svc('audiences ls --json')).json;
    const isCreated = command.includes('--audience-name');
    expect(audiences.map(({ name }: { name: string }) => name)).toEqual(
      isCreated ? ['News', 'Newsletter'] : ['Newsletter'],
    );
  });
});

/** The commands with --audience and --audience-name. The last two can create an audience. */
const NAMING = [
  'contacts ls',
  'contacts export',
  'contacts get ana@example.com',
  'contacts check list.csv',
  'contacts import list.csv',
  'migrate list.csv',
];
const CREATING = NAMING.slice(-2);

test.each([
  ['--audience aud_1 --audience-name News', '--audience and --audience-name exclude each other', NAMING],
  ['--audience aud_1/../aud_2', 'not an audience id: aud_1/../aud_2', NAMING],
  ['--audience aud_', 'not an audience id: aud_', NAMING],
  [`--audience-name ${'x'.repeat(101)}`, 'the name of an audience has 1 to 100 characters, not 101', NAMING],
  ['--create-audience', '--create-audience needs a name', CREATING],
  ['--create-audience --audience-name a\tb', 'no blanks at its edges, no doubled blanks and no control', CREATING],
])('refuses the audience flags %s before any request (K2, L3)', async (flags, message, lines) => {
  const world = await createWorld();
  world.file('list.csv', 'Email,Status\nana@example.com,subscribed\n');
  for (const line of lines) {
    const { code, err } = await world.svc([...line.split(' '), ...flags.split(' ')]);
    expect([line, code, world.requests()], err).toEqual([line, 2, []]);
    expect(err).toContain(message);
  }
});

test.each([
  ['  ', 'the name of an audience has a character that is not blank'],
  ['\u00a0', 'the name of an audience has a character that is not blank'],
  ['x'.repeat(101), 'the name of an audience has 1 to 100 characters, not 101'],
  [' '.repeat(101), 'the name of an audience has 1 to 100 characters, not 101'],
  ['a\ud800', 'the name of an audience has only whole characters, and no half of a UTF-16 pair'],
])('says what is wrong with the audience name %j (K2, L3)', async (name, message) => {
  const world = await createWorld();
  world.file('list.csv', 'Email,Status\nana@example.com,subscribed\n');
  const lines = [
    ['audiences', 'create', name],
    ['audiences', 'rename', world.emulator.audienceId, name],
    ['migrate', 'list.csv', '--create-audience', '--audience-name', name],
    ['contacts', 'import', 'list.csv', '--audience-name', name],
  ];
  for (const line of lines) {
    const { code, err } = await world.svc([...line, '--json']);
    expect([line, code, JSON.parse(err).error.message, world.requests()]).toEqual([line, 2, message, []]);
  }
});
