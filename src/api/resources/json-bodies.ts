import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { isRecord } from '../../base/lib/json.ts';

/** The exact bytes of a request body, both to hash and to send. */
export function encodeJsonBody(fields: object): Buffer {
  return Buffer.from(JSON.stringify(fields), 'utf8');
}

/**
 * The type of a field. `string?` may be missing or null, and is left out then. `string|null` may be missing too, but
 * null is kept, because it has a meaning: `last_failure_at: null` means "never failed".
 */
export type FieldKind = Kind | `${Kind}?` | `${Kind}|null`;

/**
 * The types of values. `count`: a whole number of at least 0, on which a decision of svc depends. `number`: any number,
 * which svc passes on or checks where it uses it. `any`: the document does not show the type.
 */
type Kind = 'string' | 'count' | 'number' | 'boolean' | 'array' | 'strings' | 'object' | 'any';

/**
 * The fields of an object that svc checks, with their types. `contact_counts: { total: 'count' }` is a nested object.
 * Further fields are allowed, and are kept.
 */
export interface RequiredFields {
  readonly [field: string]: FieldKind | RequiredFields;
}

/**
 * Checks the fields of an object, and returns the object. Unknown fields stay (O6). Optional fields, such as `string?`,
 * are left out if they are null.
 */
export type Decode<T> = (json: unknown) => T;

/** Makes a decoder that throws `unexpected_answer` for a missing or wrong field. The error names object and field. */
export function createObjectDecoder<T>(what: string, expected: RequiredFields): Decode<T> {
  return (json) => {
    const missing = firstMissing(json, expected);
    if (missing !== undefined) {
      const field = missing === '' ? 'is not an object' : `has no usable field ${missing}`;
      throw new SvcError(EXIT.failed, 'unexpected_answer', `unexpected response of the service: ${what} ${field}`);
    }
    return withoutNulls(json as object, expected) as T;
  };
}

/**
 * Makes a decoder for responses to a POST. If a field is missing, it returns undefined and does not throw, because the
 * outcome of the POST is unknown then (O4).
 */
export function createObjectReader<T>(expected: RequiredFields): (json: unknown) => T | undefined {
  return (json) =>
    firstMissing(json, expected) === undefined ? (withoutNulls(json as object, expected) as T) : undefined;
}

/**
 * The object as the service sent it, including the nulls that the decoder left out. Printed JSON must have all fields
 * of the service. Any other value is returned unchanged.
 */
export function withReceivedNulls(value: unknown): unknown {
  return Array.isArray(value) ? value.map(withReceivedNulls) : (receivedObjects.get(Object(value)) ?? value);
}

const receivedObjects = new WeakMap<object, object>();

/** Leaves out optional fields that are null, so that the rest of svc knows only one kind of missing field. */
function withoutNulls(json: object, expected: RequiredFields): object {
  const fields = json as Readonly<Record<string, unknown>>;
  const isDropped = (name: string) => fields[name] === null && String(expected[name]).endsWith('?');
  if (!Object.keys(expected).some(isDropped)) {
    return json;
  }
  const decoded = Object.fromEntries(
    Object.entries(json).filter(([name]) => !(Object.hasOwn(expected, name) && isDropped(name))),
  );
  receivedObjects.set(decoded, json);
  return decoded;
}

/**
 * The path of the first field that is missing or has a wrong type. Empty if `json` is no object. Undefined if all
 * fields are right.
 */
function firstMissing(json: unknown, expected: RequiredFields): string | undefined {
  if (!isRecord(json)) {
    return '';
  }
  for (const [name, kind] of Object.entries(expected)) {
    const inner = typeof kind === 'string' ? undefined : firstMissing(json[name], kind);
    const isWrong = typeof kind === 'string' ? !isKind(json[name], kind) : inner !== undefined;
    if (isWrong) {
      return inner ? `${name}.${inner}` : name;
    }
  }
  return undefined;
}

function isKind(value: unknown, kind: FieldKind): boolean {
  if (kind.endsWith('?')) {
    return value === undefined || value === null || isKind(value, kind.slice(0, -1) as Kind);
  }
  if (kind.endsWith('|null')) {
    return value === undefined || value === null || isKind(value, kind.slice(0, -'|null'.length) as Kind);
  }
  switch (kind) {
    case 'strings':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'count':
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'any':
      return true;
    default:
      return typeof value === kind;
  }
}
