import { LIMITS } from '../../wire/limits.ts';
import { RESERVED_ATTRIBUTE_KEYS } from '../../wire/service-words.ts';
import { canonicalize, isAddress } from '../domain/address.ts';
import { normalizeKey } from '../domain/attributes.ts';
import { type Check, mapOf, must, TEXT, under } from './value-checks.ts';

/** The last moment of the year 9999, in milliseconds: timestamps have four digits for the year. */
export const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Checks a moment in milliseconds since the epoch. */
export const MOMENT = must(
  'a whole number of milliseconds, from 1970 to 9999',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= LAST_MOMENT,
);

export const ADDRESS = must('an email address', (value) => typeof value === 'string' && isAddress(canonical(value)));

/** Checks a sending domain; `*` stands for every domain. */
export const DOMAIN = must(
  'a domain, or *',
  (value) => typeof value === 'string' && (value === '*' || isAddress(`a@${canonical(value)}`)),
);

/** Checks the name of an audience. Characters are code points, not UTF-16 units, so an emoji counts as one. */
export const AUDIENCE_NAME = must(`a string of 1 to ${LIMITS.audienceNameLength} characters`, (value) => {
  const length = typeof value === 'string' ? [...value].length : 0;
  return length >= 1 && length <= LIMITS.audienceNameLength;
});

/**
 * Checks a map of attributes. After normalization its keys must be valid and different, because the service drops or
 * merges the others.
 */
export const ATTRIBUTES: Check = (value, path) =>
  mapOf(TEXT)(value, path) ?? wrongKey(Object.keys(Object(value)), path);

function wrongKey(keys: readonly string[], path: string): string | undefined {
  const normal = keys.map(normalizeKey);
  const index = normal.findIndex((key, at) => key === '' || RESERVED.includes(key) || normal.indexOf(key) < at);
  const key = normal[index];
  if (key === undefined) {
    return undefined;
  }
  const where = under(path, keys[index] ?? '');
  if (key === '' || RESERVED.includes(key)) {
    return `${where} is not a valid attribute key`;
  }
  return `${where} is there twice: both keys become ${key}`;
}

const RESERVED: readonly string[] = RESERVED_ATTRIBUTE_KEYS;

function canonical(text: string): string {
  return canonicalize(text, { address_case: 'unicode' });
}
