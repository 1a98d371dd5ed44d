import { apiKeyFingerprint } from '../../../api/api-key.ts';
import { type ClientOptions, createClient } from '../../../api/client.ts';
import { parseBaseUrl, withoutLastSlash } from '../../../api/http/base-url.ts';
import { createPersistedBackoff } from '../../../api/rate-limit/persisted-backoff.ts';
import type { RateLimits } from '../../../api/rate-limit/rate-limiter.ts';
import type { Context } from '../../../base/context.ts';
import type { Emit } from '../../../base/events.ts';
import { EXIT, SvcError } from '../../../base/lib/errors.ts';
import { createProgress } from '../../../render/progress/progress.ts';
import type { RunAccount } from '../../../run-lifecycle/data/run-context.ts';
import { VERSION } from '../../../version.ts';
import { LIMITS } from '../../../wire/limits.ts';
import type { Invocation } from '../invocation.ts';
import { checkSetting } from '../invocation.ts';
import { readApiKey } from './api-key.ts';
import { resolveStateFolder, type Settings } from './settings.ts';

/** An account that a command has opened and must close. */
export interface Account extends RunAccount {
  close(): Promise<void>;
}

/**
 * The limits for requests to an account. `rate` and `reserve` are requests a minute. `concurrency` is how many requests
 * may be in flight at once. `maxWaitMs` is the longest time that all waits after a 429 may take together.
 */
export interface AccountLimits extends RateLimits {
  readonly concurrency: number;
}

export const DEFAULT_LIMITS: AccountLimits = {
  rate: LIMITS.requestsPerMinute,
  reserve: 120,
  concurrency: 4,
  maxWaitMs: 30 * 60_000,
};

interface Access {
  readonly settings: Settings;
  readonly context: Context;
  readonly emit: Emit;
  readonly limits?: AccountLimits;
}

/** Opens the account that the settings name; with --emulator, an emulator inside this process. Sends no request. */
export async function openAccount(access: Access): Promise<Account> {
  return access.settings.emulator ? openEmulated(access) : openReal(access);
}

/** True if the settings name an account, with base URL and key. A dry run works without an account. */
export function canReachAccount(settings: Settings): boolean {
  return settings.emulator || (settings.baseUrl.value !== undefined && settings.key.kind !== 'none');
}

/** True if the account is an emulator that ends with the command, so that nothing can be resumed there. */
export function isTemporaryAccount({ emulator, emulatorData }: Settings): boolean {
  return emulator && emulatorData === undefined;
}

/**
 * The origin of the account that the settings name. Reads no API key and sends no request. Undefined for an emulator
 * without data of an earlier command, because it has no earlier run.
 */
export async function originOfAccount(settings: Settings, context: Context): Promise<string | undefined> {
  if (!settings.emulator) {
    // A rehearsal has no earlier run, so the hint does not offer it.
    return withoutLastSlash(baseUrlOf(settings, ''));
  }
  const { readEmbeddedOrigin } = await import('./embedded-emulator.ts');
  return readEmbeddedOrigin(settings, context);
}

async function openReal(access: Access): Promise<Account> {
  const baseUrl = baseUrlOf(access.settings, ' To rehearse without an account:\n--emulator');
  const apiKey = await readApiKey(access.settings.key, baseUrl, access.context);
  return { ...(await connect(access, { baseUrl, apiKey })), isEphemeral: false };
}

// `rehearsal` is a text that the error about a missing base URL adds to its hint.
function baseUrlOf(settings: Settings, rehearsal: string): URL {
  const text = settings.baseUrl.value;
  if (text === undefined) {
    throw new SvcError(EXIT.usage, 'no_base_url', 'no base URL is set', {
      hint: `Give --base-url https://…, or set SVC_BASE_URL.${rehearsal}`,
    });
  }
  return checkSetting('--base-url', settings.baseUrl, () => parseBaseUrl(text));
}

async function openEmulated(access: Access): Promise<Account> {
  const { settings, context } = access;
  const { openEmbeddedEmulator } = await import('./embedded-emulator.ts');
  const { emulator, origin, listening, close } = await openEmbeddedEmulator(settings, context);
  const account = await connect(access, { baseUrl: new URL(listening.url), apiKey: emulator.apiKey, origin });
  return {
    ...account,
    isEphemeral: isTemporaryAccount(settings),
    close: async () => {
      await account.close();
      await close();
    },
  };
}

async function connect(
  access: Access,
  { baseUrl, apiKey, origin }: Pick<ClientOptions, 'baseUrl' | 'apiKey' | 'origin'>,
) {
  const { context, settings, limits = DEFAULT_LIMITS } = access;
  const keyFingerprint = apiKeyFingerprint(apiKey);
  // One socket more than requests in flight. A socket is free only some time after its response, and the next request
  // need not wait for that.
  const connections = limits.concurrency + 1;
  const transport = await context.openTransport({ origin: baseUrl, connections, env: context.env });
  const client = createClient({
    baseUrl,
    apiKey,
    transport,
    clock: context.clock,
    emit: access.emit,
    random: () => Number.parseInt(context.randomHex(12), 16) / 2 ** 48,
    limits,
    origin,
    userAgent: `svc/${VERSION}`,
    backoff: settings.emulator
      ? undefined
      : createPersistedBackoff(resolveStateFolder(context, settings), [baseUrl.href, keyFingerprint], context.clock),
  });
  return { client, origin: client.origin, keyFingerprint, close: () => transport.close() };
}

/**
 * How a short command shows its progress. `onEvent` gets each event. With `showsBars` it shows progress bars too, not
 * only the lines of -v.
 */
export interface DisplayOptions {
  readonly onEvent?: Emit;
  readonly showsBars?: boolean;
}

/** Opens the account, calls `use`, and closes the account, even after an error. */
export async function withAccount<T>(
  invocation: Invocation<unknown>,
  use: (account: Account, emit: Emit) => Promise<T>,
  { onEvent, showsBars = false }: DisplayOptions = {},
): Promise<T> {
  const { context, settings } = invocation;
  const { stderr, clock, onEvent: alive } = context;
  const { output } = settings;
  const shown = { ...output, progress: showsBars && output.progress, color: output.color.stderr };
  const progress = createProgress({ ...shown, stderr, clock, onEvent: alive });
  const emit: Emit = (event) => {
    progress.emit(event);
    onEvent?.(event);
  };
  let account: Account | undefined;
  try {
    account = await openAccount({ settings, context, emit });
    return await use(account, emit);
  } finally {
    await account?.close();
    progress.stop();
  }
}
