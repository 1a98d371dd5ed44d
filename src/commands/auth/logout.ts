import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { profilesPath, readProfiles, writeProfile } from '../../base/os/profile.ts';
import { objectText } from '../../render/text/object.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { configFolder } from './config-folder.ts';

/** `auth logout`: takes the key out of the profile; the key itself lives on until it is revoked in the app. */
export async function logout(invocation: Invocation<unknown>): Promise<ExitCode> {
  const { context, settings } = invocation;
  const folder = configFolder(context);
  const profile = settings.profile.value;
  const removed = readProfiles(folder).get(profile)?.api_key !== undefined;
  if (removed) {
    writeProfile(folder, profile, { api_key: undefined, api_key_origin: undefined });
  }
  if (!settings.output.quiet) {
    const words = removed
      ? 'The key is gone from this machine. It still works elsewhere: revoke it in the app.'
      : 'No key was kept.';
    context.stderr.write(`${words}\n`);
  }
  print(invocation, { object: 'logout', profile, removed, path: profilesPath(folder) }, objectText);
  return EXIT.ok;
}
