import { describe, expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { people } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';

describe('--allow-automation', () => {
  test.each([
    ['an id of an audience', 'aud_1', 'invalid_id'],
    ['a path', 'aut_../x', 'invalid_id'],
    ['an id that no automation has', 'aut_nowhere', 'not_found'],
  ])('refuses %s as --allow-automation before it reads the list', async (_, id, code) => {
    const world = await createWorld();
    world.emulator.admin.createAutomation({ trigger: 'audience_join', status: 'active', name: 'Welcome' });
    // If svc read this list first, it would ask what "perhaps" means, with exit 5.
    const list = world.file('list.csv', 'Email,Status\nana@example.com,perhaps\n');
    const lines = [
      ['migrate', list, '--json', '--allow-automation', id],
      ['automations', 'enroll', 'aut_x', list, '--json', '--create-contacts', '--allow-automation', id],
    ];
    for (const line of lines) {
      const result = await world.svc(line);
      expect([result.code, JSON.parse(result.err).error.code]).toEqual([2, code]);
    }
  });

  test('--allow-automation accepts an archived or unrelated automation', async () => {
    const world = await createWorld();
    const automation = world.emulator.admin.createAutomation({ trigger: 'api', status: 'active' });
    const archived = world.emulator.admin.createAutomation({ trigger: 'audience_join', status: 'archived' });
    const list = world.file('list.csv', people(3));
    const allowed = ['--allow-automation', automation, '--allow-automation', archived];
    const { code } = await world.svc(['migrate', list, '--default-status', 'subscribed', ...allowed]);
    const enrolled = [automation, archived].flatMap((id) => world.emulator.admin.enrollments(id));
    expect([code, world.emulator.admin.contacts().length, enrolled]).toEqual([0, 3, []]);
  });
});

test.each([
  ['away', 'unknown_state', ' away'],
  ['=skip', 'unknown_input', '""'],
  ['other.csv=skip', 'unknown_input', '"other.csv"'],
  ['list=b.csv=away', 'unknown_state', ' list=b.csv=away'],
])('takes the text before the last = as the input: --default-status %s', async (value, code, named) => {
  const world = await createWorld();
  world.file('list=b.csv', people(1));
  const { err } = await world.svc(['migrate', 'list=b.csv', '--json', '--default-status', value]);
  const { error } = JSON.parse(err);
  expect([error.code, error.message]).toEqual([code, expect.stringContaining(named)]);
});

describe('suppressions import of people who opted out of one list', () => {
  test('offers a command with --reason when a list has no suppression (C5, C11)', async () => {
    const world = await createWorld();
    world.file('bounces.csv', 'email,status\na@example.com,unsubscribed\nb@example.com,unsubscribed\n');
    const { code, err } = await world.svc('suppressions import bounces.csv --json');
    const { message, hint } = JSON.parse(err).error;
    expect([code, message]).toEqual([
      5,
      'nothing was sent: none of the 2 rows of bounces.csv is about a suppression: 2 people left only one list, so svc does not suppress them',
    ]);
    const line = hint.split('\n').find((text: string) => text.startsWith('svc '));
    expect(line).toBe('svc --yes suppressions import bounces.csv --json --reason unsubscribed');
    expect((await world.svc(line.split(' ').slice(2))).json.rows).toMatchObject({ suppressed: 2 });
  });

  test.each([
    [['email,status', 'a@example.com,unsubscribed', 'b@example.com,active'], ''],
    [['email,status', 'a@example.com,unsubscribed', 'b@example.com,pending'], ''],
    [['email,status', 'a@example.com,unsubscribed', 'b@example.com,foo'], '--status-map foo=skip'],
    [['email,status,unsubscribed', 'a@example.com,active,yes', 'b@example.com,active,no'], '--map status=ignore'],
    [['email,status', 'a@example.com,unsubscribed', 'b@example.com,"left, foo"'], '--status-map *=skip'],
  ])('offers no command that suppresses people who did not leave: %j (C5, C11)', async (lines, flags) => {
    const world = await createWorld();
    world.file('list.csv', [...lines, ''].join('\n'));
    const { code, err } = await world.svc(`suppressions import list.csv ${flags} --json`.split(/ +/));
    const commands = JSON.parse(err)
      .error.hint.split('\n')
      .filter((text: string) => text.startsWith('svc '));

    expect([code, commands.length]).toEqual([5, 3]);
    for (const command of commands) {
      const { json } = await world.svc([...splitShellText(command).slice(2), '--dry-run']);
      expect([command, Object.values(json.plan.suppressions)]).toEqual([command, [1]]);
    }
  });

  test.each([
    ['bounced', 'bounced'],
    ['complained', 'complained'],
    ['unsubscribed', 'suppressed'],
    ['bounced', 'unsubscribed'],
  ])('accepts --reason %s when --status-map left=%s does not contradict (C5)', async (reason, state) => {
    const world = await createWorld();
    world.file('list.csv', 'email,status\na@example.com,left\n');
    const line = `suppressions import list.csv --status-map left=${state} --reason ${reason} --dry-run --json`;
    const { code, json } = await world.svc(line);

    expect([code, json.plan.suppressions[reason]]).toEqual([0, 1]);
  });

  test.each(['--status-map foo=skip', '--status-map left=complained', '--default-status skip'])(
    'refuses --reason when it would override the answer %s (C5)',
    async (answer) => {
      const world = await createWorld();
      world.file('list.csv', 'email,status\na@example.com,left\nb@example.com,foo\n');
      const { code, err } = await world.svc(`suppressions import list.csv ${answer} --reason bounced --json`);
      const commands = JSON.parse(err)
        .error.hint.split('\n')
        .filter((text: string) => text.startsWith('svc '));

      expect([code, JSON.parse(err).error.code]).toEqual([2, 'contradicting_answers']);
      expect(commands).toEqual([
        `svc --yes suppressions import list.csv ${answer} --json`,
        'svc --yes suppressions import list.csv --reason bounced --json',
      ]);
    },
  );

  test.each([
    [{ reason: 'bounced' }, '--status-map foo=skip', 'without --reason, in the file of --mapping'],
    [{ status_map: ['foo=skip'] }, '--reason bounced', 'without --status-map, in the file of --mapping'],
  ])('names the mapping file when its %j contradicts the flag %s (C11)', async (mapping, answer, sentence) => {
    const world = await createWorld();
    world.file('list.csv', 'email,status\na@example.com,left\nb@example.com,foo\n');
    world.file('answers.json', JSON.stringify(mapping));
    const line = `suppressions import list.csv --mapping answers.json ${answer} --json`;
    const lines = JSON.parse((await world.svc(line)).err).error.hint.split('\n');

    expect(lines.filter((text: string) => text.startsWith('svc '))).toEqual([
      'svc --yes suppressions import list.csv --mapping answers.json --json',
    ]);
    expect(lines).toContain(sentence);
  });

  test('accepts --reason when the other answers do not contradict it', async () => {
    const world = await createWorld();
    world.file('list.csv', 'email,status\na@example.com,left\nb@example.com,foo\n');
    const answers = '--status-map foo=unsubscribed --default-status bounced --reason bounced';

    expect((await world.svc(`suppressions import list.csv ${answers} --json`)).json.rows.suppressed).toBe(2);
  });

  test('suppressions import warns about people who left only one list (C5)', async () => {
    const world = await createWorld();
    world.file('list.csv', 'email,status\na@example.com,unsubscribed\nb@example.com,bounced\n');
    const { code, json } = await world.svc('suppressions import list.csv --json');
    expect([code, json.rows.suppressed]).toEqual([0, 1]);
    const warned = json.findings.find(({ check }: { check: string }) => check === 'no_status');
    expect(warned).toMatchObject({ level: 'warn', message: expect.stringContaining('1 person left only one list') });
  });
});

describe('suppressions import of a list without a reason', () => {
  test('offers a command for each reason when a list to suppress has none (C11)', async () => {
    const world = await createWorld();
    world.file('a.csv', 'email\na@example.com\n');
    world.file('b.csv', 'email\nb@example.com\n');
    const one = await world.svc('suppressions import a.csv --json');
    const two = await world.svc('suppressions import a.csv b.csv --json');
    const hints = [one, two].map(({ err }) => JSON.parse(err).error.hint);
    expect([one.code, two.code]).toEqual([5, 5]);
    expect(hints[0].split('\n')).toEqual([
      'If they are suppressed as unsubscribed:',
      'svc --yes suppressions import a.csv --json --reason unsubscribed',
      'If they are suppressed as complained:',
      'svc --yes suppressions import a.csv --json --reason complained',
      'If they are suppressed as bounced:',
      'svc --yes suppressions import a.csv --json --reason bounced',
    ]);
    expect(hints[1]).toContain('svc --yes suppressions import a.csv b.csv --json --reason unsubscribed');
  });

  test.each([
    ['people who want mail', 'email,newsletter', ['a@example.com,yes', 'b@example.com,yes'], {}],
    [
      'a "no" in a column "suppressed"',
      'email,suppressed',
      ['a@example.com,no', 'b@example.com,yes'],
      { unsubscribed: 1 },
    ],
    ['a row without a reason', 'email,reason', ['a@example.com,', 'b@example.com,bounced'], { bounced: 1 }],
  ])('offers first to skip rows that are not about a suppression: %s (C11)', async (_, header, rows, written) => {
    const world = await createWorld();
    world.file('list.csv', [header, ...rows, ''].join('\n'));
    const { err } = await world.svc('suppressions import list.csv --json');
    const [when, line] = JSON.parse(err).error.hint.split('\n');
    expect(when).toBe('To leave out the rows that are not about a suppression:');
    await world.svc(line.split(' ').slice(2));
    expect((await world.svc('suppressions count --json')).json.by_reason).toEqual(written);
  });

  test('writes suppressions with the reason that the user chose at a terminal', async () => {
    const world = await createWorld();
    world.file('a.csv', 'email\na@example.com\n');
    const { code, err } = await world.svc('suppressions import a.csv', { answers: ['bounced', 'no', 'y'] });
    expect(err).toContain('1 row of a.csv has no status');
    expect([code, (await world.svc('suppressions count --json')).json.by_reason]).toEqual([0, { bounced: 1 }]);
  });
});
