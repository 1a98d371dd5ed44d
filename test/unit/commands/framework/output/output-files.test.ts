import { accessSync, constants, existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../../../src/base/context.ts';
import { checkOutputFiles } from '../../../../../src/commands/mailing-list-commands/output-files.ts';
import { people } from '../../../../support/lists.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';
import { createWorld, type World } from '../../../../support/world.ts';

const errorOf = ({ code, err }: { readonly code: number; readonly err: string }) => [code, JSON.parse(err).error.code];

/** Other paths of the list: indirect, a symbolic link, a hard link. */
const NAMES: readonly (readonly [string, (world: World) => string])[] = [
  ['the same path', (world) => join(world.folder, 'list.csv')],
  ['a path with a detour', () => '../$FOLDER/./list.csv'],
  [
    'a symbolic link',
    (world) => {
      symlinkSync(join(world.folder, 'list.csv'), join(world.folder, 'soft'));
      return 'soft';
    },
  ],
  [
    'a hard link',
    (world) => {
      linkSync(join(world.folder, 'list.csv'), join(world.folder, 'hard'));
      return 'hard';
    },
  ],
];

describe.each(['--report', '--report-html', '--save-mapping'])('an output flag, here %s', (flag) => {
  test.each(NAMES)('refuses an output flag that names the input, before any read: %s', async (_, nameOf) => {
    const world = await createWorld();
    const text = people(3);
    const list = world.file('list.csv', text);
    const path = nameOf(world).replace('$FOLDER', world.folder.split('/').at(-1)!);

    for (const command of [['migrate'], ['automations', 'enroll', 'aut_x']]) {
      const result = await world.svc([...command, list, '--json', flag, path]);
      expect(errorOf(result)).toEqual([2, 'bad_output']);
    }
    expect(readFileSync(list, 'utf8')).toBe(text);
    expect(world.requests()).toEqual([]);
    expect(existsSync(join(world.folder, 'state'))).toBe(false);
  });

  test.each([
    ['a folder', '.'],
    ['a folder that does not exist', 'nowhere/'],
    ['a file in no folder', 'nowhere/file.json'],
  ])('refuses an output flag before any read when it names %s', async (_, path) => {
    const world = await createWorld();
    const result = await world.svc(['migrate', world.file('list.csv', people(3)), '--json', flag, path]);
    expect(errorOf(result)).toEqual([2, 'bad_output']);
    expect(world.requests()).toEqual([]);
  });
});

test.each([
  'migrate list.csv --report',
  'migrate list.csv --report-html',
  'migrate list.csv --save-mapping',
  'migrate list.csv --log-file',
  'contacts check list.csv --output',
  'contacts export --output',
])('refuses a file name that is too long in %s, and asks for another one', async (line) => {
  const world = await createWorld();
  world.file('list.csv', people(3));
  const { code, err } = await world.svc(`${line} ${'x'.repeat(300)}`);
  expect([code, err]).toEqual([2, expect.stringMatching(/ENAMETOOLONG.*\n {2}Name another file/)]);
});

test('refuses one file for two outputs, or for an output and --mapping', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  world.file('answers.json', '{}');
  const lines = [
    ['--report', 'one.json', '--save-mapping', 'one.json'],
    ['--report', 'one.json', '--report-html', 'one.json'],
    ['--report-html', 'one.json', '--save-mapping', 'one.json'],
    ['--report-html', 'answers.json', '--mapping', 'answers.json'],
    ['--report', 'answers.json', '--mapping', 'answers.json'],
    ['--log-file', 'one.json', '--save-mapping', 'one.json'],
  ];
  for (const flags of lines) {
    expect(errorOf(await world.svc(['migrate', list, '--json', ...flags]))).toEqual([2, 'bad_output']);
  }
});

test.each([
  ['contacts check list.csv', 'contacts check list.csv', 3],
  ['runs verify', 'contacts import list.csv', 0],
  ['runs resume', 'contacts import list.csv', 4],
])('does not write into the list when %s names it as --log-file (D7)', async (line, first, exit) => {
  const world = await createWorld();
  const text = people(3);
  const list = world.file('list.csv', text);
  if (exit === 4) {
    world.refuse('POST /v1/audiences/*/contacts/batch', { status: 403, code: 'forbidden' });
  }
  expect((await world.svc(first)).code).toBe(exit);
  const refused = await world.svc([...line.split(' '), '--log-file', list, '--json']);
  expect([errorOf(refused), readFileSync(list, 'utf8')]).toEqual([[2, 'bad_output'], text]);
});

test('refuses --log-file with the file of --output in a check and its resume', async () => {
  const world = await createWorld();
  world.file('list.csv', people(3));
  const line = 'contacts check list.csv --output all.csv';
  expect(errorOf(await world.svc(`${line} --json --log-file all.csv`))).toEqual([2, 'bad_output']);
  world.refuse('GET /v1/audiences/*/contacts', { status: 403, code: 'forbidden', times: 1 });
  expect((await world.svc(line)).code).toBe(4);
  expect(errorOf(await world.svc('runs resume --json --log-file all.csv'))).toEqual([2, 'bad_output']);
});

test('accepts the same file for --mapping and --save-mapping', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  world.file('answers.json', '{"timezone":"Europe/Madrid"}');
  const { code } = await world.svc(['migrate', list, '--mapping', 'answers.json', '--save-mapping', 'answers.json']);
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync(join(world.folder, 'answers.json'), 'utf8')).timezone).toBe('Europe/Madrid');
});

const NO_ADDRESS = `${people(3)}no address,x,subscribed\n`;

/** A file that can't be written at the end of a run, and the error. The records of the run must survive. */
const LATE: readonly (readonly [flag: string, path: string, list: string, exit: number, error: string])[] = [
  ['--report', '/dev/full', people(3), 2, "report_unwritable: the report can't be written to /dev/full"],
  ['--report', 'gone/copy.json', people(3), 2, "report_unwritable: the report can't be written to ~/gone/copy.json"],
  ['--report', 'gone/copy.json', NO_ADDRESS, 3, "report_unwritable: the report can't be written to ~/gone/copy.json"],
  ['--report-html', '/dev/full', people(3), 2, "report_unwritable: the report can't be written to /dev/full"],
  [
    '--report-html',
    'gone/copy.html',
    people(3),
    2,
    "report_unwritable: the report can't be written to ~/gone/copy.html",
  ],
  [
    '--save-mapping',
    'gone/answers.json',
    people(3),
    2,
    "mapping_unwritable: the mapping can't be written to gone/answers.json: ENOENT: no such file or directory",
  ],
  [
    '--save-mapping',
    'gone/answers.json',
    NO_ADDRESS,
    3,
    "mapping_unwritable: the mapping can't be written to gone/answers.json: ENOENT: no such file or directory",
  ],
  [
    '--save-mapping',
    '/dev/full',
    people(3),
    2,
    "mapping_unwritable: the mapping can't be written to /dev/full: ENOSPC: no space left on device",
  ],
];

test.runIf(existsSync('/dev/full')).each(LATE)(
  'fails at the end of a run when svc cannot write %s %s (D2)',
  async (flag, path, list, exit, message) => {
    const world = await createWorld();
    mkdirSync(join(world.folder, 'gone'));
    const run = {
      onEvent: ({ type }: { readonly type: string }) =>
        type === 'request' ? rmSync(join(world.folder, 'gone'), { recursive: true, force: true }) : undefined,
    };
    const result = await world.svc(['migrate', world.file('list.csv', list), '--json', flag, path], run);
    const { error } = JSON.parse(result.err);
    const text = `${error.code}: ${error.message}`.replaceAll(world.folder, '~').replace(/, (write|mkdtemp).*/, '');
    expect([result.code, text]).toEqual([exit, message]);
    expect([result.json.rows.created, existsSync(result.json.files.report)]).toEqual([3, true]);
    const [kept] = (await world.svc('runs ls --json')).json;
    expect([kept.finished, kept.exit_code]).toEqual([true, result.json.exit_code]);
  },
);

/**
 * True if the system says beforehand that no file can be made in the folder. Some systems say that root may write
 * anywhere.
 */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

test.runIf(isReadOnly('/proc/self')).each(['--report', '--report-html', '--save-mapping'])(
  'sends nothing when the folder of %s is read-only (D2)',
  async (flag) => {
    const world = await createWorld();
    const result = await world.svc(['migrate', world.file('list.csv', people(3)), '--json', flag, '/proc/self/copy']);
    expect([errorOf(result), world.requests()]).toEqual([[2, 'bad_output'], []]);
  },
);

test.runIf(existsSync('/proc/self')).each(['migrate list.csv', 'contacts check list.csv', 'audiences create News'])(
  '%s exits 2 when its state folder cannot be made',
  async (line) => {
    const world = await createWorld();
    world.file('list.csv', people(3));
    const { code, err } = await world.svc(`${line} --json --state-dir /proc/self/state`);
    const { hint } = JSON.parse(err).error;
    expect([code, hint, world.requests().filter(({ method }) => method !== 'GET')]).toEqual([
      2,
      'Name a folder with --state-dir <dir> or SVC_STATE_DIR',
      [],
    ]);
  },
);

test.each(['101%', '200%', '100.5%'])('refuses --max-failures %s', async (limit) => {
  const world = await createWorld();
  const result = await world.svc(['migrate', world.file('list.csv', people(3)), '--json', '--max-failures', limit]);
  expect(errorOf(result)).toEqual([2, 'usage']);
});

test.each([
  ['state', 'migrate list.csv'],
  ['state/below', 'migrate list.csv'],
  ['state', 'runs ls'],
  ['state/below', 'runs show latest'],
  ['state', 'runs resume'],
  ['state', 'runs prune --older-than 30d --yes'],
])('refuses a state folder at or below a file, and names the file: %s, %s', async (path, command) => {
  const world = await createWorld();
  world.file('state', 'a file');
  world.file('list.csv', people(3));
  const result = await world.svc([...command.split(' '), '--json', '--state-dir', path]);
  expect([result.code, JSON.parse(result.err).error]).toEqual([
    2,
    {
      code: 'state_not_folder',
      message: `${join(world.folder, 'state')} is not a folder`,
      hint: 'Name a folder with --state-dir <dir> or SVC_STATE_DIR',
      exit_code: 2,
    },
  ]);
});

test.each([
  ['-', undefined],
  ['list.csv', 'bad_output'],
])('refuses an output file with the name of the input %s, except for stdin', (input, code) => {
  const context = { cwd: tempFolder(), platform: { user: undefined } } as unknown as Context;
  const codes = ['report', 'reportHtml', 'saveMapping', 'output', 'logFile'].map((name) => {
    try {
      checkOutputFiles(context, { inputs: [input], [name]: join(context.cwd, input) });
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    }
  });
  expect(codes).toEqual(Array(5).fill(code));
});
