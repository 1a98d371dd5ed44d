import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { ID_PREFIXES } from '../../wire/words.ts';

export type IdKind = keyof typeof ID_PREFIXES;

/**
 * Checks an id that a person typed: the prefix of its kind, then one segment of a path. Ids are opaque beyond that.
 * A usage error otherwise (rule K2).
 */
export function checkId(kind: IdKind, text: string): string {
  const prefix = ID_PREFIXES[kind];
  if (!text.startsWith(prefix) || text.length === prefix.length || /[\s\0-\x1f\x7f/\\?#]/.test(text)) {
    const article = /^[aeiou]/.test(kind) ? 'an' : 'a';
    throw new SvcError(EXIT.usage, 'invalid_id', `not ${article} ${kind} id: ${text}`, {
      hint: `ids of this kind start with ${prefix}`,
    });
  }
  return text;
}

/** Checks an address that a person typed: an @ with something on both sides, no blanks or control characters. */
export function checkAddress(text: string): string {
  if (!/^[^\s\0-\x1f\x7f]+@[^\s\0-\x1f\x7f@]+$/.test(text)) {
    throw noAddress(text);
  }
  return checkListed(text);
}

/** Checks an address from a list: an @, no blanks or control characters; the rest is the service's to judge (rule F8). */
export function checkListed(text: string): string {
  const fits = /^[^\s\0-\x1f\x7f]*@[^\s\0-\x1f\x7f]*$/.test(text);
  if (!fits || Buffer.byteLength(text) > LONGEST_ADDRESS_OCTETS || !text.isWellFormed()) {
    throw noAddress(text);
  }
  return text;
}

const LONGEST_ADDRESS_OCTETS = 254;

function noAddress(text: string): SvcError {
  return new SvcError(EXIT.usage, 'invalid_address', `not an email address: ${text}`);
}
