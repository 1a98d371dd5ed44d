import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { apiKeyFingerprint } from '../../api/api-key.ts';
import type { Context } from '../../base/context.ts';
import { EXIT, type ExitCode } from '../../base/lib/errors.ts';
import { configFolder, profilesPath } from '../../base/os/profile.ts';
import { isStdinName } from '../../base/os/user-named-file.ts';
import { renderTable } from '../../render/text/table.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { type KeySetting, resolveStateFolder, type Settings } from '../framework/settings/settings.ts';

/**
 * One setting that is in force. `source` says where it comes from, such as `flag` or `profile`. For the API key,
 * `value` is a fingerprint.
 */
interface ShownSetting {
  readonly setting: string;
  readonly value: string | null;
  readonly source: string;
}

/** `svc auth status`: shows the settings in force. Sends nothing, and reads nothing from standard input. */
export async function showAuthStatus(invocation: Invocation<unknown>): Promise<ExitCode> {
  const shown = effectiveSettings(invocation);
  print(invocation, { object: 'settings', settings: shown }, ({ settings }, style) =>
    renderTable(
      [{ title: 'setting' }, { title: 'value', neverCut: true }, { title: 'from', neverCut: true }],
      settings.map(({ setting, value, source }) => [setting, value, source]),
      style,
    ),
  );
  return EXIT.ok;
}

function effectiveSettings({ settings, context }: Invocation<unknown>): ShownSetting[] {
  const settingOf = (setting: string, { value, source }: { value: string | undefined; source: string }) => ({
    setting,
    value: value ?? null,
    source: value === undefined ? 'not set' : source,
  });
  return [
    settingOf('profile', settings.profile),
    settingOf('base_url', settings.emulator ? { value: '(embedded emulator)', source: 'flag' } : settings.baseUrl),
    settingOf('api_key', describeKey(settings.key, context)),
    settingOf('mcp_url', settings.mcpUrl),
    settingOf('plan', settings.plan),
    settingOf('audience', { value: settings.audience, source: 'profile' }),
    settingOf('state_dir', { value: resolveStateFolder(context, settings), source: sourceOfState(settings, context) }),
    settingOf('config', {
      value: profilesPath(configFolder(context.env, context.platform.home)),
      source: context.env.XDG_CONFIG_HOME ? 'environment' : 'default',
    }),
  ];
}

/** Describes a key by its source and its fingerprint. Fingerprints tell keys apart, but do not show them. */
export function describeKey(key: KeySetting, context: Context): { value: string | undefined; source: string } {
  switch (key.kind) {
    case 'none':
      return { value: undefined, source: 'not set' };
    case 'value':
      return { value: fingerprintOf(key.value), source: `${key.source} (SVC_API_KEY)` };
    case 'profile':
      return { value: fingerprintOf(key.profile.api_key ?? ''), source: 'profile' };
    case 'file':
      return { value: fileFingerprint(key.path, context), source: `${key.source} (${key.path})` };
    default:
      return key satisfies never;
  }
}

function fileFingerprint(path: string, { cwd }: Context): string {
  if (isStdinName(path)) {
    return 'from standard input';
  }
  try {
    return fingerprintOf(readFileSync(resolve(cwd, path), 'utf8'));
  } catch {
    return "(the file can't be read)";
  }
}

function fingerprintOf(key: string): string {
  return `fingerprint ${apiKeyFingerprint(key.trim())}`;
}

function sourceOfState({ stateDir }: Settings, { env }: Context): string {
  if (stateDir === undefined) {
    return env.XDG_STATE_HOME ? 'environment' : 'default';
  }
  return stateDir === env.SVC_STATE_DIR ? 'environment' : 'flag';
}
