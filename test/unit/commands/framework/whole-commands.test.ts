import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { createWorld } from '../../../support/world.ts';

/** A usage error, and the command that its hint ends with. */
const MISTAKES = [
  ['migrate list.csv --max-failures x', 'svc migrate list.csv --max-failures 5%'],
  ['migrate list.csv --max-failures=200%', 'svc migrate list.csv --max-failures 5%'],
  ['migrate --max-wait 5 list.csv', 'svc migrate list.csv --max-wait 30m'],
  ['migrate list.csv --timezone Mars', 'svc migrate list.csv --timezone UTC'],
  ['migrate list.csv --encoding x', 'svc migrate list.csv --encoding utf-8'],
  ['migrate list.csv --delimiter ab', "svc migrate list.csv --delimiter ';'"],
  ['migrate list.csv --quote ab', 'svc migrate list.csv --quote none'],
  ['contacts import list.csv --max-gone 3', 'svc contacts import list.csv --max-gone 3 --gone report'],
  ['emulator start --speed x', 'svc emulator start --speed 60'],
  ['emulator start --speed -1', 'svc emulator start --speed 60'],
  ['webhooks listen', 'svc webhooks listen --port 8080'],
  ['migrate list.csv --from mailchimpp', 'svc migrate list.csv --from auto'],
  ['migrate list.csv --json=yes', 'svc migrate list.csv --json'],
  ['migrate list.csv --audience --dry-run', 'svc migrate list.csv --audience=--dry-run'],
  ['migrate list.csv --plan pro', 'svc migrate list.csv --plan paid'],
  ['contacts ls --status left', 'svc contacts ls --status subscribed'],
  ['emulator start --port x', 'svc emulator start --port 0'],
  ['completion tcsh', 'svc completion fish'],
] as const;

test.each(MISTAKES)('the hint for the wrong line "%s" ends with a command to paste', async (line, command) => {
  const world = await createWorld();
  world.file('list.csv', 'email,status\nann@example.com,subscribed\n');
  const { code, err } = await world.svc(line);
  const lines = err.replaceAll(' --yes', '').trimEnd().split('\n');
  expect([code, lines.at(-1)?.trim()]).toEqual([2, command]);
});

test('prints a hint sentence that begins with a flag as text, not as a command', async () => {
  const world = await createWorld();
  const { err } = await world.svc('webhooks create --url https://hooks.example.com/ --secret-file secret');
  expect(err).toContain('\n  --event takes one type');
});

/** Usage errors whose hint has commands. Each of them ends with exit 0 in the test's own setup. */
const CORRECTED = [
  'audiences ls --all --limit 5',
  'audiences ls --limit 5 --output csv --json',
  'migrate list.csv --audience Nothing',
  'migrate list.csv --audience Newsletter --audience-name Newsletter',
  'migrate list.csv --create-audience',
  'migrate list.csv --create-audience --audience News',
  ['contacts', 'import', 'list.csv', '--create-audience', "--audience=Dine with Ann's friends"],
  'migrate list.csv --from nothing',
  'migrate list.csv --empty no',
  'migrate list.csv --map Town=first_name',
  'migrate list.csv --map email=email --map status=statsu',
  'migrate list.csv --topic-value Town=1',
  'migrate list.csv --attributes Town',
  'migrate list.csv --default-status away',
  'migrate list.csv --default-status other.csv=skip',
  'migrate list.csv --status-map On=away --status-map Off=unsubscribed',
  'migrate list.csv --quote ab',
  'migrate list.csv --encoding x',
  'contacts ls --status left',
  'contacts export --json',
  'contacts export --format xml',
  'webhooks ls --watch',
  'runs prune',
  'emails send --from me@example.com --to ann@example.com --subject S --text T --html-file list.csv',
  'auth status --json=yes',
  'completion tcsh',
];

test.each(CORRECTED.map((line) => [line]))('every command in the hint of %s works when it is pasted', async (line) => {
  const world = await createWorld({ seed: { account: { domains: ['example.com'] } } });
  world.file('list.csv', 'email,status\nann@example.com,subscribed\n');
  const { code, err } = await world.svc(line);
  const isJson = err.startsWith('{');
  const hint: string = isJson ? JSON.parse(err).error.hint : err;
  const commands = hint.split('\n').filter((text) => /^ *svc /.test(text));
  expect([code, commands.length > 0]).toEqual([2, true]);
  for (const command of commands) {
    expect([command, (await world.svc(splitShellText(command).slice(1), { asTyped: true })).code]).toEqual([
      command,
      0,
    ]);
  }
});

const KENNUNG = 'email,Kennung,status,City\nb1@example.com,A,active,Rome\nb2@example.com,B,active,Oslo\n';
const ANSWERS = '--status-map A=subscribed --status-map B=unsubscribed';

// The column `Kennung` says that the second person left. In each case either the answer about this column or another
// answer is wrong.
test.each([
  [`--map Kenung=status ${ANSWERS}`, 1],
  [`--map=Kenung=status ${ANSWERS}`, 1],
  [`--map Kennung=statu ${ANSWERS}`, 1],
  [`--map Kennung=optout ${ANSWERS}`, 1],
  [`--map Kennung ${ANSWERS}`, 1],
  [`--map list2.csv:Kennung=status ${ANSWERS}`, 1],
  [`--map Kennung=status --map Citty=ignore ${ANSWERS}`, 2],
  [`--map Kennung=status --topic-value Citty=x ${ANSWERS}`, 2],
  [`--map Kennung=status --attributes Citty ${ANSWERS}`, 1],
  ['--map Kennung=status --status-map A=subscribed --status-map Kenung:B=unsubscribed', 1],
])('keeps a person unsubscribed when the hint of %s is pasted (C1, C11)', async (flags, commands) => {
  const world = await createWorld();
  const { code, err } = await world.svc(`migrate ${world.file('list.csv', KENNUNG)} --plan paid --yes ${flags}`);
  const lines = err.split('\n').filter((text) => /^ *svc /.test(text));
  expect([code, lines.length >= commands], err).toEqual([2, true]);
  for (const line of lines.slice(0, commands)) {
    const pasted = await world.svc(splitShellText(line).slice(1), { asTyped: true });
    expect([line, pasted.code, world.emulator.admin.contact('b2@example.com')?.status]).toEqual([
      line,
      0,
      'unsubscribed',
    ]);
  }
});

test('the hint corrects a misspelled column name of a mapping file (C11)', async () => {
  const world = await createWorld();
  const mapping = world.file('mapping.json', '{"map":["Kenung=status"]}');
  const { err } = await world.svc(`migrate ${world.file('list.csv', KENNUNG)} --yes --mapping ${mapping}`);
  expect(err).toContain('--map Kennung=status instead of --map Kenung=status, in the file of --mapping');
});

test.each(['audience', 'audience-name', 'state-dir', 'emulator-data', 'api-key-file', 'mapping', 'report', 'timezone'])(
  'refuses an empty value of --%s',
  async (flag) => {
    const world = await createWorld();
    world.file('list.csv', 'email,status\nann@example.com,subscribed\n');
    for (const typed of [[`--${flag}`, ''], [`--${flag}=`]]) {
      const { code, err } = await world.svc(['migrate', 'list.csv', '--dry-run', ...typed]);
      expect([code, err]).toEqual([2, expect.stringContaining(`--${flag} needs a value: --${flag} <`)]);
    }
    expect(world.requests()).toEqual([]);
  },
);

test('--all needs no value in runs ls, but a decision in runs resolve', async () => {
  const world = await createWorld();
  expect(await world.svc('runs ls --all --json')).toMatchObject({ code: 0, out: '[]\n' });
  const { code, err } = await world.svc('runs resolve latest --all');
  expect([code, err]).toEqual([2, expect.stringContaining('--all needs a value: --all <decision>')]);
});

test('suggests a flag only when it has the first letter of the typed one', async () => {
  const world = await createWorld();
  expect((await world.svc('migrate list.csv --reason bounced')).err).not.toContain('Did you mean');
  expect((await world.svc('migrate list.csv --repport x.json')).err).toContain('Did you mean --report?');
});

test('prints no shell code in a command when the name of an audience is code', async () => {
  const name = '$(touch pwned)';
  const world = await createWorld({ seed: { audiences: [{ name }, { name: 'Plain' }] } });
  const { err } = await world.svc('contacts ls');
  const commands = err.split('\n').filter((text) => /^ *svc /.test(text));
  expect([commands.length, commands.filter((text) => text.includes(name) || text.includes('#'))]).toEqual([3, []]);
});
