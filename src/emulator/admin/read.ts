import type { JsonObject } from '../context.ts';
import { invalid } from '../http/envelope.ts';

/** A field that must be a string. Throws 400 `invalid_request`, as its siblings do. */
export function readText(body: JsonObject, field: string): string {
  const value = body[field];
  if (typeof value !== 'string') {
    throw invalid(`${field} must be a string.`, field);
  }
  return value;
}

/** A field that must be a number of at least 0. */
export function readNumber(body: JsonObject, field: string): number {
  const value = body[field];
  if (typeof value !== 'number' || !(value >= 0)) {
    throw invalid(`${field} must be a number of at least 0.`, field);
  }
  return value;
}

/** A field that must be a list of strings. */
export function readStrings(body: JsonObject, field: string): string[] {
  const value = body[field];
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw invalid(`${field} must be a list of strings.`, field);
  }
  return value;
}

/** A field that must be one of these words. */
export function readEnum<Word extends string>(body: JsonObject, field: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === body[field]);
  if (word === undefined) {
    throw invalid(`${field} must be one of ${words.join(', ')}.`, field);
  }
  return word;
}
