import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { LONGEST_ADDRESS_BYTES } from '../../wire/limits.ts';
import { ID_PREFIXES } from '../../wire/service-words.ts';

export type IdKind = keyof typeof ID_PREFIXES;

/**
 * Checks an id that the user gave: the prefix of its kind, such as `aud_`, and a text that fits into one path segment.
 * Any other text is a usage error (K2).
 */
export function checkId(kind: IdKind, text: string): string {
  const prefix = ID_PREFIXES[kind];
  if (!text.startsWith(prefix) || text.length === prefix.length || /[\s\0-\x1f\x7f/\\?#]/.test(text)) {
    const article = /^[aeiou]/.test(kind) ? 'an' : 'a';
    throw new SvcError(EXIT.usage, 'invalid_id', `not ${article} ${kind} id: ${text}`, {
      hint: `Ids of this kind start with ${prefix}`,
    });
  }
  return text;
}

/**
 * Returns an address that the user gave. It must have text on both sides of an @, and no spaces or control characters.
 */
export function checkAddress(text: string): string {
  if (!/^[^\s\0-\x1f\x7f]+@[^\s\0-\x1f\x7f@]+$/.test(text)) {
    throw invalidAddressError(text);
  }
  return checkListAddress(text);
}

/**
 * Returns an address of a list. It must have an @, at most 254 bytes, and no spaces or control characters. The service
 * checks the rest (F8).
 */
export function checkListAddress(text: string): string {
  const fits = /^[^\s\0-\x1f\x7f]*@[^\s\0-\x1f\x7f]*$/.test(text);
  if (!fits || Buffer.byteLength(text) > LONGEST_ADDRESS_BYTES || !text.isWellFormed()) {
    throw invalidAddressError(text);
  }
  return text;
}

function invalidAddressError(text: string): SvcError {
  return new SvcError(EXIT.usage, 'invalid_address', `not an email address: ${text}`);
}

/** Returns an object that the service shows. Throws if its id is not the id that svc asked for. */
export function requireSameId<T extends { readonly id: string }>(shown: T, what: string, id: string): T {
  if (shown.id === id) {
    return shown;
  }
  const message = `unexpected response of the service: it shows ${what} ${shown.id}, and ${what} ${id} was asked for`;
  throw new SvcError(EXIT.failed, 'unexpected_answer', message);
}
