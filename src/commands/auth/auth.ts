import type { Command } from 'commander';
import { apiKeyFingerprint, checkApiKey } from '../../api/api-key.ts';
import { parseBaseUrl, withoutLastSlash } from '../../api/http/base-url.ts';
import { listAudiences } from '../../api/resources/audiences.ts';
import { badUsage, EXIT, type ExitCode, SvcError, withoutFlags } from '../../base/lib/errors.ts';
import { configFolder, profilesPath, readProfiles, writeProfile } from '../../base/os/profile.ts';
import { objectText } from '../../render/text/object.ts';
import { type CommandHost, checkSetting, type Invocation, setAction } from '../framework/invocation.ts';
import { print, takeFirst, writeSentence } from '../framework/output/print.ts';
import { withAccount } from '../framework/settings/account.ts';
import { readApiKey } from '../framework/settings/api-key.ts';
import { isTerminal, readBytes } from '../framework/stdin.ts';
import { withProfileLock } from './profile-lock.ts';

export function addAuthCommands(auth: Command, host: CommandHost): void {
  const command = auth
    .command('login')
    .description(
      'Store an API key in a profile, for this base URL only. The key is typed without echo or read from standard input ' +
        '(or --api-key-file); no flag takes the key itself.',
    )
    .option('--no-check', 'store it without a request that checks it');
  setAction(command, host, async () => login, { newProfile: true });
  setAction(
    auth.command('status').description('Show each effective setting and where it comes from. Sends nothing.'),
    host,
    async () => (await import('./status.ts')).showAuthStatus,
  );
  setAction(
    auth.command('logout').description("Remove the profile's key from this machine."),
    host,
    async () => logout,
  );
}

interface LoginFlags {
  readonly check: boolean;
}

/**
 * `svc auth login`: stores an API key in a profile, once the service accepted it. With --no-check svc does not ask the
 * service.
 */
async function login(invocation: Invocation<LoginFlags>): Promise<ExitCode> {
  const { context, settings, flags } = invocation;
  if (settings.emulator) {
    throw badUsage('the embedded emulator needs no login', withoutFlags(['--emulator', '--emulator-data']));
  }
  const folder = configFolder(context.env, context.platform.home);
  const text = await baseUrlOf(invocation);
  const baseUrl = checkSetting('--base-url', settings.baseUrl, () => parseBaseUrl(text));
  const apiKey = checkApiKey(await keyOf(invocation, baseUrl));
  context.hideSecret(apiKey);
  const base = withoutLastSlash(baseUrl);
  if (flags.check) {
    await tryKey(invocation, base, apiKey);
  }
  const profile = settings.profile.value;
  const profileFields = { base_url: base, api_key: apiKey, api_key_origin: baseUrl.origin };
  const store = { configHome: folder, user: context.platform.user, exclusively: withProfileLock };
  writeProfile(store, profile, profileFields);
  const path = profilesPath(folder);
  if (!settings.output.quiet) {
    writeSentence(context, `The key is stored in ${path}, not in a keychain. Only you can read the file (0600).`);
  }
  const summary = {
    object: 'login',
    profile,
    base_url: base,
    key_fingerprint: apiKeyFingerprint(apiKey),
    checked: flags.check,
    path,
  };
  print(invocation, summary, objectText);
  return EXIT.ok;
}

async function baseUrlOf({ settings, context }: Invocation<unknown>): Promise<string> {
  if (settings.baseUrl.value !== undefined) {
    return settings.baseUrl.value;
  }
  const asked = await context.prompter?.ask('Base URL of the service (https://…): ');
  if (!asked?.trim()) {
    throw new SvcError(EXIT.usage, 'no_base_url', 'a key belongs to one base URL, and none is set', {
      hint: 'Give --base-url https://…, or set SVC_BASE_URL.',
    });
  }
  return asked;
}

/** Reads the API key from the file of --api-key-file, from a pipe on standard input, or at a hidden prompt. */
async function keyOf({ settings, context }: Invocation<unknown>, baseUrl: URL): Promise<string> {
  const { key } = settings;
  if (key.kind === 'file' && key.source === 'flag') {
    return readApiKey(key, baseUrl, context);
  }
  const piped = isTerminal(context.stdin) ? '' : (await readBytes('standard input', '-', context)).toString('utf8');
  if (piped.trim() !== '') {
    return piped;
  }
  const typed = await context.prompter?.askHidden('API key (not shown): ');
  if (!typed?.trim()) {
    throw new SvcError(EXIT.auth, 'no_api_key', 'no API key was given', {
      hint: 'Type it at a terminal, or pipe it: svc auth login < key-file',
    });
  }
  return typed;
}

async function tryKey(invocation: Invocation<unknown>, base: string, apiKey: string): Promise<void> {
  const settings = {
    ...invocation.settings,
    baseUrl: { value: base, source: 'flag' as const },
    key: { kind: 'value' as const, value: apiKey, source: 'flag' as const, origin: undefined },
  };
  await withAccount({ ...invocation, settings }, async ({ client }) => {
    for await (const _ of takeFirst(listAudiences(client, { limit: 1, signal: invocation.context.signal }), 1)) {
      return;
    }
  });
}

/**
 * `svc auth logout`: removes the key from the profile. The key itself stays valid until the user revokes it in the app.
 */
async function logout(invocation: Invocation<unknown>): Promise<ExitCode> {
  const { context, settings } = invocation;
  const folder = configFolder(context.env, context.platform.home);
  const profile = settings.profile.value;
  const hadKey = readProfiles(folder).get(profile)?.api_key !== undefined;
  if (hadKey) {
    const store = { configHome: folder, exclusively: withProfileLock };
    writeProfile(store, profile, { api_key: undefined, api_key_origin: undefined });
  }
  if (!settings.output.quiet) {
    const words = hadKey
      ? 'The key was removed from this machine. It still works elsewhere: revoke it in the app.'
      : 'No key was stored.';
    writeSentence(context, words);
  }
  print(invocation, { object: 'logout', profile, removed: hadKey, path: profilesPath(folder) }, objectText);
  return EXIT.ok;
}
