import { createHash } from 'node:crypto';

/** SHA-256 as 64 lower-case hex characters. Text is hashed as UTF-8. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The SHA-256 of plain data, the same for any order of its keys. A key with the value `undefined` counts as absent. */
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
