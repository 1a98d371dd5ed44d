import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/base/lib/hash.ts';
import { splitShellText } from '../../../src/base/lib/text.ts';
import { startProgram } from '../../support/program.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createWorld, type World } from '../../support/world.ts';

/** A program that takes the lock at the path that it gets, and never ends. */
const HOLD_LOCK = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(process.argv[1]);
  db.exec('BEGIN EXCLUSIVE');
  console.log('locked');
  setInterval(() => db.isOpen, 1000);`;

const NO_KEY = { SVC_API_KEY: '' };

function config(world: World) {
  return JSON.parse(readFileSync(join(world.folder, 'config', 'svc', 'config.json'), 'utf8'));
}

describe('auth login', () => {
  test.each([
    ['typed at a terminal', (key: string) => ({ answers: [key] })],
    ['from standard input', (key: string) => ({ stdin: `${key}\n` })],
  ])('auth login stores a key %s with its origin, in a private file', async (_, given) => {
    const world = await createWorld();
    const key = world.emulator.apiKey;
    const { code, out, err } = await world.svc('auth login', { ...given(key), env: NO_KEY });
    expect(code, err).toBe(0);
    expect(`${out}${err}`).not.toContain(key);
    expect(err).toContain('not in a keychain');
    expect(config(world).profiles.default).toEqual({
      base_url: 'https://mail.example.test/api',
      api_key: key,
      api_key_origin: 'https://mail.example.test',
    });
    expect(statSync(join(world.folder, 'config', 'svc', 'config.json')).mode & 0o777).toBe(0o600);
    expect((await world.svc('audiences ls --json', { env: { ...NO_KEY, SVC_BASE_URL: '' } })).json).toHaveLength(1);
  });

  test('sends a stored API key to no other origin (K4)', async () => {
    const world = await createWorld();
    await world.svc('auth login', { answers: [world.emulator.apiKey], env: NO_KEY });
    world.requests();
    const { code } = await world.svc('audiences ls', { env: { ...NO_KEY, SVC_BASE_URL: 'https://evil.example.test' } });
    expect([code, world.requests()]).toEqual([4, []]);
  });

  test('auth login creates a new profile and keeps the other profiles', async () => {
    const world = await createWorld();
    await world.svc('auth login', { answers: [world.emulator.apiKey], env: NO_KEY });
    const result = await world.svc('auth login --profile shop --json', { stdin: world.emulator.apiKey, env: NO_KEY });
    expect([result.code, result.json.profile, Object.keys(config(world).profiles)]).toEqual([
      0,
      'shop',
      ['default', 'shop'],
    ]);
    expect((await world.svc('audiences ls --profile shop', { env: { ...NO_KEY, SVC_BASE_URL: '' } })).code).toBe(0);
  });

  test.each([
    ['a test key', 'service_test_abc', 4, 0],
    ['an unknown key', 'svc_wrong', 4, 1],
    ['no key', '', 4, 0],
    ['a key with a blank inside', 'two words', 4, 0],
  ])('auth login stores nothing when it gets %s', async (_, key, code, requests) => {
    const world = await createWorld();
    const result = await world.svc('auth login', { stdin: key, env: NO_KEY });
    expect([result.code, world.requests().length]).toEqual([code, requests]);
    expect(() => config(world)).toThrow();
    expect(key === '' || !result.err.includes(key) || key === 'two words').toBe(true);
  });

  test('auth login asks for the base URL when none is set, and then for the key', async () => {
    const world = await createWorld();
    const answers = ['https://mail.example.test/api', world.emulator.apiKey];
    const { code, err } = await world.svc('auth login', { answers, env: { ...NO_KEY, SVC_BASE_URL: '' } });
    expect([code, config(world).profiles.default.base_url]).toEqual([0, 'https://mail.example.test/api']);
    expect(err).not.toContain(world.emulator.apiKey);
  });

  test.each([
    ['standard input has only a key', { stdin: 'svc_later\n' }],
    ['the answer is blank', { answers: ['  '] }],
  ])('auth login stores nothing when no base URL is set and %s', async (_, given) => {
    const world = await createWorld();
    const result = await world.svc('auth login --json', { ...given, env: { ...NO_KEY, SVC_BASE_URL: '' } });
    const { error } = JSON.parse(result.err.slice(result.err.indexOf('{')));
    expect([result.code, error.code, error.hint]).toEqual([
      2,
      'no_base_url',
      'Give --base-url https://…, or set SVC_BASE_URL.',
    ]);
    expect(() => config(world)).toThrow();
  });

  test('auth login sends nothing with --no-check, and takes no key as argument', async () => {
    const world = await createWorld();
    expect((await world.svc('auth login --no-check', { stdin: 'svc_later', env: NO_KEY })).code).toBe(0);
    expect(world.requests()).toEqual([]);
    expect((await world.svc('auth login --api-key svc_x', { env: NO_KEY })).code).toBe(2);
  });
});

describe('several processes that change the profiles', () => {
  const login = (home: string, profile: string) => {
    const env = { XDG_CONFIG_HOME: home, HOME: home, SVC_BASE_URL: 'https://mail.example.test' };
    const program = startProgram(['auth', 'login', '--no-check', '--profile', profile], env);
    program.child.stdin.end('svc_invented_key');
    return program.exit;
  };
  const keysIn = (home: string) => {
    const { profiles } = JSON.parse(readFileSync(join(home, 'svc', 'config.json'), 'utf8'));
    const names = Object.keys(profiles).filter((name) => profiles[name].api_key !== undefined);
    return names.toSorted();
  };

  test('auth login and logout keep the keys of all other profiles', { timeout: 60_000 }, async () => {
    const home = tempFolder();
    await login(home, 'old');
    const env = { XDG_CONFIG_HOME: home, HOME: home };
    const names = ['a', 'b', 'c', 'd'];
    const logout = startProgram(['auth', 'logout', '--profile', 'old'], env).exit;
    const ends = await Promise.all([logout, ...names.map((name) => login(home, name))]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(keysIn(home)).toEqual(names);
  });

  test('auth login continues when the process that holds the lock is killed', { timeout: 60_000 }, async () => {
    const home = tempFolder();
    mkdirSync(join(home, 'svc'));
    const holder = spawn(process.execPath, ['-e', HOLD_LOCK, join(home, 'svc', 'config.json.lock')]);
    await once(holder.stdout, 'data');
    const waiting = login(home, 'a');
    // Real time, because SQLite itself waits for the lock, in another process. The login must start before the kill.
    setTimeout(() => holder.kill('SIGKILL'), 500);
    expect([(await waiting).code, holder.signalCode, keysIn(home)]).toEqual([0, 'SIGKILL', ['a']]);
  });
});

describe('auth status', () => {
  test('auth status shows each effective setting and its source, but no key', async () => {
    const world = await createWorld();
    mkdirSync(join(world.folder, 'config', 'svc'), { recursive: true });
    const profile = {
      base_url: 'https://one.example.test',
      api_key: 'svc_profile_key',
      plan: 'free',
      audience: 'aud_1',
    };
    writeFileSync(
      join(world.folder, 'config', 'svc', 'config.json'),
      JSON.stringify({ profiles: { default: profile } }),
    );
    const { json, out } = await world.svc('auth status --json --plan paid', { env: NO_KEY });
    const found = json.settings.map((one: Record<string, string>) => [one.setting, one.value, one.source]);
    const fingerprint = `fingerprint ${sha256Hex('svc_profile_key').slice(0, 16)}`;
    expect(found).toEqual([
      ['profile', 'default', 'default'],
      ['base_url', 'https://mail.example.test/api', 'environment'],
      ['api_key', fingerprint, 'profile'],
      ['mcp_url', null, 'not set'],
      ['plan', 'paid', 'flag'],
      ['audience', 'aud_1', 'profile'],
      ['state_dir', join(world.folder, 'state', 'svc'), 'environment'],
      ['config', join(world.folder, 'config', 'svc', 'config.json'), 'environment'],
    ]);
    expect(out).not.toContain('svc_profile_key');
    expect(world.requests()).toEqual([]);
  });

  test('auth status cuts no path on a narrow terminal', async () => {
    const world = await createWorld();
    const state = join(world.folder, 'a-long-name-of-a-folder', 'state');
    const { out } = await world.svc(['auth', 'status', '--no-color', '--state-dir', state], { columns: 50 });
    expect([out.includes(state), out.includes('…')]).toEqual([true, false]);
  });
});

describe('auth logout', () => {
  test('auth logout removes the key and keeps the rest of the profile', async () => {
    const world = await createWorld();
    await world.svc('auth login', { answers: [world.emulator.apiKey], env: NO_KEY });
    const first = await world.svc('auth logout --json');
    const second = await world.svc('auth logout --json');
    expect([first.json.removed, second.json.removed]).toEqual([true, false]);
    expect(config(world).profiles.default).toEqual({ base_url: 'https://mail.example.test/api' });
  });
});

describe('a key in the environment', () => {
  test.each([
    ['SVC_API_KEY', (world: World) => ({ SVC_API_KEY: world.emulator.apiKey })],
    ['SVC_API_KEY_FILE', (world: World) => ({ SVC_API_KEY_FILE: world.file('key', world.emulator.apiKey) })],
  ])('sends the key of %s only to the origin in SVC_API_KEY_ORIGIN (K4, K8)', async (_, envOf) => {
    const world = await createWorld();
    const at = (origin: string) =>
      world.svc('audiences ls', { env: { SVC_API_KEY: '', ...envOf(world), SVC_API_KEY_ORIGIN: origin } });
    expect((await at('https://mail.example.test')).code).toBe(0);
    expect((await at('https://mail.example.test/api/')).code).toBe(0);
    world.requests();
    const other = await at('https://other.example.test');
    expect(other.code).toBe(4);
    expect(other.err).toContain('belongs to https://other.example.test');
    expect((await at('nonsense')).code).toBe(2);
    expect(world.requests()).toEqual([]);
  });
});

test('auth logout says what it removed, and that the key stays valid (K1)', async () => {
  const world = await createWorld();
  const none = { SVC_API_KEY: '' };
  await world.svc('auth login', { stdin: world.emulator.apiKey, env: none });
  const path = join(world.folder, 'config', 'svc', 'config.json');
  const logout = async (flags = '') => {
    const { code, out, err } = await world.svc(`auth logout ${flags}`, { env: none });
    return { code, out, err };
  };
  const shown = (removed: boolean) => `object\tlogout\nprofile\tdefault\nremoved\t${removed}\npath\t${path}\n`;
  expect(await logout()).toEqual({
    code: 0,
    out: shown(true),
    err: 'The key was removed from this machine. It still works elsewhere: revoke it in the app.\n',
  });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    profiles: { default: { base_url: 'https://mail.example.test/api' } },
  });
  expect(await logout()).toEqual({ code: 0, out: shown(false), err: 'No key was stored.\n' });
  expect(await logout('-q')).toMatchObject({ code: 0, err: '' });
});

test('quotes the name of a missing profile in the command that creates it (K5)', async () => {
  const world = await createWorld();
  const { err } = await world.svc(['auth', 'status', '--profile', "it's mine"]);
  const line = /Create it with: (svc .*)/.exec(err)?.[1] ?? '';
  const { json } = await world.svc([...splitShellText(line).slice(1), '--json'], { stdin: world.emulator.apiKey });
  expect(json.profile).toBe("it's mine");
});
