import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * The identity of the person behind a canonical address. The Unicode and the Punycode spelling of a domain name one
 * mailbox, so they are one person (rule F8). Other addresses are their own key.
 */
export function personKey(email: string): string {
  return hasSpellings(email) ? (withDomain(email, domainToASCII) ?? email) : email;
}

/**
 * The address with its domain in the other spelling: Punycode for Unicode, and the reverse. Undefined if there is none.
 */
export function otherSpelling(email: string): string | undefined {
  if (!hasSpellings(email)) {
    return undefined;
  }
  const ascii = withDomain(email, domainToASCII);
  const other = ascii === email ? unicodeSpelling(email) : ascii;
  return other === email ? undefined : other;
}

/** The address with its domain in Unicode. Text that is no domain stays. */
export function unicodeSpelling(email: string): string {
  return hasSpellings(email) ? (withDomain(email, domainToUnicode) ?? email) : email;
}

/** False for most addresses: only these domains cost a conversion. */
export function hasSpellings(email: string): boolean {
  return email.includes('xn--') || (!ONLY_ASCII.test(email) && /@[^@]*[^\x21-\x7e][^@]*$/.test(email));
}

const ONLY_ASCII = /^[\x21-\x7e]*$/;

// The conversion returns an empty text for what is no domain, such as invalid Punycode.
function withDomain(email: string, convert: (domain: string) => string): string | undefined {
  const at = email.lastIndexOf('@') + 1;
  const domain = convert(email.slice(at));
  return at === 0 || domain === '' ? undefined : email.slice(0, at) + domain;
}
