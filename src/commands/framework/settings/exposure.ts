import { resolve } from 'node:path';
import type { Context } from '../../../base/context.ts';
import { safe } from '../../../base/lib/text.ts';
import { isStdinName } from '../../../base/os/named-file.ts';
import { type Exposure, exposureOf } from '../../../base/os/ownership.ts';
import { configHome, profilesPath } from '../../../base/os/profile.ts';
import { type Settings, stateOf } from './settings.ts';

/**
 * Warns, once for each command, if other users own, can write or can replace the keys, settings or state folder (K8).
 */
export function warnOfExposure(settings: Settings, context: Context, config: Exposure | undefined): void {
  const { key, emulator } = settings;
  const paths = [
    stateFolderOf(settings, context),
    ...(key.kind === 'file' && !isStdinName(key.path) && !emulator ? [resolve(context.cwd, key.path)] : []),
  ];
  const found = paths.flatMap((path) => (path === undefined ? [] : (exposureOf(path, context.platform.user) ?? [])));
  const all = config === undefined || emulator ? found : [config, ...found];
  const lines = all.map(({ why, fix }) => `warning: ${safe(why)}. ${safe(fix)}\n`);
  context.stderr.write([...new Set(lines)].join(''));
}

/**
 * How other users can read or change the profiles. Called before they are read, because reading closes the user's own
 * file to others.
 */
export function exposureOfConfig({ env, platform }: Context): Exposure | undefined {
  const home = configHome(env, platform.home);
  return home === undefined ? undefined : exposureOf(profilesPath(home), platform.user);
}

/** Undefined if there is no place for a state folder. Only some commands need one. */
function stateFolderOf(settings: Settings, context: Context): string | undefined {
  try {
    return stateOf(context, settings);
  } catch {
    return undefined;
  }
}
