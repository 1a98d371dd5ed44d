import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';

const OTHER_USER = 65_534;
const isRoot = process.geteuid?.() === 0;

/** Changes the owner of everything here. Without the right to do so, the program gets another user id instead. */
function giveAway(world: World): RunOptions {
  if (!isRoot) {
    return { user: (process.geteuid?.() ?? 0) + 1 };
  }
  for (const name of ['.', ...readdirSync(world.folder, { recursive: true }).map(String)]) {
    lchownSync(join(world.folder, name), OTHER_USER, OTHER_USER);
  }
  return {};
}
const CREATE = 'webhooks create --url https://hooks.example.com/in --event email.sent --secret-file';

describe('the file of --secret-file, and the file of profiles', () => {
  const exposures: readonly (readonly [string, (world: World) => string, string])[] = [
    [
      'it has a second name',
      (world) => {
        linkSync(world.file('secret', ''), join(world.folder, 'other'));
        return 'secret';
      },
      'second name',
    ],
    [
      'a group can write to it',
      (world) => {
        chmodSync(world.file('secret', ''), 0o660);
        return 'secret';
      },
      'chmod go-w',
    ],
    [
      'all users can write to its folder',
      (world) => {
        mkdirSync(join(world.folder, 'open'));
        chmodSync(join(world.folder, 'open'), 0o777);
        return 'open/secret';
      },
      'chmod go-w',
    ],
    [
      'all users can write to a folder above it',
      (world) => {
        mkdirSync(join(world.folder, 'open', 'inner'), { recursive: true });
        chmodSync(join(world.folder, 'open'), 0o777);
        return 'open/inner/secret';
      },
      'chmod go-w',
    ],
    [
      'a link leads through such a folder',
      (world) => {
        mkdirSync(join(world.folder, 'open'));
        mkdirSync(join(world.folder, 'closed'));
        chmodSync(join(world.folder, 'open'), 0o777);
        symlinkSync(join(world.folder, 'closed'), join(world.folder, 'open', 'way'));
        return 'open/way/secret';
      },
      'chmod go-w',
    ],
    [
      'it is a link',
      (world) => {
        symlinkSync(world.file('elsewhere', ''), join(world.folder, 'secret'));
        return 'secret';
      },
      'it is a link',
    ],
  ];

  test.each(exposures)('refuses a secret file before any request when %s (K8)', async (_, prepare, why) => {
    const world = await createWorld();
    const path = prepare(world);
    const { code, err } = await world.svc(`${CREATE} ${path}`);
    expect(code).toBe(2);
    expect(err).toContain(why);
    expect(world.requests()).toEqual([]);
    expect(existsSync(join(world.folder, path)) && readFileSync(join(world.folder, path), 'utf8')).toBeFalsy();
  });

  test("refuses a secret file when it or its folder is another user's (K8)", async () => {
    const world = await createWorld();
    world.file('secret', '');
    const given = giveAway(world);
    for (const path of ['secret', 'new']) {
      const { code, err } = await world.svc(`${CREATE} ${path}`, given);
      expect(code).toBe(2);
      expect(err).toContain('belongs to another user');
    }
    expect(world.requests()).toEqual([]);
  });

  test('accepts a secret file in a shared folder with the sticky bit (K8)', async () => {
    const world = await createWorld();
    mkdirSync(join(world.folder, 'shared'));
    chmodSync(join(world.folder, 'shared'), 0o1777);
    const { code, err } = await world.svc(`${CREATE} shared/secret`);
    expect(code, err).toBe(0);
    expect(readFileSync(join(world.folder, 'shared', 'secret'), 'utf8')).not.toBe('');
  });

  test.skipIf(!isRoot)('refuses a secret file that another user created before (K8)', async () => {
    const world = await createWorld();
    chownSync(world.file('secret', ''), OTHER_USER, OTHER_USER);
    const { code } = await world.svc(`${CREATE} secret`);
    expect([code, world.requests(), readFileSync(join(world.folder, 'secret'), 'utf8')]).toEqual([2, [], '']);
  });

  test('stores no key when other users can write to the profile folder (K8)', async () => {
    const world = await createWorld();
    mkdirSync(join(world.folder, 'config'));
    chmodSync(join(world.folder, 'config'), 0o777);
    const { code, err } = await world.svc('auth login --json', { stdin: world.emulator.apiKey });
    expect(code).toBe(2);
    expect(JSON.parse(err).error).toMatchObject({
      code: 'config_exposed',
      hint: expect.stringContaining('chmod go-w'),
    });
    expect(existsSync(join(world.folder, 'config', 'svc', 'config.json'))).toBe(false);
  });
});

describe('a key file, and the folder of runs', () => {
  const read = (world: World, given: RunOptions = {}) => world.svc('audiences ls --api-key-file key', given);

  test.each([
    ['others can write to it', (path: string) => chmodSync(path, 0o666), 'chmod go-w'],
    ['it has a second name', (path: string) => linkSync(path, `${path}-2`), 'second name'],
  ])('warns once about a key file when %s (K8)', async (_, open, why) => {
    const world = await createWorld();
    const path = world.file('key', world.emulator.apiKey);
    expect((await read(world)).err).toBe('');
    open(path);
    const { code, err } = await read(world);
    expect(code).toBe(0);
    expect(err).toMatch(/^warning: .*\n$/);
    expect(err).toContain(why);
  });

  test('warns about a key file, profiles and state folder of another user (K8)', async () => {
    const world = await createWorld();
    world.file('key', world.emulator.apiKey);
    mkdirSync(join(world.folder, 'config', 'svc'), { recursive: true });
    mkdirSync(join(world.folder, 'state', 'svc'), { recursive: true });
    writeFileSync(join(world.folder, 'config', 'svc', 'config.json'), '{}');
    const { code, err } = await read(world, giveAway(world));
    expect(code, err).toBe(0);
    for (const path of ['key', 'config/svc/config.json', 'state/svc']) {
      expect(err).toContain(`warning: ${join(world.folder, path)} belongs to another user`);
    }
  });

  test.each([
    ['the state folder', 'state/svc', ''],
    ['the file of profiles', 'config/svc/config.json', '{}'],
  ])('warns about %s when other users can write to it (K8)', async (_, path, content) => {
    const world = await createWorld();
    const place = join(world.folder, path);
    mkdirSync(content === '' ? place : join(place, '..'), { recursive: true });
    if (content !== '') {
      writeFileSync(place, content);
    }
    chmodSync(place, 0o777);
    const { code, err } = await world.svc('audiences ls');
    expect(code).toBe(0);
    expect(err).toBe(`warning: other users can write to ${place}. chmod go-w ${place}\n`);
  });
});

describe('a file that a flag names for writing', () => {
  const LINES = [
    ['--report', 'contacts import list.csv --report out'],
    ['--save-mapping', 'contacts import list.csv --save-mapping out'],
    ['--output', 'contacts export --output out --force'],
    ['--cursor-file', 'contacts export --cursor-file out'],
  ] as const;

  async function prepare(): Promise<World> {
    const world = await createWorld();
    world.file('list.csv', 'email,status\nana@example.com,subscribed\n');
    return world;
  }

  test.each(LINES)('refuses the file of %s when another user owns it, and keeps it (K8)', async (_, line) => {
    const world = await prepare();
    const path = world.file('out', 'precious');
    const { code, err } = await world.svc(line, giveAway(world));
    expect(code).toBe(2);
    expect(err).toContain('it belongs to another user');
    expect(readFileSync(path, 'utf8')).toBe('precious');
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test.each(LINES)('refuses the file of %s when it is a link of another user (K8)', async (_, line) => {
    const world = await prepare();
    const path = world.file('precious', 'precious');
    symlinkSync(path, join(world.folder, 'out'));
    const { code, err } = await world.svc(line, giveAway(world));
    expect(code).toBe(2);
    expect(err).toContain('it is a link of another user');
    expect([readFileSync(path, 'utf8'), readlinkSync(join(world.folder, 'out'))]).toEqual(['precious', path]);
  });

  test.skipIf(!isRoot).each(LINES)(
    'does not write the file of %s through a link of another user (K8)',
    async (_, line) => {
      const world = await prepare();
      const path = world.file('precious', 'precious');
      symlinkSync(path, join(world.folder, 'out'));
      lchownSync(join(world.folder, 'out'), OTHER_USER, OTHER_USER);
      expect((await world.svc(line)).code).toBe(2);
      expect(readFileSync(path, 'utf8')).toBe('precious');
    },
  );

  test('replaces the file behind a link in one step, and keeps its mode (K8)', async () => {
    const world = await prepare();
    const path = world.file('kept', 'old');
    chmodSync(path, 0o644);
    const before = statSync(path).ino;
    symlinkSync(path, join(world.folder, 'out'));
    expect((await world.svc('contacts import list.csv --report out')).code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8')).object).toBe('run_report');
    expect(lstatSync(join(world.folder, 'out')).isSymbolicLink()).toBe(true);
    expect([statSync(path).mode & 0o777, statSync(path).ino === before]).toEqual([0o644, false]);
  });

  test('makes a new output file that only its owner can read (K8)', async () => {
    const world = await prepare();
    await world.svc('contacts import list.csv --report out');
    expect(statSync(join(world.folder, 'out')).mode & 0o777).toBe(0o600);
  });

  test('writes a report to a device, and refuses to write an export there (K8)', async () => {
    const world = await prepare();
    expect((await world.svc('contacts import list.csv --report /dev/null')).code).toBe(0);
    expect((await world.svc('contacts export --output /dev/null --force')).code).toBe(2);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});
