import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../base/context.ts';
import { SvcError } from '../base/errors.ts';
import { EXIT } from '../base/exit.ts';
import { type Profile, profileKey } from '../base/profile.ts';
import { safe } from '../base/text.ts';
import type { KeySetting } from './settings.ts';

const HINT = 'Set SVC_API_KEY, give --api-key-file <path>, or store one with: svc auth login';

/** Reads the API key from where the settings found it. A key of a profile goes to that profile's origin only (rule K4). */
export async function readApiKey(setting: KeySetting, baseUrl: URL, context: Context): Promise<string> {
  switch (setting.kind) {
    case 'none':
      throw new SvcError(EXIT.auth, 'no_api_key', 'no API key is set', { hint: HINT });
    case 'value':
      return notEmpty(setting.value);
    case 'profile':
      return notEmpty(ownOrigin(setting.profile, baseUrl));
    case 'file':
      return notEmpty(setting.path === '-' ? await readStdin(context) : await readKeyFile(setting.path, context));
    default:
      return setting satisfies never;
  }
}

function ownOrigin(profile: Profile, baseUrl: URL): string {
  const key = profileKey(profile, baseUrl.origin);
  if (key === undefined) {
    const own = profile.api_key_origin ?? profile.base_url ?? 'another origin';
    throw new SvcError(
      EXIT.auth,
      'key_of_another_origin',
      `the profile's key belongs to ${safe(own)} and is not sent to ${safe(baseUrl.origin)}`,
      { hint: HINT },
    );
  }
  return key;
}

async function readKeyFile(path: string, context: Context): Promise<string> {
  try {
    return await readFile(resolve(context.cwd, path), 'utf8');
  } catch (cause) {
    throw new SvcError(EXIT.auth, 'no_api_key', `the API key file can't be read: ${safe(path)}`, { hint: HINT, cause });
  }
}

async function readStdin(context: Context): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of context.stdin) {
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts).toString('utf8');
}

function notEmpty(text: string): string {
  const key = text.trim();
  if (key === '') {
    throw new SvcError(EXIT.auth, 'no_api_key', 'the API key is empty', { hint: HINT });
  }
  return key;
}
