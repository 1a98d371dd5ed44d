import { RESERVED_ATTRIBUTE_KEYS } from '../wire/words.ts';
import { invalid } from './envelope.ts';
import type { Quirks } from './quirks.ts';

/** Attributes to write, keys normalized; null deletes. A Map because `__proto__` and `constructor` are keys like any other. */
export type AttributeChanges = ReadonlyMap<string, string | null>;

/**
 * Reads an `attributes` field. Reserved keys and keys that normalize to nothing are dropped in silence; of keys that
 * collide the last one wins. Throws 400 `invalid_request` at a value that isn't a string.
 */
export function readAttributes(value: unknown, quirks: Quirks, param: string): AttributeChanges {
  const changes = new Map<string, string | null>();
  for (const [key, each] of Object.entries(asFlatObject(value, param))) {
    const normal = normalizeKey(key, quirks.attribute_keys);
    if (!isAttributeValue(each, quirks)) {
      throw invalid('Attribute values must be strings.', `${param}.${key}`);
    }
    if (normal !== '' && !isReserved(normal)) {
      changes.set(normal, each);
    }
  }
  return changes;
}

/** The stored attributes (JSON text) after a shallow merge. */
export function mergeAttributes(stored: string, changes: AttributeChanges): string {
  if (changes.size === 0) {
    return stored;
  }
  const merged = stored === '{}' ? changes : new Map([...Object.entries(JSON.parse(stored)), ...changes]);
  const deletes = [...merged.values()].includes(null);
  return JSON.stringify(Object.fromEntries(deletes ? [...merged].filter(([, value]) => value !== null) : merged));
}

// Every rule leaves such a key as it is; most keys are such.
const NORMAL = /^[a-z0-9]+(_[a-z0-9]+)*$/;

/** An attribute key in snake_case, by one of the rules that fit the document's one example. */
function normalizeKey(key: string, rule: string): string {
  if (NORMAL.test(key)) {
    return key;
  }
  const spaced = rule === 'camel' ? key.replace(/([a-z0-9])([A-Z])/g, '$1_$2') : key;
  const foreign = rule === 'unicode' ? /[^\p{L}\p{N}]+/gu : /[^a-z0-9]+/g;
  return spaced.toLowerCase().replace(foreign, '_').replace(/^_|_$/g, '');
}

function asFlatObject(value: unknown, param: string): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('attributes must be an object of strings.', param);
  }
  return value;
}

function isAttributeValue(value: unknown, quirks: Quirks): value is string | null {
  return typeof value === 'string' || (value === null && quirks.batch_null === 'deletes');
}

function isReserved(key: string): boolean {
  return RESERVED_ATTRIBUTE_KEYS.some((reserved) => reserved === key);
}
