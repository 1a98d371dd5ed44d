import { chmodSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { UserId } from '../context.ts';
import { EXIT, errorCode, SvcError } from '../lib/errors.ts';
import { isRecord, parseJsonStrictly } from '../lib/json.ts';
import { ensurePrivateFolder, PRIVATE_FILE, pathExists, writePrivateFile } from './files.ts';
import { exposureOf, folderExposure } from './ownership.ts';
import { toStorageError } from './storage-error.ts';

/**
 * The fields of a profile, with the names that they have in config.json. The file keeps fields that svc does not know.
 */
export interface Profile {
  readonly base_url?: string;
  readonly api_key?: string;
  /** The only origin that may receive the key (K4). By default it is the origin of `base_url`. */
  readonly api_key_origin?: string;
  readonly plan?: string;
  readonly mcp_url?: string;
  readonly audience?: string;
}

const FIELDS = ['base_url', 'api_key', 'api_key_origin', 'plan', 'mcp_url', 'audience'] as const;

/**
 * The folder for the settings of all programs: `$XDG_CONFIG_HOME`, or else `~/.config`. Undefined without a home
 * folder.
 */
export function configHome(
  env: Readonly<Record<string, string | undefined>>,
  home: string | undefined,
): string | undefined {
  const xdg = env.XDG_CONFIG_HOME;
  if (xdg?.startsWith('/')) {
    return xdg;
  }
  return home ? join(home, '.config') : undefined;
}

/** The folder for the settings of all programs. Throws a usage error without a home folder. */
export function configFolder(env: Readonly<Record<string, string | undefined>>, home: string | undefined): string {
  const folder = configHome(env, home);
  if (folder === undefined) {
    throw new SvcError(
      EXIT.usage,
      'no_config_folder',
      'svc has no folder for its profiles, because the home folder is unknown',
      {
        hint: 'Set XDG_CONFIG_HOME to an absolute path.',
      },
    );
  }
  return folder;
}

/** The path of the file with the profiles: `svc/config.json` in the folder for settings. */
export function profilesPath(configHome: string): string {
  return join(configHome, 'svc', 'config.json');
}

/**
 * All profiles by name. Empty if there is no file. Throws a usage error that names the line or the field for an invalid
 * file.
 */
export function readProfiles(configHome: string): ReadonlyMap<string, Profile> {
  const path = profilesPath(configHome);
  const profiles = Object.entries(requireObject(readConfig(path).profiles ?? {}, `${path}: profiles`));
  return new Map(profiles.map(([name, profile]) => [name, decodeProfile(profile, `${path}: profiles.${name}`)]));
}

/**
 * Where to write profiles. `exclusively` does `work` under a lock. Callers pass it in, so that commands that only read
 * profiles do not load the code of the lock.
 */
interface ProfileStore {
  readonly configHome: string;
  readonly user?: UserId;
  exclusively(lockPath: string, work: () => void): void;
}

/** Sets fields of a profile. Removes a field that is given as `undefined`. Keeps the rest of the file. */
export function writeProfile(
  { configHome, user, exclusively }: ProfileStore,
  name: string,
  change: { readonly [Field in keyof Profile]: Profile[Field] | undefined },
): void {
  const path = profilesPath(configHome);
  refuseExposed(path, user);
  ensurePrivateFolder(dirname(path));
  // The file is read under the lock too. Otherwise a profile that another process writes now would be lost.
  exclusively(`${path}.lock`, () => {
    const config = readConfig(path);
    const profiles = new Map(Object.entries(requireObject(config.profiles ?? {}, `${path}: profiles`)));
    profiles.set(name, { ...requireObject(profiles.get(name) ?? {}, `${path}: profiles.${name}`), ...change });
    const text = JSON.stringify({ ...config, profiles: Object.fromEntries(profiles) }, null, 2);
    writePrivateFile(path, `${text}\n`);
  });
}

/** Throws if other users can write or replace the file, because svc may store a key in it (K8). */
function refuseExposed(path: string, user: UserId): void {
  const exposure = exposureOf(path, user) ?? folderExposure(dirname(path), user);
  if (exposure) {
    throw new SvcError(EXIT.usage, 'config_exposed', `svc stores no key in ${path}: ${exposure.why}`, {
      hint: exposure.fix,
    });
  }
}

/** The key of the profile, if this origin may receive it. Otherwise undefined (K4). */
export function profileKey(profile: Profile, origin: string): string | undefined {
  return profile.api_key_origin === origin ? profile.api_key : undefined;
}

function readConfig(path: string): Readonly<Record<string, unknown>> {
  if (!pathExists(path)) {
    return {};
  }
  return requireObject(parseJson(readConfigFile(path), path), path);
}

/**
 * Reads config.json. Sets mode 0600 before that: if a user wrote the file by hand, other users may be able to read the
 * key in it (D6).
 */
function readConfigFile(path: string): string {
  try {
    closeToOthers(path);
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw toStorageError(error, dirname(path));
  }
}

function closeToOthers(path: string): void {
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch (error) {
    // EPERM means that the file belongs to another user, such as root, so this user can't change its mode. svc may
    // still be able to read it.
    if (errorCode(error) !== 'EPERM') {
      throw error;
    }
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return parseJsonStrictly(text);
  } catch (error) {
    // The message of the parser shows the text around the problem, which may be the key. So it is not used (K1).
    throw invalid(path, `not JSON${linePosition(error, text)}`);
  }
}

function linePosition(error: unknown, text: string): string {
  const position = /at position (\d+)/.exec(String(error))?.[1];
  return position ? `, line ${text.slice(0, Number(position)).split('\n').length}` : '';
}

function decodeProfile(value: unknown, place: string): Profile {
  const profile = requireObject(value, place);
  const wrong = FIELDS.find((field) => profile[field] !== undefined && typeof profile[field] !== 'string');
  if (wrong) {
    throw invalid(`${place}.${wrong}`, 'not a string');
  }
  return bindKey(profile as Profile, place);
}

/**
 * Adds the origin that may receive the key. Refuses a key without an origin, because svc could send it anywhere (K4).
 */
function bindKey(profile: Profile, place: string): Profile {
  const origin = normalizeOrigin(profile.api_key_origin ?? originOf(profile.base_url));
  if (profile.api_key !== undefined && origin === undefined) {
    throw invalid(`${place}.api_key`, 'neither api_key_origin nor base_url says where the key may be sent');
  }
  return origin === undefined ? profile : { ...profile, api_key_origin: origin };
}

function requireObject(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) {
    throw invalid(place, 'not an object');
  }
  return value;
}

function originOf(url: string | undefined): string | undefined {
  return url && URL.canParse(url) ? new URL(url).origin : undefined;
}

/**
 * The origin without a dot at the end of its host. With and without the dot it is the same host, but svc compares
 * origins as text.
 */
export function normalizeOrigin<T extends string | undefined>(origin: T): T {
  return origin?.replace(/\.(?=(?::\d+)?$)/, '') as T;
}

function invalid(place: string, problem: string): SvcError {
  return new SvcError(EXIT.usage, 'invalid_config', `${place}: ${problem}`, {
    hint: 'Correct the file, or remove it and run: svc auth login',
  });
}
