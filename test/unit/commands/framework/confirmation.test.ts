import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { createJournal } from '../../../../src/runs/store/open-journal.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { NO_ANSWERS } from '../../import/support.ts';

const LIST = 'email\nana@example.com\nbo@example.com\n';

/** A command line for each command that writes after a confirmation. Only the confirmation is missing. */
const LINES: readonly (readonly [string, (automation: string) => readonly string[]])[] = [
  ['migrate', () => ['migrate', 'list.csv', '--default-status', 'subscribed']],
  ['contacts import', () => ['contacts', 'import', 'list.csv', '--default-status', 'subscribed']],
  ['suppressions import', () => ['suppressions', 'import', 'list.csv', '--reason', 'bounced']],
  ['automations enroll', (automation) => ['automations', 'enroll', automation, '--email', 'ana@example.com']],
  [
    'emails send',
    () => [
      'emails',
      'send',
      '--from',
      'me@example.com',
      '--to',
      'ana@example.org',
      '--subject',
      'Hi',
      '--text',
      'Hello',
    ],
  ],
  ['doctor', () => ['doctor', '--from', 'me@example.com', '--to', 'ana@example.org']],
];

async function prepare(): Promise<World & { readonly automation: string }> {
  const world = await createWorld({ seed: { account: { domains: ['example.com'] } } });
  world.emulator.admin.addContacts([{ email: 'ana@example.com' }]);
  world.file('list.csv', LIST);
  return { ...world, automation: world.emulator.admin.createAutomation({ name: 'Welcome' }) };
}

const writes = (world: World) => world.requests().filter(({ method }) => method !== 'GET').length;

describe.each(LINES)('confirmation of %s', (_, lineOf) => {
  test('sends nothing when there is neither --yes nor a terminal (M7)', async () => {
    const world = await prepare();
    const line = lineOf(world.automation);
    const { code, out, err } = await world.svc([...line, '--json'], { asTyped: true });
    expect([code, out]).toEqual([2, '']);
    expect(JSON.parse(err).error).toMatchObject({ code: 'confirmation_needed', exit_code: 2 });
    expect(JSON.parse(err).error.hint).toContain(`svc ${line.join(' ')} --json --yes`);
    expect(world.requests()).toEqual([]);
    expect(existsSync(join(world.folder, 'state'))).toBe(false);
  });

  test('sends with --yes when there is no terminal (M7)', async () => {
    const world = await prepare();
    const { code, err } = await world.svc([...lineOf(world.automation), '--yes'], { asTyped: true });
    expect(code, err).toBe(0);
    expect(writes(world)).toBeGreaterThan(0);
  });

  test.each([
    ['standard error is a pipe', ['-v']],
    ['the result is JSON', ['--json']],
    ['nothing else is printed', ['-q']],
  ])('asks for a confirmation at the terminal when %s (M7)', async (_case, flags) => {
    const world = await prepare();
    const line = [...lineOf(world.automation), ...flags];
    const no = await world.svc(line, { answers: ['n'], pipedError: true });
    expect(no.code, no.err).toBe(5);
    expect(no.terminal).toMatch(/example\.(com|test)[\s\S]*(\[y\/N\]|\[y\]es \[N\]o \[d\]etails) $/);
    expect(writes(world)).toBe(0);
    const yes = await world.svc(line, { answers: ['y'], pipedError: true });
    expect(yes.code, yes.err).toBe(0);
    expect(writes(world)).toBeGreaterThan(0);
  });
});

describe('a command that needs no confirmation', () => {
  test.each(LINES.slice(0, 4))('needs no confirmation for a dry run: %s (M7)', async (_, lineOf) => {
    const world = await prepare();
    expect((await world.svc([...lineOf(world.automation), '--dry-run'], { asTyped: true })).code).toBe(0);
    expect(writes(world)).toBe(0);
  });

  test.each([
    ['--emulator', () => []],
    ['--emulator-data', ({ folder }: World) => [join(folder, 'data')]],
  ])('needs no confirmation when the command has %s (M7)', async (flag, dataOf) => {
    const world = await prepare();
    const line = ['migrate', 'list.csv', '--default-status', 'subscribed', flag, ...dataOf(world), '--json'];
    const { code, err } = await world.svc(line, { asTyped: true });
    expect(err).not.toContain('confirmation_needed');
    // All requests go to the service of this test, which refuses the key of the other emulator.
    expect(code).toBe(4);
  });
});

describe('the command in the hint', () => {
  test.each([
    ["Ana's list.csv", `'Ana'\\''s list.csv'`],
    ['two words.csv', "'two words.csv'"],
    ['$(date).csv', "'$(date).csv'"],
    ['a"b.csv', `'a"b.csv'`],
  ])('names a command with --yes that works for the file name %s (M7)', async (name, word) => {
    const world = await createWorld();
    world.file(name, 'email,status\nana@example.com,subscribed\n');
    const { err } = await world.svc(['migrate', name], { asTyped: true });
    expect(err).toContain(`svc migrate ${word} --yes`);
    const [, command = ''] = /svc (migrate .* --yes)$/m.exec(err) ?? [];
    expect((await world.svc(splitShellText(command), { asTyped: true })).code).toBe(0);
    expect(world.emulator.admin.contacts().map(({ email }) => email)).toEqual(['ana@example.com']);
  });

  test('puts --yes before -- in the command of a hint (M7)', async () => {
    const world = await createWorld();
    world.file('--json', 'email,status\nana@example.com,subscribed\n');
    const { err } = await world.svc(['migrate', '-v', '--', '--json'], { asTyped: true });
    expect(err).toContain('svc migrate -v --yes -- --json');
    expect(err).toMatch(/^svc: /);
  });
});

describe('a resume', () => {
  const run = 'run_20260101T000000000_abcdef';

  /** A run that was killed before its first request. `agreed`: the user had confirmed it. */
  async function killed(agreed: boolean): Promise<World> {
    const world = await prepare();
    const options = {
      command: 'automations enroll',
      automationId: (world as World & { automation: string }).automation,
      inputs: [],
      emails: ['ana@example.com'],
      reading: NO_ANSWERS,
      createContacts: false,
      atMostOnce: false,
      reenroll: false,
      allowAutomations: [],
      maxNewFields: 50,
      maxFailures: { kind: 'percent', percent: 20 },
      concurrency: 4,
      dryRun: false,
    };
    createJournal(join(world.folder, 'state', 'svc'), {
      run,
      command: 'automations enroll',
      ...(agreed && { agreed }),
      options,
      origin: 'https://mail.example.test/api',
      destination: undefined,
      inputs: [],
      keyFingerprint: '',
      startedAt: world.clock.now(),
      version: 1,
    }).close();
    return world;
  }

  test('asks for a confirmation in a resume when the user gave none (M7)', async () => {
    const world = await killed(false);
    const { code, err } = await world.svc('runs resume', { asTyped: true });
    expect(code).toBe(2);
    expect(err).toContain('svc runs resume --yes');
    expect(world.requests()).toEqual([]);
    expect((await world.svc('runs resume', { answers: ['n'] })).code).toBe(5);
    expect(writes(world)).toBe(0);
  });

  test('asks nothing in a resume when the user confirmed the run (M7)', async () => {
    const world = await killed(true);
    const { code, err } = await world.svc('runs resume', { asTyped: true });
    expect(code, err).toBe(0);
    expect(writes(world)).toBe(1);
  });
});

test('reads --json after -- as an argument, not as a flag', async () => {
  const world = await createWorld();
  expect((await world.svc(['audiences', 'get', '--', '--json'])).err).toMatch(/^svc: /);
});
