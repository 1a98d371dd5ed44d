import { isRecord } from '../../base/lib/json.ts';
import { LIMITS } from '../../wire/limits.ts';
import { RESERVED_ATTRIBUTE_KEYS } from '../../wire/service-words.ts';
import { canonicalize, isAddress } from '../domain/address.ts';
import { normalizeKey } from '../domain/attributes.ts';

/**
 * Checks a value of a file or of a request. Returns the problem as a message that begins with `path`, or undefined if
 * the value is right.
 */
export type ValueCheck = (value: unknown, path: string) => string | undefined;

/** Makes a check of one value. `expected` completes the message "… must be …". */
export function createCheck(expected: string, isValid: (value: unknown) => boolean): ValueCheck {
  return (value, path) => (isValid(value) ? undefined : `${path || 'it'} must be ${expected}`);
}

export const TEXT_CHECK = createCheck('a string', (value) => typeof value === 'string');
export const FLAG_CHECK = createCheck('true or false', (value) => typeof value === 'boolean');
/** Accepts every value. */
export const ANY_VALUE_CHECK: ValueCheck = () => undefined;
/** Accepts a finite number of at least 0. JSON can contain an infinite number: 1e999. */
export const AMOUNT_CHECK = createCheck(
  'a number of at least 0',
  (value) => Number.isFinite(value) && Number(value) >= 0,
);
export const COUNT_CHECK = createCheck(
  'a whole number of at least 0',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);

/** Accepts each of these words. */
export function oneOf(words: readonly string[]): ValueCheck {
  return createCheck(`one of ${words.join(', ')}`, (value) => words.some((word) => word === value));
}

/** Accepts null, and each value that passes `check`. */
export function orNull(check: ValueCheck): ValueCheck {
  return (value, path) => (value === null ? undefined : check(value, path));
}

/** Accepts a list, if each of its items passes `check`. */
export function listOf(check: ValueCheck): ValueCheck {
  return (value, path) =>
    Array.isArray(value)
      ? firstProblem(value.map((item, index) => check(item, `${path}[${index}]`)))
      : `${path || 'it'} must be a list`;
}

/** Accepts an object with any keys, if each value passes `check`. */
export function mapOf(check: ValueCheck): ValueCheck {
  return (value, path) =>
    isRecord(value)
      ? firstProblem(Object.entries(value).map(([key, item]) => check(item, fieldPath(path, key))))
      : `${path || 'it'} must be an object`;
}

/** Accepts an object whose fields are all in `fields` and pass their checks. The fields in `required` must be there. */
export function objectOf(fields: Readonly<Record<string, ValueCheck>>, required: readonly string[] = []): ValueCheck {
  const checks = new Map(Object.entries(fields));
  return (value, path) => {
    if (!isRecord(value)) {
      return `${path || 'it'} must be an object`;
    }
    const missing = required.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) {
      return `${fieldPath(path, missing)} is missing`;
    }
    const knownNames = () => [...checks.keys()].join(', ');
    return firstProblem(
      Object.entries(value).map(([name, item]) => {
        const check = item === undefined ? ANY_VALUE_CHECK : checks.get(name);
        return check
          ? check(item, fieldPath(path, name))
          : `${fieldPath(path, name)} is not a known field (known: ${knownNames()})`;
      }),
    );
  };
}

/** The path of the field `name` in the object at `path`, such as `account.plan`. */
export function fieldPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function firstProblem(found: readonly (string | undefined)[]): string | undefined {
  return found.find((problem) => problem !== undefined);
}

/** The last moment of the year 9999, in milliseconds, because timestamps have four digits for the year. */
export const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Accepts a moment in milliseconds since the epoch. */
export const MOMENT_CHECK = createCheck(
  'a whole number of milliseconds, from 1970 to 9999',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= LAST_MOMENT,
);

export const ADDRESS_CHECK = createCheck(
  'an email address',
  (value) => typeof value === 'string' && isAddress(canonical(value)),
);

/** Accepts a domain to send from. `*` stands for every domain. */
export const DOMAIN_CHECK = createCheck(
  'a domain, or *',
  (value) => typeof value === 'string' && (value === '*' || isAddress(`a@${canonical(value)}`)),
);

/**
 * Accepts the name of an audience. Counts characters as code points and not as UTF-16 units, so an emoji counts as one.
 */
export const AUDIENCE_NAME_CHECK = createCheck(`a string of 1 to ${LIMITS.audienceNameLength} characters`, (value) => {
  const length = typeof value === 'string' ? [...value].length : 0;
  return length >= 1 && length <= LIMITS.audienceNameLength;
});

/**
 * Accepts a map of attributes. After normalization its keys must be valid and different, because the service would drop
 * invalid keys and merge equal ones.
 */
export const ATTRIBUTES_CHECK: ValueCheck = (value, path) =>
  mapOf(TEXT_CHECK)(value, path) ?? wrongKey(Object.keys(Object(value)), path);

function wrongKey(keys: readonly string[], path: string): string | undefined {
  const normal = keys.map(normalizeKey);
  const index = normal.findIndex((key, index) => key === '' || RESERVED.includes(key) || normal.indexOf(key) < index);
  const key = normal[index];
  if (key === undefined) {
    return undefined;
  }
  const where = fieldPath(path, keys[index] ?? '');
  if (key === '' || RESERVED.includes(key)) {
    return `${where} is not a valid attribute key`;
  }
  return `${where} is there twice: both keys become ${key}`;
}

const RESERVED: readonly string[] = RESERVED_ATTRIBUTE_KEYS;

function canonical(text: string): string {
  return canonicalize(text, { address_case: 'unicode' });
}
