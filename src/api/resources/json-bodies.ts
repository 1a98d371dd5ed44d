import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { isRecord } from '../../base/lib/json.ts';

/** The exact bytes of a request body, for hashing and sending. */
export function encodeJsonBody(fields: object): Buffer {
  return Buffer.from(JSON.stringify(fields), 'utf8');
}

/**
 * The type of a field. `string?` may be missing or null; both are left out. `string|null` may be missing too, but null
 * is kept, because it has a meaning: `last_failure_at: null` means "never failed".
 */
export type FieldKind = Kind | `${Kind}?` | `${Kind}|null`;

/**
 * `count`: a whole number from 0 on, for numbers that svc decides by. `number`: any number; svc passes it on, or checks
 * it where it is used. `any`: the document does not show the type.
 */
type Kind = 'string' | 'count' | 'number' | 'boolean' | 'array' | 'strings' | 'object' | 'any';

/**
 * Required fields; `contact_counts: { total: 'count' }` describes a nested object. Other fields are allowed and kept.
 */
export interface RequiredFields {
  readonly [field: string]: FieldKind | RequiredFields;
}

/**
 * Checks the fields of an object. Returns it with its unknown fields, and without the fields `string?` that are null
 * (O6).
 */
export type Decode<T> = (json: unknown) => T;

/** A decoder that throws `unexpected_answer` and names the object and the missing field. */
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
 * A decoder for responses to a POST. It returns undefined instead of throwing, because the outcome is then unknown
 * (O4).
 */
export function createObjectReader<T>(expected: RequiredFields): (json: unknown) => T | undefined {
  return (json) =>
    firstMissing(json, expected) === undefined ? (withoutNulls(json as object, expected) as T) : undefined;
}

/**
 * The object as the service sent it, with the nulls that the decoder left out. Printed JSON holds all fields of the
 * service. Any other value is returned unchanged.
 */
export function withReceivedNulls(value: unknown): unknown {
  return Array.isArray(value) ? value.map(withReceivedNulls) : (receivedObjects.get(Object(value)) ?? value);
}

const receivedObjects = new WeakMap<object, object>();

/** Leaves the nulls of optional fields out, so that the rest of svc knows only one kind of missing field. */
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
 * The path of the first field that is missing or has the wrong type. Empty if `json` is no object. Undefined if no
 * field is wrong.
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
