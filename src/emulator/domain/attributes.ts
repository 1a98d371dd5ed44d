import { isRecord } from '../../base/lib/json.ts';
import { RESERVED_ATTRIBUTE_KEYS } from '../../wire/service-words.ts';
import { invalidRequest } from '../protocol/envelope.ts';

/** Attributes to write. Null deletes an attribute. The keys are normalized already, so none of them is `__proto__`. */
export type AttributeChanges = Readonly<Record<string, string | null>>;

/**
 * The path of a field in an error, for example `contacts[3].email`. It is a function, so that only the few contacts
 * with an error need a path.
 */
export type PathOf = (field: string) => string;

/**
 * Reads the `attributes` of a request. Drops reserved and empty keys without an error. If two keys become the same key,
 * the last value counts. Throws 400 `invalid_request` for a value that is neither a string nor null.
 */
export function readAttributes(value: unknown, pathOf: PathOf = (field) => field): AttributeChanges {
  if (!isRecord(value)) {
    throw invalidRequest('attributes must be an object of strings.', pathOf('attributes'));
  }
  let areKeysNormal = true;
  for (const key in value) {
    if (!isAttributeValue(value[key])) {
      throw invalidRequest('Attribute values must be strings.', pathOf(`attributes.${key}`));
    }
    areKeysNormal &&= isNormal(key);
  }
  // Every value was checked in the loop. If no key changes, the parsed object is used without a copy.
  const changes = value as AttributeChanges;
  return areKeysNormal ? changes : normalizeKeys(changes);
}

// True if the service keeps a key as it is.
function isNormal(key: string): boolean {
  if (knownNormal.has(key)) {
    return true;
  }
  const isKept = NORMAL.test(key) && !RESERVED.has(key);
  if (isKept && knownNormal.size < MAX_KNOWN) {
    knownNormal.add(key);
  }
  return isKept;
}

/** The stored attributes, as JSON text, with `changes` merged in key by key. */
export function mergeAttributes(stored: string, changes: AttributeChanges): string {
  const text = hasNull(changes) ? undefined : JSON.stringify(changes);
  if (text === '{}') {
    return stored;
  }
  if (text !== undefined && (stored === '{}' || stored === text)) {
    return text;
  }
  return JSON.stringify(withoutNulls({ ...JSON.parse(stored), ...changes }));
}

function hasNull(values: AttributeChanges): boolean {
  for (const key in values) {
    if (values[key] === null) {
      return true;
    }
  }
  return false;
}

function withoutNulls(values: AttributeChanges): AttributeChanges {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function normalizeKeys(changes: AttributeChanges): AttributeChanges {
  const named = Object.entries(changes).filter(([key]) => !RESERVED.has(key));
  const entries = named.map(([key, value]) => [normalizeKey(key), value] as const);
  return Object.fromEntries(entries.filter(([key]) => key !== '' && !RESERVED.has(key)));
}

// Matches a key that is normalized already, as most keys are.
const NORMAL = /^[a-z0-9]+(_[a-z0-9]+)*$/;
// A cache of keys that are normalized already. Almost all contacts of a list have the same keys.
const knownNormal = new Set<string>();
const MAX_KNOWN = 1_000;
const RESERVED: ReadonlySet<string> = new Set(RESERVED_ATTRIBUTE_KEYS);

/** An attribute key in snake_case. The service document shows one example of this, but no rule. */
export function normalizeKey(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

function isAttributeValue(value: unknown): value is string | null {
  return typeof value === 'string' || value === null;
}
