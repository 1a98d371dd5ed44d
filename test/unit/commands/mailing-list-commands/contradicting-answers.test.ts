import { describe, expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { makeZip } from '../../import/make-zip.ts';

const LIST = 'Email,Status,Out\nana@example.com,moved,no\nben@example.com,subscribed,yes\n';

async function worldWithList(): Promise<World> {
  const world = await createWorld();
  world.file('list.csv', LIST);
  return world;
}

/** Two answers about one thing. The first one keeps mail away from a person, and the last one signs them up. */
const CONTRADICTIONS: readonly (readonly [flag: string, keeps: string, signsUp: string])[] = [
  ['--status-map', 'moved=unsubscribed', 'moved=subscribed'],
  ['--status-map', 'Status:moved=skip', 'Status:moved=subscribed'],
  ['--status-map', '=skip', '=subscribed'],
  ['--status-map', '--map=skip', '--map=subscribed'],
  ['--status-map', '-1=skip', '-1=subscribed'],
  ['--default-status', 'skip', 'subscribed'],
  ['--default-status', 'skip', '*=subscribed'],
  ['--default-status', 'list.csv=skip', './list.csv=subscribed'],
  ['--default-status', 'list.csv=unsubscribed', 'list.csv=subscribed'],
  ['--map', 'Out=status', 'Out=ignore'],
  ['--map', 'Out=status', 'Out=attributes.out'],
];
const COMMANDS = ['migrate', 'contacts import', 'suppressions import', 'contacts check'];

describe('two answers about one thing', () => {
  test.each(CONTRADICTIONS)(
    'refuses %s %s when the same flag also says %s, in each order (C1, C4)',
    async (flag, keeps, signsUp) => {
      const world = await worldWithList();
      for (const command of COMMANDS) {
        for (const [first, second] of [
          [keeps, signsUp],
          [signsUp, keeps],
        ] as const) {
          const line = [...command.split(' '), 'list.csv', flag, first, flag, second, '--json'];
          const { code, err } = await world.svc(line);
          const { error } = JSON.parse(err);

          expect([code, error.code]).toEqual([2, 'contradicting_answers']);
          expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
          const [, safest = ''] = error.hint.split('\n');
          expect(splitShellText(safest).slice(1)).toEqual(
            expect.arrayContaining([...command.split(' '), 'list.csv', flag, keeps]),
          );
          expect(splitShellText(safest)).not.toContain(signsUp);
        }
      }
    },
  );

  test('accepts the same answer when it is typed twice', async () => {
    const world = await worldWithList();
    const moved = '--status-map moved=skip --status-map moved=skip --map Out=ignore --map Out=ignore';
    const { code, err } = await world.svc(`migrate list.csv ${moved} --dry-run`);

    expect(code, err).toBe(0);
  });

  test.each([
    ['status_map', ['Moved=unsubscribed'], '--status-map moved=subscribed'],
    ['status_map', ['Status:moved=skip'], '--status-map status:Moved=subscribed'],
    ['status_map', ['moved=skip', '=skip'], '--status-map moved=subscribed'],
    ['default_status', ['*=skip'], '--default-status subscribed --status-map moved=subscribed'],
  ])('lets a typed answer outrank %s %j of a mapping file', async (field, stored, typed) => {
    const world = await worldWithList();
    world.file('answers.json', JSON.stringify({ [field]: stored }));
    const { code, json, err } = await world.svc(
      `migrate list.csv --mapping answers.json ${typed} --map Out=ignore --yes --json`,
    );

    expect([code, json?.rows.created], err).toEqual([0, 2]);
  });

  test.each([
    ['status_map', ['Status:moved=subscribed'], '--status-map Moved=unsubscribed'],
    ['status_map', ['list.csv:Status:moved=subscribed'], '--status-map status:moved=skip'],
    ['status_map', ['list.csv:moved=subscribed', 'Status:moved=subscribed'], '--status-map moved=suppressed'],
    ['status_map', ['moved=skip', 'Status:*=subscribed'], '--status-map *=skip'],
    ['map', ['list.csv:Status=ignore'], '--map Status=status --status-map moved=skip'],
    ['default_status', ['list.csv=subscribed'], '--map Status=ignore --default-status skip'],
  ])('ignores %s %j of a mapping file when the line has %s (C1)', async (field, stored, typed) => {
    const world = await worldWithList();
    world.file('answers.json', JSON.stringify({ [field]: stored }));
    const { code, json, err } = await world.svc(
      `migrate list.csv --mapping answers.json ${typed} --map Out=ignore --yes --json`,
    );

    expect([code, json.rows.read], err).toEqual([0, 2]);
    expect(world.emulator.admin.contact('ana@example.com')?.status).not.toBe('subscribed');
  });

  test.each([
    ['status_map', ['list.csv:2:moved=subscribed'], '--status-map', 'Status:moved=skip'],
    ['status_map', ['./list.csv:2:moved=subscribed'], '--status-map', 'list.csv:moved=unsubscribed'],
    ['map', ['list.csv:2=ignore'], '--map', 'Status=status'],
    ['map', ['list.csv:status=attributes.state'], '--map', 'Status=status'],
  ])('refuses %s %j of a mapping file when it outranks a typed %s %s (C1, C10)', async (field, stored, flag, typed) => {
    const world = await worldWithList();
    world.file('answers.json', JSON.stringify({ [field]: stored, default_status: ['subscribed'] }));
    const answered = flag === '--map' ? 'moved=skip' : '*=subscribed';
    const others = ['--map', 'Out=ignore', '--status-map', answered, '--json'];
    const line = ['migrate', 'list.csv', '--mapping', 'answers.json', flag, typed, ...others];
    const { code, err } = await world.svc(line);
    const { error } = JSON.parse(err);
    const [replaced] = error.hint.split('\n').filter((text: string) => text.startsWith('svc '));

    expect([code, error.code]).toEqual([2, 'contradicting_answers']);
    expect((await world.svc(splitShellText(replaced).slice(1))).code).toBe(0);
    expect(world.emulator.admin.contact('ana@example.com')?.status).not.toBe('subscribed');
  });

  test('refuses a mapping file that signs up people of a skipped archive (C1)', async () => {
    const world = await createWorld();
    const entries = ['ana', 'ben'].map((name) => ({ name: `${name}.csv`, content: `Email\n${name}@example.com\n` }));
    world.file('lists.zip', makeZip(entries));
    world.file('answers.json', JSON.stringify({ default_status: ['ana.csv=subscribed', 'ben.csv=subscribed'] }));
    const { code, err } = await world.svc(
      'migrate lists.zip --mapping answers.json --default-status lists.zip=skip --json',
    );

    expect([code, JSON.parse(err).error.code]).toEqual([2, 'contradicting_answers']);
  });

  test('a saved answer for a word outranks the flag --status-map *=skip', async () => {
    const world = await worldWithList();
    world.file('answers.json', JSON.stringify({ status_map: ['moved=subscribed'] }));
    const { json } = await world.svc(
      'migrate list.csv --mapping answers.json --status-map *=skip --map Out=ignore --json',
    );

    expect(json.rows.created).toBe(2);
  });

  test('refuses a mapping file that has two answers for one word (C1)', async () => {
    const world = await worldWithList();
    world.file('answers.json', JSON.stringify({ status_map: ['moved=unsubscribed', 'moved=subscribed'] }));
    const { code, err } = await world.svc('migrate list.csv --mapping answers.json --yes');

    expect([code, world.requests()], err).toEqual([2, []]);
    expect(err).toContain('without --status-map moved=subscribed, in the file of --mapping');
  });
});
