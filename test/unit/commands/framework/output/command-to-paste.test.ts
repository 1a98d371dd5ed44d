import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../../../src/base/lib/text.ts';
import { withPasteableCommands } from '../../../../../src/commands/framework/output/command-to-paste.ts';
import { shortenHome } from '../../../../../src/render/report/shown-report.ts';
import { stoppedAfterPost } from '../../../../support/after-post.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';
import { createWorld } from '../../../../support/world.ts';
import { addresses, bare } from '../../../enroll/support.ts';

const TYPED_KEY = 'live_0123456789.abc+def/ghi=';

const NPX = { npm_command: 'exec' };
const STARTED = [
  '--state-dir',
  'my state',
  'migrate',
  'list.csv',
  '--base-url=https://mail.example.com',
  '--',
  '--profile',
  'x',
];

test.each([
  [
    'Then: svc runs resume run_1',
    `Then: svc --base-url https://mail.example.com --state-dir 'my state' runs resume run_1`,
  ],
  ['See: svc audiences ls', `See: svc --base-url https://mail.example.com --state-dir 'my state' audiences ls`],
  [
    'svc audiences create x. Then: svc runs resume run_1',
    `svc --base-url https://mail.example.com --state-dir 'my state' audiences create x. Then: svc --base-url https://mail.example.com --state-dir 'my state' runs resume run_1`,
  ],
  [
    `svc runs resume run_1 --state-dir other`,
    `svc --base-url https://mail.example.com runs resume run_1 --state-dir other`,
  ],
  ['the folder /srv/svc runs out of space', 'the folder /srv/svc runs out of space'],
  ['nothing to type here', 'nothing to type here'],
])('repeats the flags of account and state folder in the hint %j', (text, expected) => {
  expect(withPasteableCommands(text, STARTED, { env: {}, cwd: '/' })).toBe(expected);
});

test('names npx in a command when npx started the program', () => {
  expect(withPasteableCommands('svc runs ls', [], { env: NPX, cwd: '/' })).toBe('npx svc runs ls');
  expect(withPasteableCommands('npx svc runs ls', [], { env: NPX, cwd: '/' })).toBe('npx svc runs ls');
  for (const text of ['migrate --help', 'emulator quirks', 'emails send --help', 'mcp ls', 'help csv', '--help']) {
    expect(withPasteableCommands(`See: svc ${text}`, STARTED.slice(2), { env: NPX, cwd: '/' })).toMatch(
      new RegExp(`^See: npx svc (--base-url \\S+ )?${text}$`),
    );
  }
});

test('repeats the MCP endpoint only in commands that call it', () => {
  const words = ['--mcp-url', 'https://mail.example.com/mcp', 'mcp', 'call', 'delete_contact'];
  const pasteable = (text: string) => withPasteableCommands(text, words, { env: {}, cwd: '/' });
  expect(pasteable('svc mcp call delete_contact --confirm delete_contact')).toBe(
    'svc --mcp-url https://mail.example.com/mcp mcp call delete_contact --confirm delete_contact',
  );
  expect(pasteable('svc automations enroll')).toBe('svc automations enroll');
});

test('adds no account flags to a hint for a command without an account', () => {
  const texts = ['See: svc migrate --help', 'See: svc emulator quirks', 'See: svc help csv'];
  expect(texts.map((text) => withPasteableCommands(text, STARTED, { env: {}, cwd: '/' }))).toEqual(texts);
});

test('prints a next step that works when --state-dir was given', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', 'email,status\nann@example.com,subscribed\nno address,subscribed\n');
  const { out } = await world.svc(['migrate', list, '--yes', '--state-dir', 'elsewhere'], { columns: 100 });
  const command = /svc (--state-dir elsewhere runs show run_\w+)/.exec(out)?.[1];
  expect((await world.svc(command ?? '')).code).toBe(0);
});

test.each(['runs show latest', 'runs show latest --details'])(
  'repeats --state-dir in the next step of %s',
  async (line) => {
    const world = await createWorld();
    const list = world.file('list.csv', bare(addresses(3)));
    const at = ['--state-dir', "it's here"];
    await world.svc(['contacts', 'import', list, '--default-status', 'subscribed', ...at], stoppedAfterPost(1));
    const { out } = await world.svc([...line.split(' '), ...at]);
    const words = splitShellText(/svc (.* runs resume run_\w+)/.exec(out)?.[1] ?? '');
    expect((await world.svc([...words, '--json'])).json.rows.created).toBe(3);
  },
);

test('repeats --state-dir in the next step of a run without a report (D1)', async () => {
  const world = await createWorld();
  const folder = join(world.folder, "it's here");
  world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST /v1/emails' } });
  const send = 'emails send --from me@example.com --to ana@example.com --subject Hi --text Hello --state-dir';
  await world.svc([...send.split(' '), folder]);
  const { out } = await world.svc(['runs', 'show', 'latest', '--state-dir', folder]);
  const words = splitShellText(/Next: svc (.*)/.exec(out)?.[1] ?? '');
  expect(words).toEqual(['--state-dir', folder, 'runs', 'resume', expect.stringMatching(/^run_/)]);
});

test('doctor prints runs show with --state-dir when outcomes are unknown (I3)', async () => {
  const world = await createWorld();
  const folder = join(world.folder, "it's here");
  world.emulator.admin.createAutomation({ name: 'Welcome' });
  await world.svc(['contacts', 'import', world.file('list.csv', bare(addresses(1))), '--default-status', 'subscribed']);
  world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST /v1/automations/*/enroll' } });
  const enroll = 'automations enroll Welcome list.csv --default-status subscribed --at-most-once --json --state-dir';
  const { json } = await world.svc([...enroll.split(' '), folder]);
  chmodSync(folder, 0o755);
  const { findings } = (await world.svc(['doctor', '--json', '--state-dir', folder])).json;
  const hints = findings.map(({ hint = '' }: { hint?: string }) => splitShellText(hint).slice(1));
  expect(hints).toContainEqual(['700', folder]);
  expect(hints).toContainEqual(['--state-dir', folder, 'runs', 'show', json.run]);
  const { next } = (await world.svc(['--state-dir', folder, 'runs', 'show', json.run, '--json'])).json;
  const commands = next.map((step: string) => step.slice(step.indexOf(' Then: ') + 7));
  expect(commands.map((command: string) => splitShellText(command).slice(1))).toEqual([
    ['--state-dir', folder, 'runs', 'resolve', json.run],
  ]);
});

test.each([
  ['--map city=attributes.City', '--map city=attributes.city'],
  ['--map=city=attributes.', '--map city=attributes.key'],
])('replaces a wrong %s in the printed command, so that it works', async (typed, right) => {
  const world = await createWorld();
  world.file('list.csv', 'email,status,city\nana@example.com,subscribed,Rome\n');
  const { code, err } = await world.svc(`migrate list.csv ${typed} --dry-run`, { asTyped: true });
  const command = `svc migrate list.csv --dry-run ${right}`;
  expect([code, err.trimEnd().split('\n').at(-1)?.trim()]).toEqual([2, command]);
  expect((await world.svc(splitShellText(command).slice(1))).code).toBe(0);
});

test('repeats --api-key-file in commands unless its value is a key (K1)', () => {
  const started = (file: string) =>
    withPasteableCommands('svc runs ls', ['--api-key-file', file], { env: {}, cwd: import.meta.dirname });
  expect(started('command-to-paste.test.ts')).toBe('svc --api-key-file command-to-paste.test.ts runs ls');
  expect(started('sk_live_1')).toBe('svc runs ls');
  // svc hints at `auth login` when the key of that file is missing or wrong, so it does not repeat the file.
  const words = ['--api-key-file', 'command-to-paste.test.ts'];
  expect(withPasteableCommands('svc auth login', words, { env: {}, cwd: import.meta.dirname })).toBe('svc auth login');
});

test('prints no API key that stands in SVC_API_KEY_FILE by mistake (K1)', async () => {
  const world = await createWorld();
  const { code, err } = await world.svc('audiences ls', { env: { SVC_API_KEY: '', SVC_API_KEY_FILE: TYPED_KEY } });
  expect([code, err]).toEqual([4, expect.not.stringContaining('0123456789')]);
});

test.each([
  `audiences ls --api-key-file ${TYPED_KEY}`,
  `audiences ls --api-key-file=${TYPED_KEY}`,
  `audiences ls --json --api-key-file ${TYPED_KEY}`,
  `doctor --json --api-key-file ${TYPED_KEY}`,
  `migrate list.csv --api-key-file ${TYPED_KEY}`,
  `emails send --from a@example.com --to b@example.com --subject S --text T --api-key-file ${TYPED_KEY}`,
  `audiences ls --limit x --api-key-file ${TYPED_KEY}`,
])('prints no API key that was typed where a file name belongs: %s (K1)', async (line) => {
  const world = await createWorld();
  world.file('list.csv', 'email,status\nann@example.com,subscribed\n');
  const { code, out, err } = await world.svc(line, { asTyped: true, env: { SVC_API_KEY: '' } });
  expect([2, 4]).toContain(code);
  expect(out + err).not.toContain('0123456789');
});

test.each([
  [19, true],
  [20, false],
])('prints a word of %i characters in place of a key file: %s (K1)', async (length, shown) => {
  const world = await createWorld();
  const word = 'q7Rt2LmZ9xKwP4vB8nYc'.slice(0, length);
  const { code, err } = await world.svc(`audiences ls --api-key-file ${word}`, { env: { SVC_API_KEY: '' } });
  expect([code, err.includes(word)]).toEqual([4, shown]);
});

test.each(['./deep/missing-file-of-the-key', 'deep/missing-file-of-the-key', 'missing.key'])(
  'names the path of a key file that does not exist: %s',
  async (path) => {
    const world = await createWorld();
    mkdirSync(join(world.folder, 'deep'));
    const { code, err } = await world.svc(['audiences', 'ls', '--api-key-file', path], { env: { SVC_API_KEY: '' } });
    expect([code, err]).toEqual([4, expect.stringContaining(`can't be read: ${path}: no such file`)]);
  },
);

test.each([
  ['webhooks ls', /^Why: (.*)$/m, (id: string) => `npx svc webhooks deliveries ${id} --summary`],
  [
    'webhooks get https://hooks.example.com/',
    /^Why: (.*)$/m,
    (id: string) => `npx svc webhooks deliveries ${id} --summary`,
  ],
  [
    'webhooks deliveries https://hooks.example.com/ --summary',
    /^ {2}(.*--json.*)$/m,
    (id: string) => `npx svc webhooks deliveries ${id} --summary --json`,
  ],
])('names npx in the command that %s shows when npx started svc', async (line, command, expected) => {
  const world = await createWorld({ sendWebhook: async () => 500 });
  const create = 'webhooks create --url https://hooks.example.com/ --event email.sent --secret-file s --json';
  const { id } = (await world.svc(create)).json;
  for (let event = 0; event < 21; event += 1) {
    world.emulator.admin.emitEvent('email.sent', { object: 'email' });
  }
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    await world.clock.advance(7 * 3_600_000);
  }
  const { out } = await world.svc(line, { columns: 200, env: NPX });
  expect(command.exec(out)?.[1]).toBe(expected(id));
});

test('names npx in the hints about --yes and --all when npx started svc (M7)', async () => {
  const world = await createWorld();
  const refused = await world.svc('emails send --from a@example.com --to b@example.com --subject S --text T', {
    env: NPX,
    asTyped: true,
  });
  expect(refused.err).toContain('Add --yes: npx svc emails send --from a@example.com');
  world.emulator.admin.addContacts(addresses(51).map((email) => ({ email })));
  const { err } = await world.svc('contacts ls', { env: NPX });
  expect(err).toBe('Only the first 50 are listed. For all of them:\n  npx svc contacts ls --all\n');
});

test.each([
  ['home', `it's mine`],
  ['elsewhere', 'my state'],
])('quotes the path of the rejects file as one word, state folder: %s', async (home, state) => {
  const world = await createWorld();
  const list = world.file('my list.csv', 'email,status\nann@example.com,subscribed\nno address,subscribed\n');
  const folder = home === 'home' ? state : join(tempFolder(), state);
  const { out } = await world.svc(['migrate', list, '--yes', '--state-dir', folder], { columns: 80 });
  const line = out.split('\n').find((text) => text.includes('/rejects/')) ?? '';
  const path = splitShellText(line).find((word) => word.includes('/rejects/')) ?? '';
  expect(readFileSync(path, 'utf8'), out).toContain('no address');
});

test('writes ~ for the home folder only at the start of an unquoted word', () => {
  const paths = `/home/op/a.csv '/home/op/b c.csv' /mnt/home/op/d.csv`;
  expect(shortenHome(paths, '/home/op')).toBe(`~/a.csv '/home/op/b c.csv' /mnt/home/op/d.csv`);
});
