import { LONGEST_ADDRESS_BYTES } from '../../wire/limits.ts';
import type { Variants } from '../context/variants.ts';
import { createFieldRefusal, type Refusal } from '../protocol/envelope.ts';

/** The variant that decides which blanks are trimmed, and which capitals become small letters. */
type AddressCase = Pick<Variants, 'address_case'>;

/**
 * The address as the service stores it: trimmed and in lower case. Programming languages differ about blanks and
 * capitals outside of ASCII, so the variant `address_case` decides about these (F8).
 */
export function canonicalize(email: string, variants: AddressCase): string {
  switch (variants.address_case) {
    case 'ascii':
      return email.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    case 'folded':
      return email
        .normalize('NFKC')
        .replace(INVISIBLE, '')
        .trim()
        .toLowerCase()
        .replace(/\u0307/g, '');
    default:
      return email.trim().toLowerCase();
  }
}

// Matches invisible characters that the trim function of some languages removes.
const INVISIBLE = /[\u0085\u200b\ufeff]/g;
// Matches one `@`, a domain with a dot, and no blanks, brackets, quotes or delimiters.
const ADDRESS = /^[^\s@<>(),;:\\"[\]]+@[^\s@<>(),;:\\"[\]]+\.[^\s@<>(),;:\\"[\].]+$/u;
// Matches most addresses. It has only ASCII characters, so its length is its number of bytes.
const USUAL_ADDRESS = /^[a-z0-9._+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * True if the service accepts this canonical address: one `@`, a domain with a dot, no blanks or brackets, and at most
 * 254 bytes.
 */
export function isAddress(email: string): boolean {
  // One pattern for most addresses, because all checks together take three times as long.
  if (email.length <= LONGEST_ADDRESS_BYTES && USUAL_ADDRESS.test(email)) {
    return true;
  }
  const domain = email.slice(email.indexOf('@') + 1);
  const hasMisplacedDots = domain.startsWith('.') || domain.includes('..');
  return (
    ADDRESS.test(email) &&
    !CONTROL.test(email) &&
    !hasMisplacedDots &&
    email.isWellFormed() &&
    Buffer.byteLength(email) <= LONGEST_ADDRESS_BYTES
  );
}

/** Returns this canonical address unchanged if the service accepts it. Throws 400 `invalid_email` if not. */
export function checkAddress(email: string, param: string): string {
  if (!isAddress(email)) {
    throw invalidAddress(param);
  }
  return email;
}

/** A 400 `invalid_email`. `param` is the field of the address. */
export function invalidAddress(param: string): Refusal {
  return createFieldRefusal(param, [400, 'invalid_email', 'Not an email address.']);
}

/** The canonical address of a sender such as `Name <address>`. */
export function addressIn(from: string, variants: AddressCase): string {
  return canonicalize(/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from, variants);
}
