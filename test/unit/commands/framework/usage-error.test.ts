import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

test.each([
  ['whoami', 'svc auth status'],
  ['login', 'svc auth login'],
  ['import', 'svc migrate <input...>'],
  ['import list.csv', 'svc migrate list.csv'],
  ['enroll aut_1 list.csv', 'svc automations enroll aut_1 list.csv'],
  ['webhooks show whe_1', 'svc webhooks get whe_1'],
  ['webhooks -q show whe_1', 'svc webhooks -q get whe_1'],
  ['--profile shop webhooks rm whe_1 --confirm whe_1', 'svc --profile shop webhooks delete whe_1 --confirm whe_1'],
  ['version', 'svc --version'],
  ['-V', 'svc --version'],
  ['contacts ls -V', 'svc --version'],
  ['audiences list', 'svc audiences ls'],
  ['webhooks rm', 'svc webhooks delete'],
])('suggests the right command after svc %s', async (line, meant) => {
  const world = await createWorld();
  const { code, err } = await world.svc(line, { asTyped: true });
  expect([code, err.includes(`Did you mean: ${meant}\n`)]).toEqual([2, true]);
});

test.each([
  ['', 'svc --help'],
  ['frobnicate', 'svc --help'],
  ['webhooks', 'svc webhooks --help'],
  ['webhooks frob', 'svc webhooks --help'],
  ['contacts ls --foo', 'svc contacts ls --help'],
  ['--profile shop migrate', 'svc migrate --help'],
  ['migrate list.csv --audience', 'svc migrate --help'],
  ['migrate list.csv --rate 0', 'svc migrate --help'],
  ['audiences ls --limit x', 'svc audiences ls --help'],
  ['webhooks create --event email.sent', 'svc webhooks create --help'],
  ['emails send --from a@example.com --to b --subject S --text T', 'svc emails send --help'],
  ['emulator start --quirk stored_errors=perhaps', 'svc emulator start --help'],
])('names the help to read after svc %s', async (line, help) => {
  const world = await createWorld();
  const { code, err } = await world.svc(line, { asTyped: true });
  expect([code, err.endsWith(`  See: ${help}\n`)]).toEqual([2, true]);
});

test.each([
  ['migrate list.csv --audience', '--audience needs a value: --audience <id>'],
  ['contacts ls --limit', '--limit needs a value: --limit <n>'],
])('reports that the flag at the end of svc %s needs a value', async (line, message) => {
  const world = await createWorld();
  const { err } = await world.svc(line, { asTyped: true });
  expect(err.split('\n')[0]).toBe(`svc: ${message}`);
});

test.each(['migrate --help', 'help contacts import', 'automations enroll -h'])(
  'lists the platforms in svc %s',
  async (line) => {
    const world = await createWorld();
    const { code, out } = await world.svc(line, { asTyped: true });
    expect([code, /Platforms for --from:\n {2}auto .* mailchimp /s.test(out)]).toEqual([0, true]);
    expect(out.split('\n').filter((text) => text.length > 120)).toEqual([]);
  },
);

test('names the lists in a folder when the folder is the input', async () => {
  const world = await createWorld();
  const { mkdirSync } = await import('node:fs');
  mkdirSync(`${world.folder}/my lists`);
  expect((await world.svc(['migrate', 'my lists', '--dry-run'])).err).toContain('It holds no list');
  world.file('my lists/b.csv', 'email\n');
  world.file('my lists/a.zip', '');
  world.file('my lists/notes.md', '');
  const { code, err } = await world.svc(['migrate', 'my lists', '--dry-run']);
  const path = (name: string) => `'${world.folder}/my lists/${name}'`;
  expect([code, err]).toEqual([
    2,
    `svc: my lists: is a folder\n  Name the files in it:\n  ${path('a.zip')} ${path('b.csv')}\n`,
  ]);
});

test.each([
  [['migrate', '', '--yes'], 'an input has no name'],
  [['contacts', 'check', ''], 'an input has no name'],
  [['migrate', 'list.csv', '--yes', '--mapping', 'none.json'], 'none.json: there is no such file'],
])('names the missing input or file in the line %j', async (line, text) => {
  const world = await createWorld();
  world.file('list.csv', 'email,status\nann@example.com,subscribed\n');
  const { code, err } = await world.svc(line, { asTyped: true });
  expect([code, err]).toEqual([2, expect.stringContaining(text)]);
});

test.each(['--version --json', '--json --version', 'contacts ls --json --version'])(
  'prints the version as one JSON document for svc %s',
  async (line) => {
    const world = await createWorld();
    const { code, out } = await world.svc(line, { asTyped: true });
    expect([code, JSON.parse(out)]).toEqual([0, { object: 'version', version: expect.any(String) }]);
  },
);

test('says how to write a name that begins with a dash', async () => {
  const world = await createWorld({ seed: { audiences: [{ name: '-x y' }] } });
  const { err } = await world.svc(['audiences', 'get', '-x y']);
  expect(err).toContain('A name that begins with a dash goes behind the flags and "--".');
  expect((await world.svc(['audiences', 'get', '--json', '--', '-x y'])).json.name).toBe('-x y');
  expect((await world.svc('audiences get --jsn')).err).not.toContain('dash');
});

test('says that automations enroll lacks a person before it asks for --yes', async () => {
  const world = await createWorld();
  const { code, err } = await world.svc('automations enroll aut_1', { asTyped: true });
  expect([code, err]).toEqual([2, expect.stringContaining('no person to enroll was given')]);
});
