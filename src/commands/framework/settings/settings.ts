import { resolve } from 'node:path';
import { invalidUrlError, isLoopback } from '../../../api/http/base-url.ts';
import type { Context } from '../../../base/context.ts';
import { EXIT, SvcError } from '../../../base/lib/errors.ts';
import { shellFlag, terminalSafe } from '../../../base/lib/text.ts';
import { type Exposure, exposureOf } from '../../../base/os/ownership.ts';
import { configHome, normalizeOrigin, type Profile, profilesPath, readProfiles } from '../../../base/os/profile.ts';
import { isStdinName } from '../../../base/os/user-named-file.ts';
import { mayColor } from '../../../render/text/style.ts';
import { stateFolderPath } from '../../../runs/store/state-folder.ts';
import type { GlobalFlags } from '../globals.ts';

/** Where a value comes from. The first source of this list that has a value wins. */
type SettingSource = 'flag' | 'environment' | 'profile' | 'default';

interface Setting<T> {
  readonly value: T;
  readonly source: SettingSource;
}

/** All global settings. Of several sources, the first counts: flag, environment, profile, default. */
export interface Settings {
  readonly profile: Setting<string>;
  readonly baseUrl: Setting<string | undefined>;
  readonly mcpUrl: Setting<string | undefined>;
  readonly plan: Setting<'free' | 'paid' | undefined>;
  readonly audience: string | undefined;
  readonly stateDir: string | undefined;
  readonly emulator: boolean;
  readonly emulatorData: string | undefined;
  readonly key: KeySetting;
  readonly output: OutputSettings;
  readonly yes: boolean;
}

/** The value of SVC_API_KEY_ORIGIN: only this origin may receive the key of the environment. If undefined, any may. */
type KeyOrigin = string | undefined;

/** Where the API key is. A key file is read later, when a command needs the key. */
export type KeySetting =
  | { readonly kind: 'file'; readonly path: string; readonly source: SettingSource; readonly origin: KeyOrigin }
  | { readonly kind: 'value'; readonly value: string; readonly source: SettingSource; readonly origin: KeyOrigin }
  | { readonly kind: 'profile'; readonly profile: Profile }
  | { readonly kind: 'none' };

interface OutputSettings {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
  /** True if colors may be written to this stream. */
  readonly color: { readonly stdout: boolean; readonly stderr: boolean };
}

/** Resolves all settings. An empty variable counts as unset. With `mayBeNewProfile` the profile need not exist. */
export function resolveSettings(flags: GlobalFlags, context: Context, mayBeNewProfile = false): Settings {
  const envValue = (name: string) => context.env[name] || undefined;
  const named = firstGiven(flags.profile, envValue('SVC_PROFILE'));
  const profileName = { ...named, value: named.value ?? 'default' };
  const profile = profileOf(context, profileName, mayBeNewProfile);
  return {
    profile: profileName,
    baseUrl: firstGiven(flags.baseUrl, envValue('SVC_BASE_URL'), profile.base_url),
    mcpUrl: firstGiven(flags.mcpUrl, envValue('SVC_MCP_URL'), profile.mcp_url),
    plan: firstGiven(flags.plan, planWord(envValue('SVC_PLAN')), planWord(profile.plan)),
    audience: profile.audience,
    stateDir: flags.stateDir ?? envValue('SVC_STATE_DIR'),
    emulator: flags.emulator === true || flags.emulatorData !== undefined,
    emulatorData: flags.emulatorData,
    key: keySetting(flags, envValue, profile),
    output: outputSettings(flags, context),
    yes: flags.yes === true,
  };
}

function firstGiven<T>(flag: T | undefined, env: T | undefined, profile?: T): Setting<T | undefined> {
  if (flag !== undefined) {
    return { value: flag, source: 'flag' };
  }
  if (env !== undefined) {
    return { value: env, source: 'environment' };
  }
  return { value: profile, source: profile === undefined ? 'default' : 'profile' };
}

/** The profile of this name. Throws if there is none, unless the user chose no profile or `mayBeNew` is set. */
function profileOf(context: Context, name: Setting<string>, mayBeNew: boolean): Profile {
  const folder = configHome(context.env, context.platform.home);
  const found = folder === undefined ? undefined : readProfiles(folder).get(name.value);
  if (!found && name.source !== 'default' && !mayBeNew) {
    throw new SvcError(EXIT.usage, 'no_profile', `no profile is named "${terminalSafe(name.value)}"`, {
      hint: `Create it with: svc auth login ${shellFlag('--profile', name.value)}`,
    });
  }
  return found ?? {};
}

function planWord(text: string | undefined): 'free' | 'paid' | undefined {
  if (text === undefined || text === 'free' || text === 'paid') {
    return text;
  }
  throw new SvcError(EXIT.usage, 'unknown_plan', `not a plan: ${terminalSafe(text)}`, {
    hint: 'A plan is free or paid.',
  });
}

function keySetting(flags: GlobalFlags, envValue: (name: string) => string | undefined, profile: Profile): KeySetting {
  if (flags.apiKeyFile !== undefined) {
    return { kind: 'file', path: flags.apiKeyFile, source: 'flag', origin: undefined };
  }
  const origin = keyOrigin(envValue('SVC_API_KEY_ORIGIN'));
  const file = envValue('SVC_API_KEY_FILE');
  if (file !== undefined) {
    return { kind: 'file', path: file, source: 'environment', origin };
  }
  const value = envValue('SVC_API_KEY');
  if (value !== undefined) {
    return { kind: 'value', value, source: 'environment', origin };
  }
  return profile.api_key === undefined ? { kind: 'none' } : { kind: 'profile', profile };
}

function keyOrigin(text: string | undefined): KeyOrigin {
  const url = text === undefined ? undefined : URL.parse(text);
  if (url === null || url?.origin === 'null') {
    throw invalidUrlError(
      `SVC_API_KEY_ORIGIN is no origin: ${terminalSafe(text ?? '')}`,
      'For example: SVC_API_KEY_ORIGIN=https://api.example.com',
    );
  }
  return normalizeOrigin(url?.origin);
}

function outputSettings(flags: GlobalFlags, context: Context): OutputSettings {
  const quiet = flags.quiet === true;
  return {
    json: flags.json === true,
    quiet,
    verbose: flags.verbose === true,
    progress: flags.progress !== false && !quiet && context.env.TERM !== 'dumb',
    color: {
      stdout: mayColor({ isOff: flags.color === false, env: context.env, isTTY: context.stdout.isTTY }),
      stderr: mayColor({ isOff: flags.color === false, env: context.env, isTTY: context.stderr.isTTY }),
    },
  };
}

/** True if the service runs on this machine. Only then may its webhooks go to this machine. */
export function isServedLocally({ emulator, baseUrl }: Settings): boolean {
  const url = baseUrl.value === undefined ? undefined : URL.parse(baseUrl.value);
  return emulator || (url !== undefined && url !== null && isLoopback(url.hostname));
}

export function resolveStateFolder(context: Context, settings: Settings): string {
  return resolve(context.cwd, stateFolderPath(context.env, settings.stateDir, context.platform.home));
}

/** Warns if other users can change the key file, the profiles or the state folder (K8). */
export function warnOfExposure(settings: Settings, context: Context, config: Exposure | undefined): void {
  const { key, emulator } = settings;
  const paths = [
    stateFolderOf(settings, context),
    ...(key.kind === 'file' && !isStdinName(key.path) && !emulator ? [resolve(context.cwd, key.path)] : []),
  ];
  const found = paths.flatMap((path) => (path === undefined ? [] : (exposureOf(path, context.platform.user) ?? [])));
  const all = config === undefined || emulator ? found : [config, ...found];
  const lines = all.map(({ why, fix }) => `warning: ${terminalSafe(why)}. ${terminalSafe(fix)}\n`);
  context.stderr.write([...new Set(lines)].join(''));
}

/** How other users can change the profiles file. Called before it is read, because reading sets its mode to 0600. */
export function exposureOfConfig({ env, platform }: Context): Exposure | undefined {
  const home = configHome(env, platform.home);
  return home === undefined ? undefined : exposureOf(profilesPath(home), platform.user);
}

/** The state folder. Undefined without a home folder: this is no error, because only some commands need it. */
function stateFolderOf(settings: Settings, context: Context): string | undefined {
  try {
    return resolveStateFolder(context, settings);
  } catch {
    return undefined;
  }
}
