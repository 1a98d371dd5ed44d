import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { createWorld, type World } from '../../../support/world.ts';

const HEADER = 'Email,Status,left_at';
const FLAGS = '--map left_at=unsubscribed_at';
const MARCH = Date.UTC(2024, 2, 5);
const MAY = Date.UTC(2024, 4, 3);
const FURTHER = [HEADER, 'eve@example.com,unsubscribed,05/03/2024'];

interface Import {
  readonly names?: readonly string[];
  readonly flags: string;
}

/** Imports lists with a bad row each, and corrects their rejects files. Returns the paths of these. */
async function importAndCorrect(world: World, { names = [], flags }: Import): Promise<readonly string[]> {
  for (const name of names) {
    const rows = [`ok-${name}@example.com,subscribed,`, `${name} at example.com,unsubscribed,05/03/2024`];
    write(world, `${name}/list.csv`, [HEADER, ...rows]);
  }
  const lists = names.map((name) => `${name}/list.csv`);
  const { code, json, err } = await world.svc(['migrate', ...lists, '--yes', '--json', ...flags.split(' ')]);
  expect(code, err).toBe(3);
  for (const path of json.files.rejects) {
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(' at ', '@'));
  }
  return json.files.rejects;
}

function write(world: World, path: string, lines: readonly string[]): void {
  mkdirSync(join(world.folder, path, '..'), { recursive: true });
  world.file(path, `${lines.join('\n')}\n`);
}

function datesOf(world: World, names: readonly string[]) {
  return names.map((name) => world.emulator.admin.contact(`${name}@example.com`)?.unsubscribed_at);
}

const [DMY, MDY] = [`--date-order dmy ${FLAGS}`, `--date-order mdy ${FLAGS}`];

test.each<readonly [what: string, imports: readonly Import[], flags: string]>([
  ['one run', [{ names: ['a', 'b'], flags: DMY }], ''],
  [
    'two runs with the same answers',
    [
      { names: ['a'], flags: DMY },
      { names: ['b'], flags: DMY },
    ],
    '',
  ],
  [
    'two runs, and the answer is typed',
    [
      { names: ['a'], flags: DMY },
      { names: ['b'], flags: MDY },
    ],
    '--date-order dmy',
  ],
])('reads rejects files together when they are of %s (F9)', async (_, imports, flags) => {
  const world = await createWorld();
  const files: string[] = [];
  for (const one of imports) {
    files.push(...(await importAndCorrect(world, one)));
  }
  const { code, err } = await world.svc(`migrate ${files.join(' ')} --yes --json ${flags}`);
  expect([code, ...datesOf(world, ['a', 'b'])], err).toEqual([0, MARCH, MARCH]);
});

test.each<readonly [what: string, first: Import, second: Import | undefined, dates: readonly number[]]>([
  ['other dates', { names: ['a'], flags: DMY }, { names: ['b'], flags: MDY }, [MARCH, MAY]],
  [
    'another mapping',
    { names: ['a'], flags: `${DMY} --map Status=status` },
    { names: ['b'], flags: DMY },
    [MARCH, MARCH],
  ],
])('asks for one command a file when rejects need %s (F9)', async (_, first, second, dates) => {
  const world = await createWorld();
  const files = [...(await importAndCorrect(world, first)), ...(second ? await importAndCorrect(world, second) : [])];
  world.requests();
  const { code, err } = await world.svc(['migrate', ...files, '--yes', '--json', '--max-failures', '7']);
  const { error } = JSON.parse(err);
  expect([code, error.code]).toEqual([2, 'different_answers']);
  expect(world.requests().filter(({ method }) => method === 'POST')).toEqual([]);

  const commands = (error.hint as string).split('\n').filter((line) => line.startsWith('svc '));
  expect(commands).toEqual(files.map((file) => `svc --yes migrate ${file} --yes --json --max-failures 7`));
  for (const command of commands) {
    const alone = await world.svc(splitShellText(command).slice(1));
    expect(alone.code, alone.err).toBe(0);
  }
  expect(datesOf(world, ['a', 'b'])).toEqual(dates);
});

test.each<readonly [what: string, flags: string, expected: readonly [code: number, ...dates: unknown[]]]>([
  ['no answer', '', [2, undefined, undefined]],
  ['the other answer', MDY, [0, MAY, MAY]],
  ['all answers', DMY, [0, MARCH, MARCH]],
])('reads no other list with the answers of rejects when %s is typed (F9)', async (_, flags, expected) => {
  const world = await createWorld();
  const [file = ''] = await importAndCorrect(world, { names: ['a'], flags: DMY });
  write(world, 'other.csv', FURTHER);
  const { code, err } = await world.svc(`migrate other.csv ${file} --yes --json ${flags}`);
  expect([code, ...datesOf(world, ['a', 'eve'])], err).toEqual(expected);
});

test('reads rejects together with a list of the same run (F9)', async () => {
  const world = await createWorld();
  write(world, 'other.csv', FURTHER);
  write(world, 'a.csv', [HEADER, 'a at example.com,unsubscribed,05/03/2024']);
  const first = await world.svc(`migrate a.csv other.csv --yes --json ${DMY}`);
  const [file] = first.json.files.rejects;
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(' at ', '@'));
  const { code, err } = await world.svc(`migrate ${file} other.csv --yes --json`);
  expect([code, ...datesOf(world, ['a', 'eve'])], err).toEqual([0, MARCH, MARCH]);
});

test.each([
  ['the list of its run and another rejects file', ['other', 'a/list.csv']],
  ['an opt-out list', ['left.csv']],
])('prints no command for rejects alone beside %s (C9, F9)', async (_, beside) => {
  const world = await createWorld();
  const [file = ''] = await importAndCorrect(world, { names: ['a'], flags: DMY });
  const [other = ''] = await importAndCorrect(world, { names: ['b'], flags: MDY });
  write(world, 'left.csv', ['Email,Status', 'a@example.com,unsubscribed']);
  const files = [file, ...beside.map((name) => (name === 'other' ? other : name))];

  const { code, err } = await world.svc(['migrate', ...files, '--yes', '--json']);

  const { error } = JSON.parse(err);
  expect([code, error.code]).toEqual([2, 'different_answers']);
  expect(error.hint).toMatch(/^An opt-out in one of these files must hold/);
  expect(error.hint).not.toContain('migrate');
});

test('asks for one command a file when the run of one is gone (F9)', async () => {
  const world = await createWorld();
  const [file = ''] = await importAndCorrect(world, { names: ['a'], flags: DMY });
  write(world, 'b.csv', [
    'svc_file,svc_line,svc_column,svc_reason,svc_detail,svc_state,Email,Status,left_at',
    'old.csv,7,Email,invalid_email,,,b@example.com,unsubscribed,05/03/2024',
  ]);
  const { code, err } = await world.svc(`migrate ${file} b.csv --yes --json`);
  expect([code, ...datesOf(world, ['a', 'b'])], err).toEqual([2, undefined, undefined]);
  expect(JSON.parse(err).error.hint).toContain('\nsvc --yes migrate b.csv --yes --json');
});
