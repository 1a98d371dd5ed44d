import { refuseField } from '../http/envelope.ts';
import type { Variants } from '../variants.ts';

/** The variant that decides how an address is canonicalized. */
type AddressCase = Pick<Variants, 'address_case'>;

/**
 * An address in the form that the service stores: trimmed and lower-cased, nothing else. Languages differ about blanks
 * and capitals, so the variant `address_case` decides (rule F8).
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

// Characters that only some languages trim.
const INVISIBLE = /[\u0085\u200b\ufeff]/g;
// One `@`, a domain with a dot, and no blank, bracket, quote or delimiter.
const ADDRESS = /^[^\s@<>(),;:\\"[\]]+@[^\s@<>(),;:\\"[\]]+\.[^\s@<>(),;:\\"[\].]+$/u;
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * True if the service accepts a canonical address: one `@`, a dotted domain, no blanks, brackets or lone surrogates, at
 * most 254 octets.
 */
export function isAddress(email: string): boolean {
  const domain = email.slice(email.indexOf('@') + 1);
  const dots = domain.startsWith('.') || domain.includes('..');
  return (
    ADDRESS.test(email) && !CONTROL.test(email) && !dots && email.isWellFormed() && Buffer.byteLength(email) <= 254
  );
}

/** Returns a canonical address that the service accepts. Throws 400 `invalid_email` for another one. */
export function checkAddress(email: string, param: string): string {
  if (!isAddress(email)) {
    throw refuseField(param, [400, 'invalid_email', 'Not an email address.']);
  }
  return email;
}

/** The canonical address in a sender, which is usually written `Name <address>`. */
export function addressIn(from: string, variants: AddressCase): string {
  return canonicalize(/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from, variants);
}
