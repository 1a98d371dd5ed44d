import { createHash } from 'node:crypto';

/** The SHA-256 of a text (as UTF-8) or of bytes, as 64 hex digits in lower case. */
export function sha256Hex(data: string | Uint8Array): string {
  const known = typeof data === 'string' ? undefined : knownHashes.get(data);
  return known ?? createHash('sha256').update(data).digest('hex');
}

/**
 * Records the SHA-256 of bytes that another thread has hashed, so that this thread need not hash them again. The hash
 * belongs to this one array, which must not change while it is used.
 */
export function recordSha256(bytes: Uint8Array, sha256: string): void {
  knownHashes.set(bytes, sha256);
}

const knownHashes = new WeakMap<Uint8Array, string>();

/**
 * The SHA-256 of plain data. The order of keys does not matter, and a key whose value is `undefined` counts as missing.
 */
export function hashPlainData(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    return `{${canonicalEntries(value).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

function canonicalEntries(value: object): string[] {
  return Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`);
}
