import { TEST_KEY_PREFIX } from '../../wire/service-words.ts';
import type { Caller } from '../context/action-context.ts';
import { createRefusal } from '../protocol/envelope.ts';
import { findKey } from '../store/organizations.ts';
import type { Store } from '../store/store.ts';

// Matches a `Host` header that names this machine, with or without a port.
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Throws 403 for a request that a web page could send to this machine (K7). Such a request has a `Host` that is not
 * this machine (DNS rebinding), or an `Origin` that is not the emulator. Requests inside the process have neither
 * header.
 */
export function assertLocal(headers: Readonly<Record<string, string>>): void {
  const { host, origin } = headers;
  if (host !== undefined && !LOOPBACK_HOST.test(host)) {
    throw createRefusal(403, 'forbidden', 'The emulator accepts requests to localhost only.');
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw createRefusal(403, 'forbidden', 'The emulator refuses requests from other origins.');
  }
}

/**
 * Finds the caller by the API key in an `Authorization` header. Throws 401 for a missing, unknown or revoked key, and
 * 403 for a test key.
 */
export function authenticate(store: Store, header: string | undefined): Caller {
  const key = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
  if (key === undefined) {
    throw createRefusal(401, 'invalid_api_key', 'Send Authorization: Bearer <API_KEY>.');
  }
  if (key.startsWith(TEST_KEY_PREFIX)) {
    throw createRefusal(403, 'test_keys_not_supported', 'Test keys are not supported.');
  }
  const row = findKey(store, key);
  if (row === undefined) {
    throw createRefusal(401, 'invalid_api_key', 'Unknown API key.');
  }
  if (row.revoked) {
    throw createRefusal(401, 'revoked_api_key', 'This API key was revoked.');
  }
  const scopes = row.scopes === '' ? [] : row.scopes.split(' ');
  return { organization: row.organization, key: row.seq, scopes, forbidden: row.forbidden === 1 };
}

/**
 * Throws 403 `forbidden` for an account that may not use the API. The admin API does not call this, because it must be
 * able to allow the account again.
 */
export function assertAllowed({ forbidden }: Caller): void {
  if (forbidden) {
    throw createRefusal(403, 'forbidden', 'This account may not use the API.');
  }
}
