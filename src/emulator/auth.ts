import { createHash } from 'node:crypto';
import { TEST_KEY_PREFIX } from '../wire/words.ts';
import { refuse } from './envelope.ts';
import type { Store } from './store/store.ts';
import type { Caller } from './world.ts';

interface KeyRow {
  readonly seq: number;
  readonly organization: number;
  readonly scopes: string;
  readonly revoked: number;
  readonly forbidden: number;
}

/** Who sends this `Authorization` header. Throws the 401s and 403s of the document's "Authentication". */
export function authenticate(store: Store, header: string | undefined): Caller {
  const key = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
  if (key === undefined) {
    throw refuse(401, 'invalid_api_key', 'Send Authorization: Bearer <API_KEY>.');
  }
  if (key.startsWith(TEST_KEY_PREFIX)) {
    throw refuse(403, 'test_keys_not_supported', 'Test keys are not supported.');
  }
  const row = store.get<KeyRow>(LOOK_UP, hashKey(key));
  if (row === undefined) {
    throw refuse(401, 'invalid_api_key', 'Unknown API key.');
  }
  assertUsable(row);
  return { organization: row.organization, key: row.seq, scopes: row.scopes === '' ? [] : row.scopes.split(' ') };
}

/** How a key is kept: only its hash is stored. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

const LOOK_UP = `select keys.seq, organization, scopes, revoked, forbidden from keys
  join organizations on organizations.seq = organization where hash = ?`;

function assertUsable(row: KeyRow): void {
  if (row.revoked) {
    throw refuse(401, 'revoked_api_key', 'This API key was revoked.');
  }
  if (row.forbidden) {
    throw refuse(403, 'forbidden', 'This account may not use the API.');
  }
}
