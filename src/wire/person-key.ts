import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * The identity of the person behind a canonical address. All spellings of a domain name one mailbox, so they are one
 * person: Unicode, Punycode, full-width letters, composed or decomposed letters. Composed and decomposed letters before
 * the @ are one person, too (rule F8). Other addresses are their own key.
 */
export function personKey(email: string): string {
  return hasSpellings(email) ? (withDomain(email, domainToASCII) ?? email) : email;
}

/**
 * The standard spellings of an address, Punycode before Unicode, without the address itself. Most addresses have none.
 */
export function otherSpellings(email: string): readonly string[] {
  if (!hasSpellings(email)) {
    return NONE;
  }
  const key = personKey(email);
  const standard = new Set([key, unicodeSpelling(key)]);
  return [...standard].filter((spelling) => spelling !== email && personKey(spelling) === key);
}

/** The address with its domain in Unicode. An invalid domain stays unchanged. */
export function unicodeSpelling(email: string): string {
  return hasSpellings(email) ? (withDomain(email, domainToUnicode) ?? email) : email;
}

/** True if the address may have several spellings. Most addresses have one, and need no costly conversion. */
export function hasSpellings(email: string): boolean {
  return email.includes('xn--') || !ONLY_ASCII.test(email);
}

// Visible ASCII characters only.
const ONLY_ASCII = /^[\x21-\x7e]*$/;
const NONE: readonly string[] = [];

// The conversions read a domain as the host of a URL. They cut it at `/`, decode `%41`, and read `１.２` as an IP
// address. For an invalid domain, such as invalid Punycode, they return an empty text.
const NO_DOMAIN = /[^a-z0-9._\-\x80-\uffff]/;
// A domain that a conversion turned into an IP address.
const IP_ADDRESS = /^[\d.]+$/;

function withDomain(email: string, convert: (domain: string) => string): string | undefined {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  const converted = at === 0 || NO_DOMAIN.test(domain) ? '' : convert(domain);
  return converted === '' || IP_ADDRESS.test(converted) ? undefined : email.slice(0, at).normalize('NFC') + converted;
}
