import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { recordedCommandWith } from '../../../../src/commands/mailing-list-commands/recorded-line.ts';
import { typedCommandOf } from '../../../../src/commands/mailing-list-commands/retype-line.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { createWorld, type World } from '../../../support/world.ts';

async function stoppedByAutomation(line: string) {
  const world = await createWorld();
  world.file('list.csv', people(30));
  expect((await world.svc(line, stoppedAfterPost(1))).code).toBe(130);
  const automation = world.emulator.admin.createAutomation({ name: 'Hi', trigger: 'audience_join' });
  return { world, automation };
}

const paste = (world: World, command = '') => world.svc(splitShellText(command).slice(1), { asTyped: true });

test.each(['svc', 'npx svc'])(
  'a stopped resume prints whole commands that begin with %s (M3, C11)',
  async (program) => {
    const { world, automation } = await stoppedByAutomation('--yes --plan free migrate list.csv --state-dir other');
    const env = program === 'svc' ? {} : { npm_command: 'exec' };
    const { code, err } = await world.svc('runs resume --state-dir other --json', { env });
    const { hint } = JSON.parse(err.split('\n').find((text) => text.startsWith('{')) ?? '').error;
    const [first, resume, second, again, ...more] = hint.split('\n');
    expect([code, first, second, more]).toEqual([
      7,
      'After you archived "Hi" in the app (to pause is not enough):',
      'Only if "Hi" should mail every person of this list:',
      [],
    ]);
    expect(resume).toMatch(new RegExp(`^${program} --state-dir other runs resume run_\\w+$`));
    expect(again).toBe(
      `${program} --state-dir other --yes --plan free migrate list.csv --allow-automation ${automation}`,
    );
    expect((await paste(world, again.replace('npx ', ''))).code).toBe(0);
    expect(world.emulator.admin.contacts().length).toBe(30);
  },
);

test('a stopped resume in another folder prints absolute paths (M3)', async () => {
  const { world } = await stoppedByAutomation('migrate list.csv --report r.json');
  mkdirSync(join(world.folder, 'below'));
  const { err } = await world.svc('runs resume', { cwd: join(world.folder, 'below') });
  expect(err).toContain(`migrate ${world.folder}/list.csv --report ${world.folder}/r.json --allow-automation aut_`);
});

test('a stopped import prints a command with only the new value of --plan', async () => {
  const world = await createWorld({ plan: 'paid' });
  world.file('list.csv', people(1_100));
  const { err } = await world.svc('--yes --plan free migrate list.csv');
  const commands = err.match(/^ +svc .*/gm) ?? [];
  expect(commands).toEqual(['    svc --yes migrate list.csv --plan paid']);
});

test('a stopped resume prints a command with only the new value of --plan', async () => {
  const world = await createWorld({ plan: 'paid' });
  world.file('list.csv', people(30));
  expect((await world.svc('--yes --plan free migrate list.csv', stoppedAfterPost(1))).code).toBe(130);
  world.emulator.admin.addContacts(Array.from({ length: 490 }, (_, index) => ({ email: `q${index}@example.com` })));
  const { code, err } = await world.svc('runs resume');
  const commands = err.match(/^ +svc .*--plan.*/gm) ?? [];
  expect([code, commands]).toEqual([7, ['  svc --yes migrate list.csv --plan paid']]);
  expect((await paste(world, commands[0]?.trim())).code).toBe(0);
  expect(world.emulator.admin.contacts().length).toBe(520);
});

test.each([
  ['an API key', 'svc --base-url https://a.test migrate list.csv --api-key-file=sk_live_1', ['migrate', 'list.csv']],
  ['the place', 'svc --profile x migrate list.csv --state-dir y', ['migrate', 'list.csv']],
  ['an address', 'svc automations enroll aut_1 --email ana@example.com', undefined],
])('a run does not record %s of its command line (K1)', async (_, typed, words) => {
  const { folder: cwd } = await createWorld();
  const context = { cwd } as Parameters<typeof typedCommandOf>[0]['context'];
  expect(typedCommandOf({ argv: typed.split(' ').slice(1), context }, [])?.words).toEqual(words);
});

test.each([
  ['--mapping=m.json --report=r.json', '--mapping=/there/m.json --report=/there/r.json'],
  ['--status-map old/a.csv:Code:B=unsubscribed', '--status-map /there/old/a.csv:Code:B=unsubscribed'],
  ['--map=old/a.csv:Out=status', '--map=/there/old/a.csv:Out=status'],
  ['--default-status ./old/a.csv=skip', '--default-status /there/old/a.csv=skip'],
  ['--default-status subscribed', '--default-status subscribed'],
])('prints absolute paths for %s when the resume is in another folder (M3)', (typed, printed) => {
  const context = { cwd: '/here', env: {} } as never;
  const inputs = ['new/a.csv', 'old/a.csv'];
  const command = recordedCommandWith({
    recorded: { words: ['migrate', ...inputs, ...typed.split(' ')], answers: [], cwd: '/there' },
    options: { inputs },
    argv: ['runs', 'resume'],
    context,
  });

  expect(command?.('--again')).toBe(`svc migrate /there/new/a.csv /there/old/a.csv ${printed} --again`);
});
