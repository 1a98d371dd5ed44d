import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configHome, profileKey, profilesPath, readProfiles, writeProfile } from '../../../../src/base/os/profile.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { thrownBy } from '../thrown.ts';

function homeWith(text: string): string {
  const home = tempFolder();
  mkdirSync(join(home, 'svc'));
  writeFileSync(profilesPath(home), text, { mode: 0o644 });
  return home;
}

const storeOf = (home: string) => ({
  configHome: home,
  exclusively: (_: string, work: () => void) => work(),
});

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

test.each([
  ['$XDG_CONFIG_HOME', { XDG_CONFIG_HOME: '/x' }, '/home/ana', '/x'],
  ['~/.config when XDG_CONFIG_HOME is empty', { XDG_CONFIG_HOME: '' }, '/home/ana', '/home/ana/.config'],
  ['~/.config when XDG_CONFIG_HOME is relative', { XDG_CONFIG_HOME: 'x' }, '/home/ana', '/home/ana/.config'],
  ['none when there is no home folder', {}, undefined, undefined],
])('finds the folder for settings: %s', (_, env, home, folder) => {
  expect(configHome(env, home)).toBe(folder);
});

test('returns no profiles when there is no profile file', () => {
  expect(readProfiles(tempFolder())).toEqual(new Map());
});

test('reads back every profile that was written, under any name', () => {
  const home = tempFolder();
  writeProfile(storeOf(home), 'default', { base_url: 'https://api.example.test', plan: 'paid' });
  writeProfile(storeOf(home), '__proto__', { audience: 'aud_1' });
  expect(readProfiles(home)).toEqual(
    new Map<string, object>([
      ['default', { base_url: 'https://api.example.test', api_key_origin: 'https://api.example.test', plan: 'paid' }],
      ['__proto__', { audience: 'aud_1' }],
    ]),
  );
});

test('sets the file of profiles to 0600 and its folder to 0700 (D6)', () => {
  const written = tempFolder();
  writeProfile(storeOf(written), 'default', { plan: 'paid' });
  const read = homeWith('{}');
  readProfiles(read);
  expect([profilesPath(written), join(written, 'svc'), profilesPath(read)].map(modeOf)).toEqual(['600', '700', '600']);
});

test('reads the profiles only after the lock is taken (K8)', () => {
  const home = homeWith('{"profiles":{"a":{"plan":"free"}}}');
  const locks: string[] = [];
  const exclusively = (path: string, work: () => void) => {
    locks.push(path);
    writeFileSync(profilesPath(home), '{"profiles":{"a":{"plan":"free"},"b":{"plan":"paid"}}}');
    work();
  };
  writeProfile({ configHome: home, exclusively }, 'c', { plan: 'free' });
  expect([...readProfiles(home).keys()]).toEqual(['a', 'b', 'c']);
  expect(locks).toEqual([`${profilesPath(home)}.lock`]);
});

test('changes the given fields of a profile and keeps all others', () => {
  const home = homeWith(
    '{"theme":"dark","profiles":{"a":{"plan":"free","api_key":"k","later":1},"b":{"plan":"paid"}}}',
  );
  writeProfile(storeOf(home), 'a', { plan: 'paid', api_key: undefined });
  expect(JSON.parse(readFileSync(profilesPath(home), 'utf8'))).toEqual({
    theme: 'dark',
    profiles: { a: { plan: 'paid', later: 1 }, b: { plan: 'paid' } },
  });
});

describe('a stored key (K4)', () => {
  const key = 'service_live_of_ana';
  test.each([
    ['saved for this origin', { api_key: key, api_key_origin: 'https://a.test' }, 'https://a.test', key],
    ['saved for another origin', { api_key: key, api_key_origin: 'https://a.test' }, 'https://b.test', undefined],
    [
      'saved before the base URL was changed',
      { api_key: key, api_key_origin: 'https://a.test', base_url: 'https://b.test' },
      'https://b.test',
      undefined,
    ],
    ['written by hand', { api_key: key, base_url: 'https://a.test/api' }, 'https://a.test', key],
    ['of another port', { api_key: key, base_url: 'https://a.test' }, 'https://a.test:8443', undefined],
  ])('gives a stored API key only to its own origin: %s (K4)', (_, profile, origin, sent) => {
    const home = homeWith(JSON.stringify({ profiles: { default: profile } }));
    expect(profileKey(readProfiles(home).get('default') ?? {}, origin)).toBe(sent);
  });

  test('refuses to use a stored API key that has no origin (K4)', () => {
    const home = homeWith(JSON.stringify({ profiles: { default: { api_key: key } } }));
    expect(thrownBy(() => readProfiles(home)).message).toBe(
      `${profilesPath(home)}: profiles.default.api_key: neither api_key_origin nor base_url says where the key may be sent`,
    );
  });
});

describe('an invalid profile file', () => {
  test.each([
    ['no JSON', '{\n "profiles": {,', 'not JSON, line 2', ''],
    ['a list', '[]', 'not an object', ''],
    ['profiles that are a list', '{"profiles":[]}', 'not an object', ': profiles'],
    ['a profile that is a text', '{"profiles":{"a":"x"}}', 'not an object', ': profiles.a'],
    ['a field of the wrong type', '{"profiles":{"a":{"plan":1}}}', 'not a string', ': profiles.a.plan'],
  ])('names the profile file and its problem: %s', (_, text, problem, place) => {
    const home = homeWith(text);
    expect(thrownBy(() => readProfiles(home))).toEqual({
      exit: 2,
      code: 'invalid_config',
      message: `${profilesPath(home)}${place}: ${problem}`,
      hint: 'Correct the file, or remove it and run: svc auth login',
    });
  });

  test('shows no API key in the error of an invalid profile file (K1)', () => {
    const home = homeWith('{"profiles":{"a":{"api_key":"service_live_secret" oops}}}');
    let shown = '';
    try {
      readProfiles(home);
    } catch (error) {
      shown = `${error} ${(error as Error).cause}`;
    }
    expect([shown.includes('not JSON'), shown.includes('secret')]).toEqual([true, false]);
  });
});
