import { isRecord } from '../../base/lib/json.ts';

/**
 * Checks a value of a file. `path` names it in the message. Returns the problem, or undefined if the value is right.
 */
export type Check = (value: unknown, path: string) => string | undefined;

/** A check of one value. `expected` completes the message "… must be …". */
export function must(expected: string, isValid: (value: unknown) => boolean): Check {
  return (value, path) => (isValid(value) ? undefined : `${path || 'it'} must be ${expected}`);
}

export const TEXT = must('a string', (value) => typeof value === 'string');
export const FLAG = must('true or false', (value) => typeof value === 'boolean');
/** Accepts every value. */
export const ANYTHING: Check = () => undefined;
/** Checks a finite number of at least 0. JSON can contain an infinite one: 1e999. */
export const AMOUNT = must('a number of at least 0', (value) => Number.isFinite(value) && Number(value) >= 0);
/** Checks a whole number of at least 0. */
export const COUNT = must('a whole number of at least 0', (value) => Number.isSafeInteger(value) && Number(value) >= 0);

/** Checks that the value is one of these words. */
export function oneOf(words: readonly string[]): Check {
  return must(`one of ${words.join(', ')}`, (value) => words.some((word) => word === value));
}

/** Accepts null, and each value that passes `check`. */
export function orNull(check: Check): Check {
  return (value, path) => (value === null ? undefined : check(value, path));
}

/** Checks a list: each item must pass `check`. */
export function listOf(check: Check): Check {
  return (value, path) =>
    Array.isArray(value)
      ? first(value.map((item, index) => check(item, `${path}[${index}]`)))
      : `${path || 'it'} must be a list`;
}

/** Checks an object that may have any keys. Each value must pass `check`. */
export function mapOf(check: Check): Check {
  return (value, path) =>
    isRecord(value)
      ? first(Object.entries(value).map(([key, item]) => check(item, under(path, key))))
      : `${path || 'it'} must be an object`;
}

/** Checks an object that has these fields and no others. Those in `required` must be present. */
export function objectOf(fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  const checks = new Map(Object.entries(fields));
  return (value, path) => {
    if (!isRecord(value)) {
      return `${path || 'it'} must be an object`;
    }
    const missing = required.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) {
      return `${under(path, missing)} is missing`;
    }
    const known = () => [...checks.keys()].join(', ');
    return first(
      Object.entries(value).map(([name, item]) => {
        const check = item === undefined ? ANYTHING : checks.get(name);
        return check ? check(item, under(path, name)) : `${under(path, name)} is not a known field (known: ${known()})`;
      }),
    );
  };
}

/** The path of the field `name` in the object at `path`, such as `account.plan`. */
export function under(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function first(found: readonly (string | undefined)[]): string | undefined {
  return found.find((problem) => problem !== undefined);
}
