import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiKeyFingerprint } from '../../api/api-key.ts';
import type { Client } from '../../api/client.ts';
import { parseBaseUrl } from '../../api/http/base-url.ts';
import { listAudiences } from '../../api/resources/audiences.ts';
import { listAutomations } from '../../api/resources/automations.ts';
import { listWebhookEndpoints } from '../../api/resources/webhooks.ts';
import type { Context } from '../../base/context.ts';
import { sha256Hex } from '../../base/lib/hash.ts';
import { isRecord, parseJsonStrictly } from '../../base/lib/json.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { ensurePrivateFolder, writePrivateFile } from '../../base/os/files.ts';
import { configHome, readProfiles } from '../../base/os/profile.ts';
import { isStdinName } from '../../base/os/user-named-file.ts';
import { listRuns } from '../../runs/find/list-runs.ts';
import type { GlobalFlags } from '../framework/globals.ts';
import { takeFirst } from '../framework/output/print.ts';
import { openAccount } from '../framework/settings/account.ts';
import { isKeyBoundTo, readApiKey } from '../framework/settings/api-key.ts';
import { resolveSettings, resolveStateFolder, type Settings } from '../framework/settings/settings.ts';

type ListedKind = 'audience' | 'automation' | 'webhook';

export type IdKindToComplete = ListedKind | 'run' | 'profile';

export interface CompletionContext {
  readonly flags: GlobalFlags;
  readonly context: Context;
}

const TIME_LIMIT_MS = 2_000;
const MAX_IDS = 100;

/**
 * Ids with descriptions. svc reads the ids of runs and profiles on this machine. For other ids it asks the service for
 * the newest hundred, and caches them for a minute.
 */
export async function idsToComplete(
  kind: IdKindToComplete,
  { flags, context }: CompletionContext,
): Promise<CachedId[]> {
  const settings = resolveSettings(flags, context);
  const found = await findIds(kind, settings, context);
  return found
    .filter(({ value }) => (kind === 'profile' ? PROFILE : ID).test(value))
    .map(({ value, about }) => ({ value, about: terminalSafe(about).slice(0, 60) }));
}

// The form of a profile name and of an id. Other text is left out, because the shell could run it as code.
const PROFILE = /^[\w.-]+$/;
const ID = /^[a-z]+_[\w-]+$/;

async function findIds(kind: IdKindToComplete, settings: Settings, context: Context): Promise<readonly CachedId[]> {
  if (kind === 'profile') {
    const folder = configHome(context.env, context.platform.home);
    return folder === undefined ? [] : [...readProfiles(folder).keys()].map((value) => ({ value, about: '' }));
  }
  if (kind === 'run') {
    const runs = listRuns(resolveStateFolder(context, settings));
    return runs.map(({ run, command, status }) => ({ value: run, about: `${command}, ${status}` }));
  }
  return cachedOrAsk(await cacheEntryOf(kind, settings, context), () => askService(kind, settings, context));
}

/**
 * The cache entry of the account. Throws unless the environment or a profile binds the key to this origin. A --base-url
 * that is still being typed must not receive the key (K8). Also throws if the key is on standard input, which can't be
 * read during completion.
 */
async function cacheEntryOf(kind: string, settings: Settings, context: Context) {
  const { key, baseUrl } = settings;
  if (settings.emulator || baseUrl.value === undefined || (key.kind === 'file' && isStdinName(key.path))) {
    throw new Error('no account to ask');
  }
  const url = parseBaseUrl(baseUrl.value);
  if (!isKeyBoundTo(key, url)) {
    throw new Error('the key is not bound to this origin');
  }
  const name = `${kind} ${url.href} ${apiKeyFingerprint((await readApiKey(key, url, context)).trim())}`;
  return { stateFolder: resolveStateFolder(context, settings), name, now: context.clock.now() };
}

async function askService(kind: ListedKind, settings: Settings, context: Context): Promise<CachedId[]> {
  const account = await openAccount({ settings, context, emit: () => undefined });
  const enough = new AbortController();
  // The time limit starts here, because only the following requests can be slow.
  context.clock.sleep(TIME_LIMIT_MS, enough.signal).then(
    () => enough.abort(new Error('too slow')),
    () => undefined,
  );
  try {
    const found: CachedId[] = [];
    for await (const each of takeFirst(LISTERS[kind](account.client, { signal: enough.signal }), MAX_IDS)) {
      found.push({ value: each.id, about: 'name' in each ? each.name : each.url });
    }
    return found;
  } finally {
    enough.abort(new Error('done'));
    await account.close();
  }
}

type ListedResource = { readonly id: string; readonly name: string } | { readonly id: string; readonly url: string };

type ResourceLister = (client: Client, options: { readonly signal: AbortSignal }) => AsyncGenerator<ListedResource>;

const LISTERS: Readonly<Record<ListedKind, ResourceLister>> = {
  audience: listAudiences,
  automation: listAutomations,
  webhook: listWebhookEndpoints,
};

interface CachedId {
  readonly value: string;
  readonly about: string;
}

const FRESH_MS = 60_000;

/**
 * Returns the cached ids if they are less than a minute old. Otherwise calls `ask`, and caches its result in a file
 * that only this user can read.
 */
async function cachedOrAsk(
  { stateFolder, name, now }: { readonly stateFolder: string; readonly name: string; readonly now: number },
  ask: () => Promise<CachedId[]>,
): Promise<CachedId[]> {
  const folder = join(stateFolder, 'completion');
  const path = join(folder, `${sha256Hex(name).slice(0, 16)}.json`);
  const cached = read(path);
  if (cached && now - cached.at >= 0 && now - cached.at < FRESH_MS) {
    return cached.found;
  }
  const found = await ask();
  ensurePrivateFolder(folder);
  writePrivateFile(path, JSON.stringify({ at: now, found }));
  return found;
}

interface CacheEntry {
  readonly at: number;
  readonly found: CachedId[];
}

function read(path: string): CacheEntry | undefined {
  try {
    const value: unknown = parseJsonStrictly(readFileSync(path, 'utf8'));
    return isCacheEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isCacheEntry(value: unknown): value is CacheEntry {
  return (
    isRecord(value) &&
    typeof value.at === 'number' &&
    Array.isArray(value.found) &&
    value.found.every((each) => typeof each?.value === 'string' && typeof each?.about === 'string')
  );
}
