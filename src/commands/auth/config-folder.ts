import type { Context } from '../../base/context.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { configHome } from '../../base/os/profile.ts';

/** The folder under which profiles are kept; a usage error where there is no home folder. */
export function configFolder({ env, platform }: Context): string {
  const folder = configHome(env, platform.home);
  if (folder === undefined) {
    throw new SvcError(EXIT.usage, 'no_config_folder', 'nowhere to keep profiles: there is no home folder', {
      hint: 'Set XDG_CONFIG_HOME to an absolute path.',
    });
  }
  return folder;
}
