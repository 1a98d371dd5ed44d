import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../../base/context.ts';
import { EXIT, errorCode, SvcError } from '../../../base/lib/errors.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { type Profile, profileKey } from '../../../base/os/profile.ts';
import { isStdinName } from '../../../base/os/user-named-file.ts';
import { isTypedKey } from '../output/command-to-paste.ts';
import { readStdin } from '../stdin.ts';
import type { KeySetting } from './settings.ts';

const HINT = 'Set SVC_API_KEY, give --api-key-file <path>, or store one with: svc auth login';

/**
 * Reads the API key from where the settings say. Throws if the key is bound to another origin than the base URL (K4).
 * All later output hides the key.
 */
export async function readApiKey(setting: KeySetting, baseUrl: URL, context: Context): Promise<string> {
  const key = await findKey(setting, baseUrl, context);
  context.hideSecret(key);
  return key;
}

async function findKey(setting: KeySetting, baseUrl: URL, context: Context): Promise<string> {
  switch (setting.kind) {
    case 'none':
      throw new SvcError(EXIT.auth, 'no_api_key', 'no API key is set', { hint: HINT });
    case 'value':
      checkOrigin(setting.origin, baseUrl, 'the key of the environment');
      return notEmpty(setting.value);
    case 'profile':
      return notEmpty(ownOrigin(setting.profile, baseUrl));
    case 'file': {
      checkOrigin(setting.origin, baseUrl, 'the key of the environment');
      // SVC_API_KEY_FILE outranks SVC_API_KEY. So the hint does not advise to set SVC_API_KEY.
      const hint = setting.source === 'environment' ? 'Unset SVC_API_KEY_FILE, or correct it.' : HINT;
      return notEmpty(
        isStdinName(setting.path)
          ? (await readStdin(context)).toString('utf8')
          : await readKeyFile(setting.path, hint, context),
        hint,
      );
    }
    default:
      return setting satisfies never;
  }
}

/** True if the profile or SVC_API_KEY_ORIGIN binds the key to this origin. Completion sends the key only then (K8). */
export function isKeyBoundTo(setting: KeySetting, baseUrl: URL): boolean {
  switch (setting.kind) {
    case 'none':
      return false;
    case 'profile':
      return profileKey(setting.profile, baseUrl.origin) !== undefined;
    default:
      return setting.origin === baseUrl.origin;
  }
}

function ownOrigin(profile: Profile, baseUrl: URL): string {
  const key = profileKey(profile, baseUrl.origin);
  checkOrigin(profile.api_key_origin ?? profile.base_url ?? 'another origin', baseUrl, "the profile's key");
  return key ?? '';
}

/** Throws if the key is bound to another origin. A key without a bound origin may go to any base URL. */
function checkOrigin(own: string | undefined, { origin }: URL, what: string): void {
  if (own !== undefined && own !== origin) {
    throw new SvcError(
      EXIT.auth,
      'key_of_another_origin',
      `${what} belongs to ${terminalSafe(own)} and is not sent to ${terminalSafe(origin)}`,
      { hint: HINT },
    );
  }
}

async function readKeyFile(path: string, hint: string, context: Context): Promise<string> {
  try {
    return await readFile(resolve(context.cwd, path), 'utf8');
  } catch (cause) {
    const why = WHY[errorCode(cause)] ?? 'the system reports an error';
    // The user may have typed the key instead of the name of its file. The message must not show it then.
    const what = isTypedKey(path, context.cwd) ? 'give a path, not the key itself' : `${terminalSafe(path)}: ${why}`;
    throw new SvcError(EXIT.auth, 'no_api_key', `the API key file can't be read: ${what}`, { hint, cause });
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you are not allowed to read it',
};

function notEmpty(text: string, hint = HINT): string {
  const key = text.trim();
  if (key === '') {
    throw new SvcError(EXIT.auth, 'no_api_key', 'the API key is empty', { hint });
  }
  return key;
}
