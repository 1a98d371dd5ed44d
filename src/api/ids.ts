import { SvcError } from '../base/errors.ts';
import { EXIT } from '../base/exit.ts';
import { ID_PREFIXES } from '../wire/words.ts';

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

/** Checks an address before it goes into a path: an @, no blanks or control characters. The rest is the service's to judge. */
export function checkAddress(text: string): string {
  if (!/^[^\s\0-\x1f\x7f]*@[^\s\0-\x1f\x7f]*$/.test(text) || Buffer.byteLength(text) > 254 || !text.isWellFormed()) {
    throw new SvcError(EXIT.usage, 'invalid_address', `not an email address: ${text}`);
  }
  return text;
}
